"""Constraints as options: one of the library's objects for each."""

import argparse
import csv
from collections.abc import Sequence
from typing import Any

from counterflownet.cli.column_types import number_of, value_of
from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet.tabular import constraint
from counterflownet.tabular.feature import TIMES, Feature
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.schema import Schema

BY_COLUMNS = {
    "immutable": (constraint.Immutable, "these do not change"),
    "mutable": (constraint.Mutable, "only these may change"),
    "increasing": (constraint.Increasing, "these may only go up (numbers, dates, columns with --order)"),
    "decreasing": (constraint.Decreasing, "these may only go down"),
}


def add_rules(command: argparse.ArgumentParser, title: str) -> None:
    """Add an option for each constraint; all but the last may be given several times."""
    add = command.add_argument_group(title).add_argument
    for name, (_, text) in BY_COLUMNS.items():
        add(f"--{name}", action="extend", type=split_list, default=[], metavar="COLUMNS", help=text)
    add("--range", action="append", default=[], metavar="COLUMN=LOW:HIGH", help="allowed values; 1: or :5 is half open")
    add("--one-of", action="append", default=[], metavar="COLUMN=VALUES", help="the final value is one of these")
    add("--not-one-of", action="append", default=[], metavar="COLUMN=VALUES", help="the final value is none of these")
    add("--max-step", action="append", default=[], metavar="COLUMN=AMOUNT", help="largest move (for dates, in days)")
    add("--max-changes", type=int, metavar="N", help="at most N columns change")


def rules(options: argparse.Namespace, schema: Schema) -> list[Constraint]:
    """The constraints that the options name."""
    names = schema.names
    constraints: list[Constraint] = []
    _check_order(options, schema)
    for column_rule, (kind, _) in BY_COLUMNS.items():
        columns = getattr(options, column_rule)
        constraints += [kind(*columns)] if columns else []
    constraints += [_range(schema[name], text) for name, text in assigned(options, "--range", names)]
    for rule, option in ((constraint.OneOf, "--one-of"), (constraint.NotOneOf, "--not-one-of")):
        constraints += [rule(name, _values(schema[name], text)) for name, text in assigned(options, option, names)]
    constraints += [constraint.MaxStep(name, number_of(text)) for name, text in assigned(options, "--max-step", names)]
    return constraints if options.max_changes is None else [*constraints, constraint.MaxChanges(options.max_changes)]


def _check_order(options: argparse.Namespace, schema: Schema) -> None:
    """An error in terms of the command line if something is to rise or fall that has no order."""
    known = {str(name): name for name in schema.names}
    for option in ("increasing", "decreasing"):
        for name in getattr(options, option):
            if name in known:
                check_has_order(f"--{option} {name}", schema[known[name]])


def check_has_order(asked: str, feature: Feature) -> None:
    """An error in terms of the command line if what was asked for needs an order that the column has not."""
    if not feature.has_order:
        values = ",".join(map(str, feature.values[:4])) + (",..." if feature.code_count > 4 else "")
        raise InvalidInputError(
            f"{asked}: the values of {feature.name!r} have no order. Give them one, from lowest to highest, when you "
            f'fit: counterflownet fit ... --order "{feature.name}={values}"'
        )


def split_list(text: str) -> list[str]:
    """The entries between commas; one that holds a comma itself stands in double quotes."""
    return [entry.strip() for entry in next(csv.reader([text], skipinitialspace=True), []) if entry.strip()]


def assignment(option: str, text: str, columns: Sequence[Any], kind: str = "column") -> tuple[Any, str]:
    """Column and what was said of it in ``COLUMN=...``; a name with ``=`` in it is recognised."""
    for place in (place for place, sign in enumerate(text) if sign == "="):
        if text[:place].strip() in columns:
            return text[:place].strip(), text[place + 1 :].strip()
    name, sign, _ = text.partition("=")
    if not sign:
        raise InvalidInputError(f"{option} needs {kind.upper()}=...; got {text!r}.")
    raise unknown_name(f"{kind} in {option}", name, columns)


def assigned(
    options: argparse.Namespace, option: str, columns: Sequence[Any], kind: str = "column"
) -> list[tuple[Any, str]]:
    """Column and what was said of it, each time the option was given."""
    texts = getattr(options, option.removeprefix("--").replace("-", "_"))
    return [assignment(option, text, columns, kind) for text in texts]


def _range(feature: Feature, text: str) -> constraint.Range:
    if ":" not in text:
        raise InvalidInputError(f"--range needs COLUMN=LOW:HIGH, LOW: or :HIGH; got {feature.name}={text!r}.")
    low, high = _ends(text)
    return constraint.Range(feature.name, _bound(feature, low), _bound(feature, high))


def _ends(text: str) -> tuple[str, str]:
    """What stands before and after the colon in the middle: a time of day has colons of its own."""
    if text.startswith(":"):
        return "", text[1:]
    if text.endswith(":"):
        return text[:-1], ""
    parts = text.split(":")
    half = len(parts) // 2
    return ":".join(parts[:half]), ":".join(parts[half:])


def _bound(feature: Feature, text: str) -> Any:
    text = text.strip()
    if not text:
        return None
    if feature.kind in TIMES:  # the library reads dates and durations, and says so if it cannot
        return text
    return number_of(text) if feature.numeric else value_of(text, feature.values)


def _values(feature: Feature, text: str) -> list[Any]:
    return [value_of(entry, feature.values) for entry in split_list(text)]
