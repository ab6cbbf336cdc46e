"""Raw columns as the numbers that reference classifiers take: standardised numbers and one-hot categories."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.errors import ClassifierError, InvalidInputError, listed
from counterflownet.tabular import ColumnName, code_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRoles:
    """Which columns are numbers, and which are categories with which values, as they stand in the table.

    A number that has ``edges`` is seen by the classifier only as one of the bins between them.
    """

    continuous: tuple[ColumnName, ...]
    categorical: Mapping[ColumnName, tuple[Any, ...]]
    edges: Mapping[ColumnName, tuple[float, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        doubled = set(self.continuous) & set(self.categorical)
        if doubled or not self.names:
            raise InvalidInputError(f"each column needs one role; columns with both: {listed(doubled) or 'none'}.")
        stray = [name for name in self.edges if name not in self.continuous]
        if stray:
            raise InvalidInputError(f"only continuous columns can have edges; got {listed(stray)}.")
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
    """Rows as vectors, quickly: this is asked millions of times."""

    def __init__(
        self, roles: ColumnRoles, mean: Float[ndarray, " continuous"], deviation: Float[ndarray, " continuous"]
    ) -> None:
        self.roles, self.mean, self.deviation = roles, mean, deviation
        self._scaled = [(name, i) for i, name in enumerate(roles.continuous) if name not in roles.edges]
        self._edges = {name: np.asarray(edges, dtype=np.float64) for name, edges in roles.edges.items()}
        self._values = {name: pd.Index(list(values)) for name, values in roles.categorical.items()}
        sizes = [*(len(edges) - 1 for edges in self._edges.values()), *map(len, self._values.values())]
        self._starts = len(self._scaled) + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @classmethod
    def fit(cls, roles: ColumnRoles, rows: pd.DataFrame) -> "RowEncoder":
        """The encoder that standardises by the mean and the deviation of these rows."""
        columns = [_numbers(rows, name) for name in roles.continuous]
        mean = np.array([column.mean() for column in columns], dtype=np.float64)
        deviation = np.array([column.std() or 1.0 for column in columns], dtype=np.float64)
        return cls(roles, mean, deviation)

    @property
    def width(self) -> int:
        return int(self._starts[-1])

    def __call__(self, rows: pd.DataFrame) -> Float[ndarray, "row dimension"]:
        found = np.zeros((len(rows), self.width))
        for place, (name, number) in enumerate(self._scaled):
            found[:, place] = (_numbers(rows, name) - self.mean[number]) / self.deviation[number]
        for start, codes in zip(self._starts[:-1], self._codes(rows), strict=True):
            found[np.arange(len(rows)), start + codes] = 1.0
        return found

    def _codes(self, rows: pd.DataFrame) -> Iterable[Int[ndarray, " row"]]:
        for name, edges in self._edges.items():
            yield code_of(_numbers(rows, name), edges)
        for name, values in self._values.items():
            yield _places(_column(rows, name), values)


def _column(rows: pd.DataFrame, name: ColumnName) -> pd.Series:
    if name not in rows.columns:
        raise ClassifierError(f"the reference classifier needs the column {name!r}; got {listed(rows.columns)}.")
    return rows[name]


def _numbers(rows: pd.DataFrame, name: ColumnName) -> Float[ndarray, " row"]:
    found = _column(rows, name).to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(found).all():
        raise ClassifierError(f"column {name!r} has missing or infinite numbers, which a reference classifier refuses.")
    return found


def _places(column: pd.Series, values: pd.Index) -> Int[ndarray, " row"]:
    found = values.get_indexer(pd.Index(column))
    if len(found) and found.min() < 0:
        given = column.iloc[int(found.argmin())]
        raise ClassifierError(f"column {column.name!r} holds {given!r}, which is none of {listed(values)}.")
    return found
