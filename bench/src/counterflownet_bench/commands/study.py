"""``counterflownet study``: questions asked of the method itself."""

import argparse
from pathlib import Path

from counterflownet_bench.commands.study_options import COMMANDS
from counterflownet_bench.studies.report import write_report

EPILOG = "`counterflownet study STUDY --help` says more, with an example."
REPORT = "write all studies that folders hold as one page, beside what the paper found"
REPORT_EPILOG = "example:\n  counterflownet study report bench/studies --out bench/STUDIES.md"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add every study as a command of its own, and the report of them all.

    Args:
        command: its parser.
    """
    inner = command.add_subparsers(title="studies", required=True, metavar="STUDY")
    for study in COMMANDS:
        study.add_to(inner)
    told: argparse.ArgumentParser = inner.add_parser(
        "report",
        help=REPORT,
        description=f"{REPORT[:1].upper()}{REPORT[1:]}.",
        epilog=REPORT_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    told.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders that studies have written to")
    told.add_argument("--out", required=True, type=Path, metavar="FILE", help="the report as Markdown")
    told.set_defaults(command=report)


def report(options: argparse.Namespace) -> int:
    """Write the report and print what was written."""
    for path in write_report(options.folders, options.out):
        print(path)  # noqa: T201
    return 0
