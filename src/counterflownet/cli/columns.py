"""What --target, --drop, --kind, --order and --bins make of a table: features, labels and a schema."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from counterflownet.cli.column_types import found_type, number_of, typed_as_found, value_of
from counterflownet.cli.constraint_options import assigned, assignment, split_list
from counterflownet.cli.notes import tell
from counterflownet.cli.tables import read_table
from counterflownet.errors import InvalidInputError, listed, unknown_name
from counterflownet.tabular.feature import Kind
from counterflownet.tabular.schema import Schema


def add_columns(command: argparse.ArgumentParser) -> None:
    """Add the options that say what the columns are."""
    add = command.add_argument_group("columns").add_argument
    add("--drop", action="extend", type=split_list, default=[], metavar="COLUMNS", help="ignore these")
    add("--kind", action="append", default=[], metavar="COLUMN=KIND", help=f"one of: {', '.join(Kind)}")
    add("--order", action="append", default=[], metavar="COLUMN=VALUES", help="values from lowest to highest")
    add("--bins", action="append", default=[], metavar="[COLUMN=]N", help="number of bins for numbers (default: 64)")


def columns_and_labels(options: argparse.Namespace) -> tuple[pd.DataFrame, pd.Series | None]:
    """The features, and the labels if a target was named; rows without a label are left out."""
    frame = read_table(options.data, options.missing)
    frame.index = pd.RangeIndex(1, len(frame) + 1)  # as a person counts rows
    names = list(frame.columns)
    for option, name in [("--target", options.target), *(("--drop", name) for name in options.drop)]:
        if name is not None and name not in names:
            raise unknown_name(f"column in {option}", name, names)
    kinds = dict(assigned(options, "--kind", names))
    kinds |= {name: Kind.ORDERED for name, _ in assigned(options, "--order", names)}
    features = frame.drop(columns=options.drop)
    if options.target is None:
        return typed_as_found(features, kinds), None
    known = frame[options.target].notna()
    if not known.all():
        tell(f"ignoring {(~known).sum():,} rows without a value for {options.target!r}.")
    features = features[known].drop(columns=options.target, errors="ignore")
    return typed_as_found(features, kinds), found_type(frame.loc[known, options.target])


def of_model(X: pd.DataFrame, model: Any) -> pd.DataFrame:
    """The columns that the model uses, in its order; all if it does not say."""
    named = getattr(model, "feature_names_in_", None)
    columns = list(X.columns if named is None else named)
    missing = [name for name in columns if name not in X.columns]
    if missing:
        raise InvalidInputError(
            f"the model needs columns that the table lacks: {listed(missing)}. It has: {listed(X.columns)}."
        )
    unused = [name for name in X.columns if name not in columns]
    if unused:
        tell(f"ignoring columns that the model does not use: {listed(unused)}.")
    return X[columns]


def schema_of(options: argparse.Namespace, X: pd.DataFrame) -> Schema:
    """What each column is: as the options say, or as its values look."""
    names = list(X.columns)
    orders = {
        name: [value_of(entry, tuple(X[name].dropna().unique().tolist())) for entry in split_list(text)]
        for name, text in assigned(options, "--order", names)
    }
    kinds = dict(assigned(options, "--kind", names))
    return Schema.infer(X, kinds=kinds, orders=orders, bins=_bins(options, names))


def _bins(options: argparse.Namespace, names: Sequence[Any]) -> Mapping[Any, int]:
    everywhere = [text for text in options.bins if "=" not in text]
    by_column = dict(assignment("--bins", text, names) for text in options.bins if "=" in text)
    return {name: _count(text) for name, text in (dict.fromkeys(names, *everywhere[-1:]) | by_column).items() if text}


def _count(text: str) -> int:
    number = number_of(text)
    if not isinstance(number, int):
        raise InvalidInputError(f"--bins needs a whole number, or COLUMN=NUMBER; got {text!r}.")
    return number
