"""The spaces that Protocol B measures in: training ranges, deviations, categories, and outlier factors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet.tabular import ColumnName
from counterflownet_bench.metrics.mixed import ConventionName, Scale
from counterflownet_bench.metrics.outlier import NEIGHBOURS, OutlierFactor


@dataclass(frozen=True, eq=False, kw_only=True)
class MixedSpace:
    """Which columns are numbers, which categories (with all their values), and the training rows they are measured by.

    Fit it once for a data set: the training rows' neighbours are searched when an outlier factor is first asked for.
    """

    train: pd.DataFrame
    numeric: Sequence[ColumnName]
    categorical: Mapping[ColumnName, Sequence[Any]]
    neighbours: int = NEIGHBOURS

    def __post_init__(self) -> None:
        for name in (*self.numeric, *self.categorical):
            if name not in self.train.columns:
                raise unknown_name("column", name, self.train.columns)

    @cached_property
    def scale(self) -> Scale:
        return Scale.fit(self.numbers(self.train))

    def numbers(self, rows: pd.DataFrame) -> Float[ndarray, "row numeric"]:
        """The raw numbers."""
        columns = [rows[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in self.numeric]
        found = np.stack(columns, axis=1) if columns else np.empty((len(rows), 0))
        if not np.isfinite(found).all():
            name = self.numeric[int(np.argwhere(~np.isfinite(found))[0, 1])]
            raise InvalidInputError(f"column {name!r} is missing or infinite somewhere; Protocol B needs every number.")
        return found

    def codes(self, rows: pd.DataFrame) -> Int[ndarray, "row categorical"]:
        """The place of each category among its column's values."""
        columns = [_places(rows[name], values) for name, values in self.categorical.items()]
        return np.stack(columns, axis=1) if columns else np.empty((len(rows), 0), dtype=np.int64)

    def vectors(self, rows: pd.DataFrame, convention: ConventionName) -> Float[ndarray, "row dimension"]:
        """Scaled numbers and one-hot categories."""
        one_hot = [
            np.eye(len(values))[codes]
            for values, codes in zip(self.categorical.values(), self.codes(rows).T, strict=True)
        ]
        return np.concatenate([self.scale.scaled(self.numbers(rows), convention), *one_hot], axis=1)

    def outlier_factors(self, rows: pd.DataFrame, convention: ConventionName) -> Float[ndarray, " row"]:
        """The local outlier factor of each row among the training rows, in the convention's space."""
        factor = self._range_factor if convention == "range" else self._zscore_factor
        return factor(self.vectors(rows, convention))

    @cached_property
    def _range_factor(self) -> OutlierFactor:
        return OutlierFactor(self.vectors(self.train, "range"), self.neighbours)

    @cached_property
    def _zscore_factor(self) -> OutlierFactor:
        return OutlierFactor(self.vectors(self.train, "zscore"), self.neighbours)


def _places(column: pd.Series, values: Sequence[Any]) -> Int[ndarray, " row"]:
    found = pd.Index(list(values)).get_indexer(pd.Index(column))
    if (found < 0).any():
        given = column.iloc[int((found < 0).argmax())]
        raise InvalidInputError(f"column {column.name!r} holds {given!r}, which is none of its values: {list(values)}.")
    return found.astype(np.int64)
