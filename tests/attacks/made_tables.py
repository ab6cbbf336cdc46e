"""Random tables of all kinds of columns, rows to explain that resemble them, and a classifier of their raw columns."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd

from counterflownet import Bins, Schema

from .column_kinds import KINDS, ColumnKind, Draw

NAMES: list[Any] = [
    "age",
    0,
    17,
    -3,
    "größe",
    "日付",
    "\x1b[1mbold",
    "two words",
    "rank",
    "valid",
    "reward",
    "",
    "x\ny",
]
LABELS = (("no", "yes"), (0, 1), (False, True), ("a", "b", "c"), (3, 1, 2))


@dataclass(frozen=True, eq=False)
class MadeTable:
    """A training table, and what kind each of its columns is."""

    frame: pd.DataFrame
    kinds: dict[Any, str]

    def kind(self, name: Any) -> ColumnKind:
        return KINDS[self.kinds[name]]

    def schema(self, draw: Draw) -> Schema:
        """The schema, with bins of all sorts for columns that leave the choice."""
        given = {name: self.kind(name) for name in self.kinds}
        usual = [None, 5, Bins(count=16, strategy="quantile"), Bins(count=30, distinct=False)]
        bins = {name: kind.bins or usual[draw.integers(len(usual))] for name, kind in given.items()}
        return Schema.infer(
            self.frame,
            bins={name: choice for name, choice in bins.items() if choice is not None},
            kinds={name: kind.kind for name, kind in given.items() if kind.kind},
            orders={name: kind.order for name, kind in given.items() if kind.order},
        )

    def rows(self, draw: Draw, count: int) -> pd.DataFrame:
        """Rows to explain: of the table, here and there with a missing value or one that training never saw."""
        rows = self.frame.take(draw.integers(0, len(self.frame), count)).reset_index(drop=True)
        columns = {name: _made_strange(rows[name], self.kind(name), draw) for name in rows.columns}
        columns = {name: _retyped(column) if draw.random() < 0.1 else column for name, column in columns.items()}
        return pd.DataFrame(columns)[list(draw.permutation(np.array(list(columns), dtype=object)))]


def made_table(draw: Draw, *, most_columns: int = 8, rows: int = 160) -> MadeTable:
    """A table of some kinds of columns under names of all sorts."""
    count = int(draw.integers(2, most_columns + 1))
    kinds = [str(kind) for kind in draw.choice(list(KINDS), count, replace=False)]
    names = [NAMES[place] for place in draw.permutation(len(NAMES))[:count]]
    columns = {name: KINDS[kind].make(draw, rows) for name, kind in zip(names, kinds, strict=True)}
    return MadeTable(pd.DataFrame(columns), dict(zip(names, kinds, strict=True)))


def _made_strange(column: pd.Series, kind: ColumnKind, draw: Draw) -> pd.Series:
    odd = [*kind.strange, *([None] if kind.missing else [])]
    if not odd:
        return column
    cells = column.astype(object).tolist()
    for place in np.flatnonzero(draw.random(len(cells)) < 0.08):
        cells[place] = odd[draw.integers(len(odd))]
    return pd.Series(cells, dtype=object).astype(column.dtype)


def _retyped(column: pd.Series) -> pd.Series:
    """The same values in another type that can hold them, as rows from another source have it."""
    dtype, types = column.dtype, pd.api.types
    if types.is_datetime64_any_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype):
        return column.astype(object)
    if types.is_integer_dtype(dtype):
        return column.astype("Int64") if column.isna().any() or dtype.name != "Int64" else column.astype("float64")
    if types.is_bool_dtype(dtype) and column.notna().all():
        return column.astype(object)
    return column.astype("category") if types.is_string_dtype(dtype) and not types.is_object_dtype(dtype) else column


class MadeModel:
    """A deterministic softmax of random weights, each cell scored by itself."""

    def __init__(self, frame: pd.DataFrame, draw: Draw) -> None:
        self.classes = LABELS[draw.integers(len(LABELS))]
        self._weights = draw.normal(0, 2, (frame.shape[1], len(self.classes)))
        self._scales = {name: _scale(frame[name]) for name in frame.columns}
        self._middle = self._scores(frame).mean(axis=0)

    def __call__(self, rows: pd.DataFrame) -> np.ndarray:
        scores = self._scores(rows) - self._middle
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def _scores(self, rows: pd.DataFrame) -> np.ndarray:
        scores = np.zeros((len(rows), len(self.classes)))
        for (name, scale), weights in zip(self._scales.items(), self._weights, strict=True):
            scores += (
                _scored(rows[name], scale)[:, None] * weights
            )  # no product of matrices, which depends on the batch
        return scores


def _scale(column: pd.Series) -> tuple[float, float] | None:
    if not pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return None
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return float(np.nanmedian(numbers)), float(np.nanmax(numbers) - np.nanmin(numbers)) or 1.0


def _scored(column: pd.Series, scale: tuple[float, float] | None) -> np.ndarray:
    if scale is not None:
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.where(np.isnan(numbers), 0.3, np.clip((numbers - scale[0]) / scale[1], -1, 1))
    codes, values = pd.factorize(column.astype(object))
    scores = np.array([*(_score(value) for value in values), 0.3])
    return scores[codes]


def _score(value: Any) -> float:
    """A number from -1 to 1 for any value, the same for every form of a value."""
    if isinstance(value, (date, np.datetime64)):
        moment = pd.Timestamp(value)
        value = (moment if moment.tzinfo is None else moment.tz_convert("UTC")).isoformat()
    name = repr(float(value)) if isinstance(value, (Real, Decimal)) else str(value)
    return crc32(name.encode()) / 2**31 - 1
