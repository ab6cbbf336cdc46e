"""``counterflownet datasets``: what is at hand."""

import argparse
from typing import Any

from counterflownet_bench.datasets import Availability, available

HELP = "list the data sets of both protocols: size, licence, and whether they are here"
EPILOG = """\
A data set that is not bundled is read from DIR/<name>/train.csv and DIR/<name>/test.csv, where DIR is given by --data
or by $COUNTERFLOWNET_DATA.

example:
  counterflownet datasets --data ~/counterfactual-data
"""


def add_to(commands: Any) -> None:
    """Add the command to a parser's commands."""
    command: argparse.ArgumentParser = commands.add_parser(
        "datasets",
        help=HELP,
        description=f"{HELP[:1].upper()}{HELP[1:]}.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--data", metavar="DIR", help="folder with data sets (default: $COUNTERFLOWNET_DATA)")
    command.set_defaults(command=show)


def show(options: argparse.Namespace) -> int:
    """Print one line for each data set."""
    header = ("name", "protocol", "rows", "columns", "here", "licence", "where")
    lines = [header, *map(_line, available(options.data))]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())  # noqa: T201
    return 0


def _line(entry: Availability) -> tuple[str, ...]:
    here = "yes" if entry.available else "no"
    return (entry.name, entry.protocol, f"{entry.rows:,}", str(entry.columns), here, entry.licence, entry.where)
