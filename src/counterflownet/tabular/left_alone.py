"""Columns that no answer should change, told by their values: those that name rows, and those that say nothing."""

from dataclasses import replace
from typing import Any

import pandas as pd

from counterflownet.tabular.feature import EXACT, ColumnName, Feature, Kind
from counterflownet.tabular.frame import plain

EMPTY = "it has no values"
CONSTANT = "it has the same value in every row"
NAMES = "it has another value in nearly every row, as names and numbers of rows have"

FEWEST_ROWS = 20  # fewer say nothing of a column
FEWEST_NUMBERS = 50  # whole numbers that differ by chance are common in small tables
NEARLY_ALL = 0.9
DENSE = 4  # numbers of rows leave fewer gaps than this many to one
NAMING_WORDS = frozenset({"id", "ids", "uuid", "guid", "key", "index", "kennung"})
SAVED = (bool, int, float, str)


def reason_to_leave(column: pd.Series, kind: Kind, words: frozenset[str]) -> str:
    """Why a column is left alone; nothing if it is not. ``words`` are those of its name."""
    if len(column) < FEWEST_ROWS:
        return ""
    different = column.nunique(dropna=False)
    if different == 1:
        return CONSTANT
    if kind is Kind.CATEGORICAL and different >= NEARLY_ALL * len(column):
        return NAMES
    counts = kind is Kind.INTEGER and different == len(column) and pd.api.types.is_integer_dtype(column.dtype)
    return NAMES if counts and _number_rows(column, words) else ""


def nameless(name: ColumnName, present: pd.Series, reason: str) -> Feature:
    """The feature of a column whose values do not matter: a single code stands for all of them."""
    value = plain(present.iloc[0]) if len(present) else None
    value = value if isinstance(value, SAVED) else None  # a table of made-up rows lacks what no file can hold
    return Feature(name, Kind.CATEGORICAL, (value,), alone=reason)


def constant(feature: Feature, column: pd.Series) -> Feature:
    """The feature of a constant column: there is nothing to change it to."""
    seen: Any = feature.values if feature.numeric else (plain(column.iloc[0]),)
    return replace(feature, values=seen, alone=CONSTANT)


def _number_rows(column: pd.Series, words: frozenset[str]) -> bool:
    """Whether different whole numbers follow each other closely, or are called what names are called."""
    low, high = int(column.min()), int(column.max())
    close = high - low < DENSE * len(column) and len(column) >= FEWEST_NUMBERS
    return close or bool(words & NAMING_WORDS) or high >= EXACT  # larger ones cannot be compared anyway
