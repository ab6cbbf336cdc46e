"""``counterflownet explain``: from an explainer and rows to answers in a file, a pipe or the terminal."""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from counterflownet.cli.asking import asked
from counterflownet.cli.column_types import typed_as_trained
from counterflownet.cli.constraint_options import add_rules
from counterflownet.cli.csv_answers import csv_text
from counterflownet.cli.explain_folder import add_folder, explain_folder
from counterflownet.cli.explainer_file import loaded_explainer, model_beside
from counterflownet.cli.models import add_model
from counterflownet.cli.notes import tell, warnings_as_notes
from counterflownet.cli.places import PIPE, check_place, is_stream, put
from counterflownet.cli.preferences import add_preferences
from counterflownet.cli.question_options import add_question
from counterflownet.cli.rule_options import add_joint_rules
from counterflownet.cli.tables import add_missing, parquet_bytes, read_table
from counterflownet.cli.wording_options import FOR_PEOPLE, add_wording, check_wording, worded
from counterflownet.errors import InvalidInputError, listed, unknown_name
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation, Outcome
from counterflownet.explain.present.terminal import MOST_COUNTERFACTUALS, MOST_ROWS
from counterflownet.explain.present.wording import oddities_text
from counterflownet.tabular.frame import as_frame

FORMATS = ("csv", "json", "html", "parquet", "txt", "text")
EPILOG = """\
FILE is written by `counterflownet fit`. ROWS is a CSV file, a Parquet file, or - for CSV from standard input. It needs
the columns that FILE was fitted on; others, such as names or the true class, come back untouched. Without --out, a
terminal shows the answers and a pipe gets CSV. A pipe or a device given as --out is written into.

CSV and Parquet have one line per counterfactual: `factual` identifies the row (its number, counting from 1, or --id),
`rank` is its position and `changed` lists the columns it changes; then come the row itself and how it was judged.
Answers to a row that change the same columns in the same directions have the same `strategy`; `probability_before` and
`probability` are those of the class you want (of a regressor, `prediction_before` and `prediction`). JSON and HTML also
include rows without an answer, each with the reason; the reasons are also printed to standard error. A .txt file gets
sentences for the person concerned (--language). LABELS is a TOML file that says what columns, values and classes are
called: [columns.amount] label = "the loan", unit = "EUR".

With --workers, or if ROWS is a folder, the table may be larger than memory, and --out is a folder: its `answers` are
Parquet files of counterfactuals, its `rows` say what came of each row, its `errors` why a row could not be explained.
The same command goes on where it was stopped. Each of the N processes has one thread.

A CONDITION is a sentence: "education rises", "age rises by 2", "job is skilled", "income is above 3000", "job changes",
"job stays", joined by and, or, not and parentheses. Rules of `counterflownet rules` come with --rules. If answers break
what all training rows keep, a note says so.

Separate COLUMNS and VALUES with commas; put one that contains a comma in double quotes: '"a,b",c'. Constraint options
may be repeated. Exit code: 0 if every row was processed, even without an answer (a note says why); 1 if `errors` of a
folder has some; 2 if the command could not run (one line says why).

examples:
  counterflownet explain loans.cfn rejected.csv --target good
  counterflownet explain loans.cfn rejected.csv --target good --count 10 --immutable sex,age --increasing savings \\
      --range "amount=500:5000" --one-of "job=skilled,manager" --max-changes 3 --out answers.html
  counterflownet explain loans.cfn rejected.csv --target good --rules rules.toml --less-equal "rent,income" \\
      --if "education rises" --then "age rises by 2" --out answers.csv
  counterflownet explain loans.cfn rejected.csv --target good --weight sparsity=0.9 --cost age=4 --cost savings=0.5
  counterflownet explain loans.cfn rejected.csv --any-of good,fair --confidence 0.7
  counterflownet explain prices.cfn houses.csv --at-least 250000 --immutable district --out answers.html
  grep -v paid applicants.csv | counterflownet explain loans.cfn - --target good --id customer > answers.csv
  counterflownet explain loans.cfn rejected.parquet --model model.onnx --target 1 --out answers.parquet
  counterflownet explain loans.cfn everybody.parquet --target good --id customer --workers 4 --out answers
"""
JUDGED = 5  # columns between the rank and the terms of the reward
MOST_LINES = 5  # of rows with the same outcome; more are told in one line


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add = command.add_argument
    add("file", type=Path, metavar="FILE", help="the explainer")
    add("rows", metavar="ROWS", help="the rows to explain: .csv, .parquet, a folder of them, or - for CSV from a pipe")
    add_question(command)
    add("--confidence", type=float, metavar="P", help="probability it must reach (default: more than other classes)")
    add("--count", type=int, default=5, metavar="N", help="answers per row (default: 5)")
    add("--id", metavar="COLUMN", help="column that identifies rows in the answers (default: row number, from 1)")
    add("--out", metavar="FILE", help="answers.csv, .parquet, .json, .html or .txt; - for standard output")
    add("--format", choices=FORMATS, help="format of the answers (default: from the name of --out)")
    add_wording(command)
    add("--spreadsheet-safe", action="store_true", help="in CSV, put ' before text that begins with = + - @")
    add("--reference", metavar="DATA", help="for a FILE of fit --private: the rows to judge plausibility by")
    add_missing(command)
    add_rules(command, "constraints, satisfied by every answer")
    add_joint_rules(command, "rules that join columns, kept by every answer")
    add_preferences(command)
    add = command.add_argument_group("searching").add_argument
    add("--diversity", type=float, default=0.3, metavar="D", help="0: the best answers, 1: the most varied (0.3)")
    add("--worth", type=float, default=0.25, metavar="W", help="share of the best reward others need; 0: none (0.25)")
    add("--samples", type=int, default=30, metavar="N", help="samples per row; more find more (default: 30)")
    add("--rounds", type=int, default=4, metavar="N", help="rounds of sampling if answers are too few (default: 4)")
    add("--as-sampled", dest="minimal", action="store_false", help="keep changes that are not needed")
    add("--not-tight", dest="tight", action="store_false", help="keep changes that are larger than they need to be")
    add_folder(command)
    add_model(command, "default: the .skops file next to FILE")
    command.add_argument("--other-model", action="store_true", help="explain a model other than FILE was fitted with")
    command.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Load, read, answer, write."""
    if options.workers is not None or Path(options.rows).is_dir():
        return explain_folder(options)
    with warnings_as_notes():
        form = _format(options)
        check_wording(options, form)
        check_place("--out", options.out or PIPE, _inputs(options))
        explainer = loaded_explainer(options)
        explanation = explainer.explain(_rows(options, explainer), **asked(options, explainer))
    tell(*([f"{explanation.note}."] if explanation.note and form != "text" else []))
    put(_written(explanation, form, options), options.out or PIPE)
    if form != "text":  # which says it itself
        tell(*_unanswered(explanation), *_odd(explanation))
    elif len(explanation.row) and (len(explanation.factuals) > MOST_ROWS or options.count > MOST_COUNTERFACTUALS):
        tell("not all answers are shown; use --out answers.html (or .csv, .json, .parquet) for all of them.")
    return 0


def _format(options: argparse.Namespace) -> str:
    form = str(options.format or _usual_format(options.out))
    if options.spreadsheet_safe and form != "csv":
        raise InvalidInputError(f"--spreadsheet-safe is for CSV; these answers are {form}. Use --format csv.")
    return form


def _usual_format(out: str | None) -> str:
    if out is None:
        return "text" if sys.stdout.isatty() else "csv"
    suffix = Path(out).suffix.lower().removeprefix(".")
    if suffix not in FORMATS[:-1] and is_stream(out):
        return "csv"
    if suffix not in FORMATS[:-1]:
        known = [f".{name}" for name in FORMATS[:-1]]
        raise unknown_name("kind of answers", Path(out).name, known, "Or choose one with --format csv")
    return suffix


def _inputs(options: argparse.Namespace) -> list[str | Path | None]:
    return [options.file, options.rows, options.reference, options.model or model_beside(options.file)]


def _rows(options: argparse.Namespace, explainer: CounterFlowNet) -> pd.DataFrame:
    frame = as_frame(read_table(options.rows, options.missing, explainer.schema.names))
    frame.index = pd.RangeIndex(1, len(frame) + 1)  # as a person counts rows
    others = [name for name in frame.columns if name not in (*explainer.schema.names, options.id)]
    rows = typed_as_trained(frame, explainer.schema, explainer.dtypes)
    rows = rows if rows is frame else pd.concat([rows, frame[others]], axis=1)
    if options.id is None:
        return rows
    if options.id not in frame.columns:
        raise unknown_name("column in --id", options.id, frame.columns)
    return rows.set_axis(pd.Index(frame[options.id]), axis=0)


def _written(explanation: Explanation, form: str, options: argparse.Namespace) -> str | bytes:
    if form == "json":
        return explanation.to_json()
    if form in FOR_PEOPLE:
        return worded(explanation, form, options)
    frame, listed_columns = _answers(explanation)
    if form == "parquet":
        return parquet_bytes(frame)
    joined = {name: frame[name].map(", ".join) for name in listed_columns}
    return csv_text(frame.assign(**joined), spreadsheet_safe=options.spreadsheet_safe)


def _answers(explanation: Explanation) -> tuple[pd.DataFrame, list[str]]:
    """One line per counterfactual: which row, which place, what is changed and what follows stand first.

    The second part names the columns that list columns.
    """
    frame = explanation.to_frame()
    width = explanation.factuals.shape[1]
    factual, rank, *others = frame.columns[width:]
    judged, lists = others[: JUDGED + len(explanation.terms)], others[JUDGED + len(explanation.terms) :]
    for name in lists:
        frame[name] = frame[name].map(lambda names: [str(name) for name in names])
    return frame[[factual, rank, *lists, *frame.columns[:width], *judged]], lists


def _odd(explanation: Explanation) -> Iterator[str]:
    """A line about answers that break what all training rows keep."""
    if explanation.oddities:
        yield oddities_text(explanation)


def _unanswered(explanation: Explanation) -> Iterator[str]:
    """A line for each row with fewer answers than asked for, or for each reason that many rows share."""
    labels: dict[Outcome, list[tuple[Any, str]]] = defaultdict(list)
    for label, row in zip(explanation.factuals.index, explanation.outcomes, strict=True):
        if row.outcome is not Outcome.COMPLETE:
            labels[row.outcome].append((label, row.reason))
    for outcome, rows in labels.items():
        if len(rows) <= MOST_LINES:
            yield from (f"row {label}: {reason}." for label, reason in rows)
        else:
            names = listed((label for label, _ in rows), MOST_LINES)
            yield f"{len(rows):,} rows ({names}): {outcome.value}."
