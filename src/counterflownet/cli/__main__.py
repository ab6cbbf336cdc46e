"""So that ``python -m counterflownet.cli`` is the command too."""

import sys

from counterflownet.cli.command import main

if __name__ == "__main__":
    sys.exit(main())
