"""The borders that constraints set: values an answer may stop at although no training row has them."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.constraint import ColumnConstraint, MaxChanges
from counterflownet.tabular.feature import Feature
from counterflownet.tabular.follows import followed_numbers
from counterflownet.tabular.least_steps import held_above
from counterflownet.tabular.schema import Schema

Borders = Mapping[int, Float[ndarray, "row border"]]
Numbers = Float[ndarray, " row"]
Placed = tuple[Int[ndarray, "_"], Float[ndarray, "_ _"]]  # some rows, and the borders of each


def borders_of(constraints: CheckedConstraints, schema: Schema, rows: pd.DataFrame) -> Borders:
    """By position of a column, the borders of each row as numbers that the column can hold; NaN where there is none.

    Ordered categories have none: their borders are categories.
    """
    found: dict[int, list[Placed]] = {}
    for (rule, columns), at in constraints.by_rows(rows.index):
        if isinstance(rule, MaxChanges):
            continue
        for name in columns:
            feature = schema[name]
            for pair in _pairs(rule, feature, rows[name].iloc[at]) if feature.numeric else ():
                found.setdefault(schema.position(name), []).append((at, pair))
    book = constraints.book(schema, rows.index)
    for name, numbers_of in followed_numbers(book, rows).items() if book is not None else ():
        if schema[name].numeric:  # a value that follows needs a place, too
            numbers = np.stack(list(numbers_of.values()), axis=1)
            found.setdefault(schema.position(name), []).append((np.arange(len(rows)), numbers))
    return {d: _each_once(_side_by_side(parts, len(rows))) for d, parts in found.items()}


def _side_by_side(parts: list[Placed], row_count: int) -> Float[ndarray, "row border"]:
    """Each row's own borders from the left on: a constraint of one row must not widen the table of all."""
    filled = np.zeros(row_count, dtype=np.int64)
    for at, numbers in parts:
        filled[at] += numbers.shape[1]
    borders = np.full((row_count, int(filled.max(initial=0))), np.nan)
    filled[:] = 0
    for at, numbers in parts:
        borders[at[:, None], filled[at][:, None] + np.arange(numbers.shape[1])] = numbers
        filled[at] += numbers.shape[1]
    return borders


def _each_once(borders: Float[ndarray, "row border"]) -> Float[ndarray, "row border"]:
    """The borders, NaN where a row has the same one before: one value shall have one place."""
    for place in range(1, borders.shape[1]):
        again = (borders[:, :place] == borders[:, [place]]).any(axis=1)
        borders[again, place] = np.nan
    return borders


def _pairs(rule: ColumnConstraint, feature: Feature, column: pd.Series) -> list[Float[ndarray, "row 2"]]:
    """The lower and the upper border that a constraint sets for each cell, rounded to the inside."""
    own = feature.numbers(column)
    pairs = [
        (_within_reach(low, own, feature), _within_reach(high, own, feature))
        for low, high in rule.borders(feature, own)
    ]
    return [
        np.column_stack([held_above(low, feature, column), -held_above(-high, feature, column)]) for low, high in pairs
    ]


def _within_reach(numbers: Numbers, own: Numbers, feature: Feature) -> Numbers:
    """The numbers, NaN where one lies beyond the row's own and all of training: nobody knows what there is."""
    known = feature.steps.number
    within = (numbers >= np.fmin(own, known[0])) & (numbers <= np.fmax(own, known[-1]))
    return np.where(within, numbers, np.nan)
