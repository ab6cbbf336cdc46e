"""``counterflownet benchmark run`` and ``counterflownet benchmark report``."""

import argparse
from pathlib import Path
from typing import Any, Literal

from counterflownet.cli import tell
from counterflownet_bench.benchmark import (
    METHODS,
    PRESETS,
    SELECTIONS,
    Plan,
    Result,
    ResultStore,
    RunSettings,
    read_all,
    run_cells,
    write_report,
)
from counterflownet_bench.benchmark.presets import COUNT, INSTANCES
from counterflownet_bench.benchmark.progress_line import result_line

EPILOG = "`counterflownet benchmark run --help` and `counterflownet benchmark report --help` say more, with examples."
RUN = "run cells of a protocol and append one JSON object for each to a file"
RUN_EPILOG = f"""\
A cell is one data set, method, preset, selection and seed. Cells that are in the file already are not run again, so the
same command goes on where it was stopped. A cell that fails is written with its reason, and is run again with
--retry-failed only. Only one command at a time can write to a file, and `report` reads several files. Exit code: 0 all
went well, 1 a cell failed, 2 nothing could be run.

Presets: "default" is what the library does when nothing is set, "tuned" what we found best for a protocol on training
rows; Protocol B also has "sparsest", "diverse" and "most-diverse". "paper" is the paper's own method, and the presets
whose names begin with it are readings of what its text leaves open.
Selections: "raw" is {COUNT} samples as drawn, "selected" {COUNT} chosen from many, "minimal" the same with changes
undone that are not needed. Under "default", "raw" and "minimal" are run unless --selection says otherwise: what the
library samples and what it answers. "pooled" selects from 100 candidates in a way that is the same for every method.

examples:
  counterflownet benchmark run --protocol a --dataset german_credit --seed 0 --out results.jsonl
  counterflownet benchmark run --protocol a --dataset all --seed 0 1 2 3 4 --preset paper tuned --processes 2 \\
      --out results.jsonl
  counterflownet benchmark run --protocol b --dataset lending_club --data ~/data --minutes 5 --out results.jsonl
"""
REPORT = "write the results of files as tables and pictures beside the paper's numbers"
REPORT_EPILOG = """\
Missing and failed cells are named in the report. Pictures (SVG) are written beside the Markdown file and inside the
HTML page.

example:
  counterflownet benchmark report results.jsonl more.jsonl --out REPORT.md --html REPORT.html
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the two commands of this command.

    Args:
        command: its parser.
    """
    inner = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_run(_command(inner, "run", RUN, RUN_EPILOG))
    _add_report(_command(inner, "report", REPORT, REPORT_EPILOG))


def run(options: argparse.Namespace) -> int:
    """Run the cells that are asked for and are not in the file yet."""
    plan = Plan(
        protocol=options.protocol,
        datasets=options.dataset,
        methods=options.method,
        presets=options.preset,
        seeds=options.seed,
        selections=options.selection,
        instances=options.instances,
        count=options.count,
        steps=options.steps,
        minutes=options.minutes,
    )
    cells = plan.cells()
    settings = RunSettings(data=options.data, processes=options.processes, retry_failed=options.retry_failed)
    plan.check_data(options.data)
    store = ResultStore(options.out)
    tell(*store.read().notes)
    summary = run_cells(cells, store, settings, _print_result)
    print(  # noqa: T201
        f"{summary.run} cells run, {summary.failed} of them failed, {summary.skipped} were there already: {options.out}"
    )
    return 1 if summary.failed else 0


def report(options: argparse.Namespace) -> int:
    """Write the report and print what was written."""
    tell(*read_all(options.results).notes)
    for path in write_report(options.results, options.out, options.html):
        print(path)  # noqa: T201
    return 0


def _add_run(command: argparse.ArgumentParser) -> None:
    rows = f"{INSTANCES:,}, or all if there are fewer"
    add = command.add_argument
    add("--protocol", required=True, choices=("a", "b"), help="which of the paper's two protocols")
    add("--dataset", required=True, nargs="+", metavar="NAME", help='data sets by name, or "all"; see: datasets')
    add("--method", nargs="+", default=["counterflownet"], metavar="NAME", help=f"one or more of: {', '.join(METHODS)}")
    add("--seed", type=int, nargs="+", default=[0], metavar="N", help="seeds, each a classifier and a run (default: 0)")
    add("--preset", nargs="+", default=["default"], choices=PRESETS, help="settings (default: default)")
    add("--selection", nargs="+", choices=SELECTIONS, help="what is measured (default: all; see below)")
    add("--instances", type=_instances, metavar="N", help=f'test rows to explain, or "all" (default: {rows})')
    add("--count", type=int, default=COUNT, metavar="K", help=f"counterfactuals per instance (default: {COUNT})")
    add("--steps", type=int, metavar="N", help="training steps at most (default: the preset's)")
    add("--minutes", type=float, metavar="M", help="training minutes at most (default: the preset's)")
    add("--data", metavar="DIR", help="folder with data sets (default: $COUNTERFLOWNET_DATA)")
    add("--processes", type=int, default=1, metavar="N", help="fits at a time, each with one thread if several")
    add("--retry-failed", action="store_true", help="run cells again that failed before")
    add("--out", required=True, type=Path, metavar="FILE", help="file of results, one JSON object per line")
    command.set_defaults(
        command=run, when_stopped="stopped. Finished cells are kept; the same command goes on from there."
    )


def _add_report(command: argparse.ArgumentParser) -> None:
    command.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="files that `run` has written")
    command.add_argument("--out", required=True, type=Path, metavar="FILE", help="the report as Markdown")
    command.add_argument("--html", type=Path, metavar="FILE", help="the report as a page of HTML, too")
    command.set_defaults(command=report)


def _command(commands: Any, name: str, text: str, epilog: str) -> argparse.ArgumentParser:
    added: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=f"{text[:1].upper()}{text[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return added


def _instances(text: str) -> int | Literal["all"]:
    if text == "all":
        return "all"
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'must be a whole number or "all"; got {text!r}') from None


def _print_result(result: Result) -> None:
    print(result_line(result), flush=True)  # noqa: T201
