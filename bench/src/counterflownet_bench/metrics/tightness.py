"""How far answers go, and in how many ways: changes that need not have gone so far, and the strategies of a row.

Asked of the classifier anew and of the training rows alone, so that no method's own grid judges itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.tabular import ColumnName
from counterflownet_bench.metrics.answers import Answers
from counterflownet_bench.metrics.places import mean_of_known
from counterflownet_bench.metrics.records import JUDGED_AT_ONCE, ValidityCheck

FINEST = 256  # values of a column's grid
FIRST = 8  # of the values between, how many are tried before all: most changes that go too far are found out by these


@dataclass(frozen=True, slots=True, eq=False)
class OrderedColumn:
    """A column whose values go from low to high; ``grid`` are those that an answer might have stopped at."""

    name: ColumnName
    grid: pd.Series
    places: Float[ndarray, " value"]
    order: pd.Index | None
    """The categories from low to high; None for numbers, which are their own places."""

    @classmethod
    def of_numbers(cls, column: pd.Series) -> "OrderedColumn":
        """All training values; beyond 256, as many equally spaced by the rank of rows."""
        values = np.sort(column.dropna().to_numpy())
        if len(np.unique(values)) > FINEST:
            values = np.quantile(values, np.linspace(0.0, 1.0, FINEST), method="nearest")
        grid = np.unique(values)
        return cls(str(column.name), pd.Series(grid, dtype=column.dtype), grid.astype(np.float64), None)

    @classmethod
    def of_categories(cls, column: pd.Series, values: Sequence[object]) -> "OrderedColumn":
        """The categories of the training rows, in their order."""
        seen = set(column.unique().tolist())
        order = pd.Index([value for value in values if value in seen])
        return cls(str(column.name), order.to_series().reset_index(drop=True), np.arange(len(order)) * 1.0, order)

    def position(self, cells: pd.Series) -> Float[ndarray, " cell"]:
        """Where cells stand in the order; a category that training rows do not have stands nowhere (NaN)."""
        if self.order is None:
            return cells.to_numpy(dtype=np.float64, na_value=np.nan)
        found = self.order.get_indexer(pd.Index(cells)).astype(np.float64)
        return np.where(found < 0, np.nan, found)


def tightness(answers: Answers, columns: Sequence[OrderedColumn], judge: ValidityCheck) -> float:
    """Of the changes of ordered columns in valid answers, the share that no value of the grid between could replace."""
    shares = [~_loose(answers, column, judge) for column in columns]
    return mean_of_known(np.concatenate([np.zeros(0), *shares]).astype(np.float64))


def strategies(answers: Answers, columns: Sequence[OrderedColumn]) -> float:
    """Mean number of strategies of an instance: sets of changed columns with directions among its valid answers.

    An instance without a valid answer has none.
    """
    moves = answers.changed.astype(np.int8)
    names = [str(name) for name in answers.factuals.columns]
    for column in columns:
        before, after = _positions(answers, column)
        place = names.index(str(column.name))
        moves[:, place] = np.where(after < before, -moves[:, place], moves[:, place])
    told = np.column_stack([answers.row, moves])[answers.valid]
    return len(np.unique(told, axis=0)) / len(answers.factuals)


def _positions(answers: Answers, column: OrderedColumn) -> tuple[Float[ndarray, " answer"], Float[ndarray, " answer"]]:
    before = column.position(answers.factuals[column.name])[answers.row]
    return before, column.position(answers.counterfactuals[column.name])


def _loose(answers: Answers, column: OrderedColumn, judge: ValidityCheck) -> Bool[ndarray, " change"]:
    """For each change of this column in a valid answer, whether a value between would have been enough."""
    before, after = _positions(answers, column)
    place = answers.factuals.columns.get_loc(column.name)
    (number,) = (answers.valid & answers.changed[:, place] & ~np.isnan(before) & ~np.isnan(after)).nonzero()
    low, high = np.minimum(before, after)[number], np.maximum(before, after)[number]
    first = np.searchsorted(column.places, low, side="right")
    between = np.maximum(np.searchsorted(column.places, high, side="left") - first, 0)
    loose = np.zeros(len(number), dtype=np.bool_)
    for most in (FIRST, FINEST):
        left = np.flatnonzero(~loose & (between > 0))
        tried = np.minimum(between[left], most)
        owner = left.repeat(tried)
        step = np.arange(len(owner)) - (np.cumsum(tried) - tried).repeat(tried)
        value = first[owner] + step * between[owner] // np.minimum(between[owner], most)
        enough = _still_valid(answers, column, number[owner], value, judge)
        loose[owner[enough]] = True
    return loose


def _still_valid(
    answers: Answers,
    column: OrderedColumn,
    number: Int[ndarray, " some"],
    value: Int[ndarray, " some"],
    judge: ValidityCheck,
) -> Bool[ndarray, " some"]:
    """Whether numbered answers would be valid with these values of the grid in the column."""
    found = np.zeros(len(number), dtype=np.bool_)
    for start in range(0, len(number), JUDGED_AT_ONCE):
        some = slice(start, start + JUDGED_AT_ONCE)
        rows = answers.counterfactuals.take(number[some]).reset_index(drop=True)
        rows[column.name] = column.grid.take(value[some]).to_numpy()
        found[some] = judge(rows, answers.row[number[some]])
    return found
