"""Rows to codes, and edited codes back to rows: unedited cells come back bit for bit."""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.tabular.categories import with_categories
from counterflownet.tabular.feature import Feature
from counterflownet.tabular.schema import Schema


class Codec:
    """Some rows, their codes, and the way back.

    Each column becomes a pool: the values of all codes, then the rows' own values. A decoded cell is one element of its
    pool, so an unedited cell is exactly the value that was given, whatever its type.
    """

    def __init__(self, schema: Schema, rows: pd.DataFrame) -> None:
        self.schema = schema
        self.rows = rows
        self.columns = [rows[feature.name] for feature in schema]  # for one row, extracting columns costs the most
        columns = list(zip(schema, self.columns, strict=True))
        self.codes: Int[ndarray, "row feature"] = np.stack(
            [feature.encode(column) for feature, column in columns], axis=1
        )
        self._pools = [_pool(feature, column) for feature, column in columns]

    @cached_property
    def offsets(self) -> Float[ndarray, "row feature"]:
        """Where each value lies within its code, from -1 to 1; 0 if it is not a number."""
        columns = zip(self.schema, self.columns, self.codes.T, strict=True)
        return np.stack([feature.offsets(column, codes) for feature, column, codes in columns], axis=1)

    def __len__(self) -> int:
        return len(self.rows)

    def decode(self, states: States) -> pd.DataFrame:
        """The rows with their edited cells replaced."""
        row, codes, edited = states.numpy()
        columns = {}
        for d, feature in enumerate(self.schema):
            picked = np.where(edited[:, d], codes[:, d], feature.code_count + row)
            values = self._pools[d].take(picked)  # objects as such, since pandas would guess a type for them
            columns[feature.name] = pd.Series(values, dtype=object) if values.dtype == object else values
        return pd.DataFrame(columns, copy=False)


def _pool(feature: Feature, column: pd.Series) -> Any:
    """The values of all codes followed by the column, in the column's own type if it can hold them all."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = with_categories(column, feature)
    values = feature.values_for(column)
    if values.dtype == column.dtype and not isinstance(column.dtype, pd.CategoricalDtype):
        if isinstance(column.dtype, np.dtype):
            return np.concatenate([values.to_numpy(), column.to_numpy()])
        return column.array._concat_same_type([values.array, column.array])  # noqa: SLF001 - part of their interface
    pool = pd.concat([values, column], ignore_index=True)
    if pool.dtype != column.dtype and _altered(pool.iloc[len(values) :], column):
        pool = pd.concat([values.astype(object), column.astype(object)], ignore_index=True)
    return pool.to_numpy() if isinstance(pool.dtype, np.dtype) else pool.array


def _altered(held: pd.Series, column: pd.Series) -> bool:
    """Whether a wider type, such as a float for large integers, would change the values."""
    present = column.notna().to_numpy()
    pairs = zip(held[present].astype(object), column[present].astype(object), strict=True)
    return any(kept != given for kept, given in pairs)
