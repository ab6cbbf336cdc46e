"""The columns of a table as the finders of relations see them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.tabular.feature import ColumnName, Feature, Kind
from counterflownet.tabular.schema import Schema

MISSING = -1
MOST_COLUMNS = 200  # pairs grow with the square: of a wider table, the columns behind these are not compared
FIRST_LOOK = 1_000  # rows that refuse most pairs before all rows are asked


@dataclass(frozen=True, eq=False)
class SeenColumn:
    """One column: for each row, which of its different values it has, in their order if they have one, or MISSING."""

    feature: Feature
    codes: Int[ndarray, " row"]
    counts: Int[ndarray, " value"]
    numbers: Float[ndarray, " row"]

    @classmethod
    def of(cls, feature: Feature, column: pd.Series) -> "SeenColumn":
        """The column, with its values counted anew: those of a schema may be bins."""
        numbers = feature.coordinates(column)
        known = ~np.isnan(numbers)
        values, found = np.unique(numbers[known], return_inverse=True)
        codes = np.full(len(numbers), MISSING, dtype=np.int64)
        codes[known] = found
        return cls(feature, codes, np.bincount(found, minlength=len(values)), numbers)

    @property
    def name(self) -> ColumnName:
        return self.feature.name

    @property
    def value_count(self) -> int:
        return len(self.counts)

    @cached_property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return int(self.counts.sum()) == len(self.codes)

    @cached_property
    def is_flag(self) -> bool:
        """Whether it says yes or no: a boolean, or a number that is 0 or 1."""
        if self.feature.kind is Kind.BOOLEAN:
            return True
        return (
            self.feature.numeric and self.value_count == 2 and set(np.unique(self.numbers[self.codes >= 0])) == {0, 1}
        )


@dataclass(frozen=True, eq=False)
class SeenTable:
    """The first columns of a table, and the positions of rows for a first look."""

    columns: tuple[SeenColumn, ...]
    row_count: int

    @classmethod
    def of(cls, schema: Schema, rows: pd.DataFrame) -> "SeenTable":
        features = schema.features[:MOST_COLUMNS]
        return cls(tuple(SeenColumn.of(feature, rows[feature.name]) for feature in features), len(rows))

    @cached_property
    def first_look(self) -> Int[ndarray, " some"]:
        """The rows by which most pairs of columns are refused."""
        return self.some_rows(FIRST_LOOK)

    def some_rows(self, most: int) -> Int[ndarray, " some"]:
        """Positions of rows from all over the table, which may be sorted."""
        return np.unique(np.linspace(0, self.row_count - 1, min(self.row_count, most)).astype(np.int64))
