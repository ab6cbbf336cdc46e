"""The spaces that Protocol B measures in: training ranges, deviations, categories, and outlier factors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.errors import unknown_name
from counterflownet.tabular import ColumnName
from counterflownet_bench.metrics.mixed import ConventionName, Scale
from counterflownet_bench.metrics.outlier import NEIGHBOURS, OutlierFactor
from counterflownet_bench.vectors import CategoryBlock, NumberBlock, VectorSpace


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
        return self._raw.numbers(rows)

    def codes(self, rows: pd.DataFrame) -> Int[ndarray, "row categorical"]:
        """The position of each category among its column's values."""
        return self._raw.codes(rows)

    def vectors(self, rows: pd.DataFrame, convention: ConventionName) -> Float[ndarray, "row dimension"]:
        """Scaled numbers and one-hot categories."""
        shifts = self.scale.low if convention == "range" else self.scale.mean
        scales = zip(self.numeric, shifts.tolist(), self.scale.unit(convention).tolist(), strict=True)
        numbers = [NumberBlock(name=name, shift=shift, scale=scale) for name, shift, scale in scales]
        return VectorSpace((*numbers, *self._categories)).encode(rows)

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

    @cached_property
    def _raw(self) -> VectorSpace:
        return VectorSpace((*(NumberBlock(name=name) for name in self.numeric), *self._categories))

    @cached_property
    def _categories(self) -> tuple[CategoryBlock, ...]:
        return tuple(CategoryBlock(name=name, values=tuple(values)) for name, values in self.categorical.items())
