"""Rows to vectors and back: one block of coordinates per column."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError, listed
from counterflownet.tabular import ColumnName


@dataclass(frozen=True, eq=False, kw_only=True)
class NumberBlock:
    """A number as one coordinate, ``(value - shift) / scale``, decoded to between ``low`` and ``high``."""

    name: ColumnName
    shift: float = 0.0
    scale: float = 1.0
    low: float = -np.inf
    high: float = np.inf
    dtype: Any = np.float64

    width: ClassVar[int] = 1

    def numbers(self, column: pd.Series) -> Float[ndarray, " row"]:
        """The raw numbers, all of them finite."""
        found = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if not np.isfinite(found).all():
            raise InvalidInputError(f"column {self.name!r} has missing or infinite numbers; fill or drop those rows.")
        return found

    def write(self, column: pd.Series, vectors: Float[ndarray, "row 1"]) -> None:
        vectors[:, 0] = (self.numbers(column) - self.shift) / self.scale

    def decoded(self, vectors: Float[ndarray, "row 1"]) -> pd.Series:
        values = (vectors[:, 0].astype(np.float64) * self.scale + self.shift).clip(self.low, self.high)
        whole = np.issubdtype(self.dtype, np.integer)
        return pd.Series(values.round() if whole else values, name=self.name).astype(self.dtype)


@dataclass(frozen=True, eq=False, kw_only=True)
class CategoryBlock:
    """A category as one coordinate per value, decoded to the largest of those that are ``decodable``."""

    name: ColumnName
    values: tuple[Any, ...]
    decodable: Bool[ndarray, " value"] | None = None
    dtype: Any = None

    @property
    def width(self) -> int:
        return len(self.values)

    def codes(self, column: pd.Series) -> Int[ndarray, " row"]:
        """The position of each category among the values."""
        found = self._index.get_indexer(pd.Index(column))
        if len(found) and found.min() < 0:
            given = column.iloc[int(found.argmin())]
            raise InvalidInputError(f"column {self.name!r} holds {given!r}, which is not one of {listed(self.values)}.")
        return found.astype(np.int64, copy=False)

    def write(self, column: pd.Series, vectors: Float[ndarray, "row value"]) -> None:
        """Into zeros."""
        vectors[np.arange(len(vectors)), self.codes(column)] = 1.0

    def decoded(self, vectors: Float[ndarray, "row value"]) -> pd.Series:
        code = np.where(True if self.decodable is None else self.decodable, vectors, -np.inf).argmax(axis=1)
        return pd.Series(list(self.values), name=self.name, dtype=self.dtype).take(code).reset_index(drop=True)

    @cached_property
    def _index(self) -> pd.Index:
        return pd.Index(list(self.values))


Block = NumberBlock | CategoryBlock


@dataclass(frozen=True, eq=False)
class VectorSpace:
    """Columns of a table side by side, in the order of the blocks."""

    blocks: tuple[Block, ...]

    @cached_property
    def spans(self) -> dict[ColumnName, slice]:
        """Which coordinates belong to each column."""
        ends = np.cumsum([block.width for block in self.blocks]).tolist()
        return {block.name: slice(end - block.width, end) for block, end in zip(self.blocks, ends, strict=True)}

    @cached_property
    def width(self) -> int:
        return sum(block.width for block in self.blocks)

    def encode(self, rows: pd.DataFrame) -> Float[ndarray, "row dimension"]:
        """The rows as vectors; a value that is missing or unknown is an error."""
        vectors = np.zeros((len(rows), self.width))
        for block in self.blocks:
            block.write(_column(rows, block.name), vectors[:, self.spans[block.name]])
        return vectors

    def decode(self, vectors: Float[ndarray, "row dimension"]) -> pd.DataFrame:
        """The nearest rows that can exist: numbers within their range, one value for each category."""
        return pd.concat([block.decoded(vectors[:, self.spans[block.name]]) for block in self.blocks], axis=1)

    def numbers(self, rows: pd.DataFrame) -> Float[ndarray, "row numeric"]:
        """The raw numbers of all numeric columns."""
        blocks = [block for block in self.blocks if isinstance(block, NumberBlock)]
        columns = [block.numbers(_column(rows, block.name)) for block in blocks]
        return np.stack(columns, axis=1) if columns else np.empty((len(rows), 0))

    def codes(self, rows: pd.DataFrame) -> Int[ndarray, "row categorical"]:
        """The position of each category among its column's values, for all categorical columns."""
        blocks = [block for block in self.blocks if isinstance(block, CategoryBlock)]
        columns = [block.codes(_column(rows, block.name)) for block in blocks]
        return np.stack(columns, axis=1) if columns else np.empty((len(rows), 0), dtype=np.int64)

    def of_columns(self, names: Iterable[ColumnName]) -> Bool[ndarray, " dimension"]:
        """Which coordinates belong to any of these columns."""
        chosen = np.zeros(self.width, dtype=np.bool_)
        for name in names:
            chosen[self.spans[name]] = True
        return chosen


def _column(rows: pd.DataFrame, name: ColumnName) -> pd.Series:
    if name not in rows.columns:
        raise InvalidInputError(f"the table lacks the column {name!r}; it has {listed(rows.columns)}.")
    return rows[name]
