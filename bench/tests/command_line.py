"""The bench's own commands, run without the library's command line around them."""

import argparse
import sys
from collections.abc import Sequence

from counterflownet.errors import CounterFlowNetError
from counterflownet_bench.commands import benchmark, datasets, study


def main(words: Sequence[str]) -> int:
    """The exit code that the command line would end with."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    for command in (datasets, benchmark, study):
        command.add_to(commands)
    options = parser.parse_args(words)
    try:
        return options.command(options)
    except CounterFlowNetError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
