"""Raw columns as the numbers that reference classifiers take: standardised numbers and one-hot categories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from counterflownet.errors import ClassifierError, InvalidInputError, listed
from counterflownet.tabular import ColumnName
from counterflownet_bench.vectors import CategoryBlock, NumberBlock, VectorSpace


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRoles:
    """Which columns are numbers, and which are categories with which values, as they stand in the table."""

    continuous: tuple[ColumnName, ...]
    categorical: Mapping[ColumnName, tuple[Any, ...]]

    def __post_init__(self) -> None:
        doubled = set(self.continuous) & set(self.categorical)
        if doubled or not self.names:
            raise InvalidInputError(f"each column needs one role; columns with both: {listed(doubled) or 'none'}.")
        for name, values in self.categorical.items():
            odd = [value for value in values if not isinstance(value, (str, int, float, bool))]
            if odd or not values:
                raise InvalidInputError(f"column {name!r} needs plain text or numbers as values; got {listed(odd)}.")

    @property
    def names(self) -> tuple[ColumnName, ...]:
        return (*self.continuous, *self.categorical)

    @classmethod
    def infer(cls, rows: pd.DataFrame, continuous: Sequence[ColumnName]) -> "ColumnRoles":
        """Every other column of the table is a category with the values that occur in it."""
        others = [name for name in rows.columns if name not in continuous]
        return cls(
            continuous=tuple(continuous),
            categorical={name: tuple(sorted(rows[name].unique().tolist())) for name in others},
        )

    def selected(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns that have a role, or an error that names those that are not there."""
        absent = [name for name in self.names if name not in rows.columns]
        if absent:
            raise InvalidInputError(f"the table lacks the columns {listed(absent)}; it has {listed(rows.columns)}.")
        return rows[list(self.names)]


class RowEncoder:
    """Rows as vectors: standardised numbers, then one-hot categories. What is missing or unknown is refused."""

    def __init__(
        self, roles: ColumnRoles, mean: Float[ndarray, " continuous"], deviation: Float[ndarray, " continuous"]
    ) -> None:
        self.roles, self.mean, self.deviation = roles, mean, deviation
        scales = zip(roles.continuous, mean.tolist(), deviation.tolist(), strict=True)
        numbers = [NumberBlock(name=name, shift=shift, scale=scale) for name, shift, scale in scales]
        categories = [CategoryBlock(name=name, values=values) for name, values in roles.categorical.items()]
        self.space = VectorSpace((*numbers, *categories))

    @classmethod
    def fit(cls, roles: ColumnRoles, rows: pd.DataFrame) -> "RowEncoder":
        """The encoder that standardises by the mean and the deviation of these rows."""
        raw = VectorSpace(tuple(NumberBlock(name=name) for name in roles.continuous))
        columns = list(raw.numbers(rows).T)
        mean = np.array([column.mean() for column in columns], dtype=np.float64)
        deviation = np.array([column.std() or 1.0 for column in columns], dtype=np.float64)
        return cls(roles, mean, deviation)

    @property
    def width(self) -> int:
        return self.space.width

    def __call__(self, rows: pd.DataFrame) -> Float[ndarray, "row dimension"]:
        try:
            return self.space.encode(rows)
        except InvalidInputError as error:
            raise ClassifierError(f"a reference classifier takes no such rows: {error}") from error
