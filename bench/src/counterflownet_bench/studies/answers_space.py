"""A table as numbers that can be compared: each cell is its number, or the place of its category among all of them.

The study judges answers by these alone. It does not ask the library's schema, whose values are not to judge themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.tabular import ColumnName

Coordinates = NDArray[np.float64]
Flags = NDArray[np.bool_]
GridOver = Literal["rows", "values"]
FINEST = 256  # values of a grid
THINNED = 24  # values of a grid of which pairs are tried
NEAREST = 3  # values on each side of a row's own that are tried in pairs besides


@dataclass(frozen=True, eq=False)
class ColumnSpace:
    """A column; ``known`` are its categories, in their order if they are ``ordered``, and None for numbers."""

    name: ColumnName
    ordered: bool
    known: pd.Series | None
    dtype: Any
    seen: Coordinates
    """The training rows' cells, sorted."""

    def coordinates(self, cells: pd.Series) -> Coordinates:
        if self.known is None:
            return cells.to_numpy(dtype=np.float64, na_value=np.nan)
        return pd.Index(self.known).get_indexer(pd.Index(cells)).astype(np.float64)

    def cells(self, coordinates: Coordinates) -> pd.Series:
        if self.known is None:
            return pd.Series(coordinates, name=self.name).astype(self.dtype)
        return self.known.take(coordinates.astype(np.int64)).reset_index(drop=True)

    def grid(self, most: int = FINEST, over: GridOver = "rows") -> Coordinates:
        """The distinct training values; beyond ``most``, as many equally spaced by the rank of rows, or of values."""
        if not self.ordered or len(self._distinct) <= most:
            return self._distinct
        ranked = self.seen if over == "rows" else self._distinct
        return np.unique(np.quantile(ranked, np.linspace(0.0, 1.0, most), method="nearest"))

    def thin_grid(self, own: float) -> Coordinates:
        """Few values, and those next to a row's own."""
        if not self.ordered:
            return self._distinct
        below, above = np.searchsorted(self._distinct, own), np.searchsorted(self._distinct, own, side="right")
        near = np.r_[self._distinct[max(0, below - NEAREST) : below], self._distinct[above : above + NEAREST]]
        return np.union1d(self.grid(THINNED), near)

    def rank(self, coordinates: Coordinates) -> Coordinates:
        """Which share of the training rows lies below."""
        return np.searchsorted(self.seen, coordinates) / len(self.seen)

    @cached_property
    def _distinct(self) -> Coordinates:
        return np.unique(self.seen)


@dataclass(frozen=True, eq=False)
class TableSpace:
    """The columns of a table."""

    columns: tuple[ColumnSpace, ...]

    @classmethod
    def of(
        cls, train: pd.DataFrame, *, categories: Mapping[ColumnName, Sequence[Any]], ordered: Sequence[ColumnName]
    ) -> "TableSpace":
        """All columns but the ``categories`` hold numbers; the values of ``ordered`` ones go from low to high."""
        return cls(tuple(_column(name, train[name], categories.get(name), ordered) for name in train.columns))

    @cached_property
    def names(self) -> list[ColumnName]:
        return [column.name for column in self.columns]

    @cached_property
    def ordered(self) -> Flags:
        return np.array([column.ordered for column in self.columns])

    def coordinates(self, rows: pd.DataFrame) -> Coordinates:
        return np.column_stack([column.coordinates(rows[column.name]) for column in self.columns])

    def frame(self, coordinates: Coordinates) -> pd.DataFrame:
        """The rows as their classifier knows them."""
        cells = {column.name: column.cells(coordinates[:, place]) for place, column in enumerate(self.columns)}
        return pd.DataFrame(cells)


def changed_cells(before: Coordinates, after: Coordinates) -> Flags:
    """Where cells differ; a missing one that stays missing does not."""
    return (before != after) & ~(np.isnan(before) & np.isnan(after))


def _column(
    name: ColumnName, cells: pd.Series, values: Sequence[Any] | None, ordered: Sequence[ColumnName]
) -> ColumnSpace:
    known = None if values is None else pd.Series(list(values), name=name, dtype=cells.dtype)
    column = ColumnSpace(name, known is None or name in ordered, known, cells.dtype, np.empty(0))
    return replace(column, seen=np.sort(column.coordinates(cells.dropna())))
