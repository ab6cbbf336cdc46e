"""The door of the command line: one line for a user's mistake, a traceback only for ours."""

import argparse
import os
import sys
from collections.abc import Sequence

from counterflownet._version import VERSION
from counterflownet.errors import CounterFlowNetError
from counterflownet_bench.commands import benchmark, datasets, explain, fit, study

EPILOG = """\
Start with your own table: `fit` learns from it, `explain` answers. `counterflownet fit --help` says more.

examples:
  counterflownet fit loans.csv --target risk --out loans.cfn
  counterflownet explain loans.cfn rejected.csv --target good --immutable sex --increasing age --out answers.html
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
    except BrokenPipeError:  # whoever read the answers had enough of them
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _told(f"{error.strerror or error}: {error.filename}" if error.filename else str(error), 2)
    except KeyboardInterrupt:
        return _told(options.when_stopped, 130)


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    whole = argparse.ArgumentParser(
        prog="counterflownet",
        description="Counterfactual explanations for tabular classifiers: what would have to be different?",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"counterflownet {VERSION}")
    whole.set_defaults(when_stopped="stopped.")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    fit.add_to(commands)
    explain.add_to(commands)
    datasets.add_to(commands)
    benchmark.add_to(commands)
    study.add_to(commands)
    return whole


def _told(message: str, code: int) -> int:
    print(f"counterflownet: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201
    return code
