"""The door of the command line: one line for a user's mistake, a traceback only for ours."""

import argparse
import sys
from collections.abc import Sequence

from counterflownet.cli import benchmark, datasets, study
from counterflownet.errors import CounterFlowNetError
from counterflownet.version import VERSION

EPILOG = """\
examples:
  counterflownet datasets
  counterflownet benchmark run --protocol a --dataset german_credit --seed 0 --preset paper --out results.jsonl
  counterflownet study bins --out studies
  counterflownet benchmark report results.jsonl --out REPORT.md --html REPORT.html
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 if something in it failed, 2 if it could not be begun."""
    options = parser().parse_args(argv)
    try:
        return int(options.command(options))
    except CounterFlowNetError as error:
        return _told(str(error), 2)
    except OSError as error:
        return _told(f"{error.strerror or error}: {error.filename}" if error.filename else str(error), 2)
    except KeyboardInterrupt:
        return _told("stopped. Finished cells are kept; the same command goes on from there.", 130)


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    whole = argparse.ArgumentParser(
        prog="counterflownet",
        description="Counterfactual explanations for tabular classifiers: data sets, benchmark, studies.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"counterflownet {VERSION}")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    datasets.add_to(commands)
    benchmark.add_to(commands)
    study.add_to(commands)
    return whole


def _told(message: str, code: int) -> int:
    print(f"counterflownet: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201
    return code
