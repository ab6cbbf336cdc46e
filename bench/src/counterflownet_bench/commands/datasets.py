"""``counterflownet datasets``: what is at hand."""

import argparse

from counterflownet_bench.datasets import Availability, available

EPILOG = """\
A data set that is not bundled is read from DIR/<name>/train.csv and DIR/<name>/test.csv, where DIR is given by --data
or by $COUNTERFLOWNET_DATA.

example:
  counterflownet datasets --data ~/counterfactual-data
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """What the command can be told.

    Args:
        command: its parser, to which the options are added.
    """
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
