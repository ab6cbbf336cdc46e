"""What a column is, read off its values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import InvalidInputError, listed
from counterflownet.tabular.binning import Bins, cut
from counterflownet.tabular.feature import NUMERIC, ColumnName, Feature, Kind, as_numbers, from_days


def inferred_feature(
    column: pd.Series, bins: Bins, kind: Kind | None = None, order: Sequence[Any] | None = None
) -> Feature:
    """The feature of one training column; ``kind`` and ``order`` overrule what would be guessed."""
    present = column.dropna()
    if present.empty:
        raise InvalidInputError(f"column {column.name!r} has only missing values; drop it from the table.")
    kind = kind or inferred_kind(present)
    if kind in NUMERIC:
        return _numeric_feature(present, kind, bins)
    return Feature(_name(column), kind, _categories(present, kind, order))


def inferred_kind(present: pd.Series) -> Kind:
    """The kind of a column without missing values."""
    dtype = present.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Kind.ORDERED if dtype.ordered else Kind.CATEGORICAL
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return Kind.DATE
    content = pd.api.types.infer_dtype(present, skipna=True)
    if content == "boolean":
        return Kind.BOOLEAN
    if content in {"integer", "floating", "mixed-integer-float", "decimal"}:
        return Kind.INTEGER if _is_whole(as_numbers(present, Kind.CONTINUOUS)) else Kind.CONTINUOUS
    if content in {"complex", "timedelta64", "timedelta", "period", "interval"}:
        raise InvalidInputError(
            f"column {present.name!r} holds {content} values, which are not supported; turn them into numbers or text."
        )
    return Kind.CATEGORICAL


def _numeric_feature(present: pd.Series, kind: Kind, bins: Bins) -> Feature:
    numbers = as_numbers(present, kind)
    parts = cut(numbers, bins, whole=kind is Kind.INTEGER or (kind is Kind.DATE and _is_whole(numbers)))
    return Feature(
        name=_name(present),
        kind=kind,
        values=_decoded(parts.values, present, kind),
        edges=tuple(parts.edges.tolist()),
        mean=float(numbers.mean()),
        deviation=float(numbers.std()) or 1.0,
    )


def _decoded(values: NDArray[np.float64], present: pd.Series, kind: Kind) -> tuple[Any, ...]:
    if kind is Kind.DATE:
        return tuple(from_days(days, present) for days in values)
    if kind is Kind.INTEGER:
        return tuple(int(value) for value in values)
    if present.dtype == np.float32:  # what is promised must be what a column of this type can hold
        values = values.astype(np.float32).astype(np.float64)
    return tuple(values.tolist())


def _categories(present: pd.Series, kind: Kind, order: Sequence[Any] | None) -> tuple[Any, ...]:
    seen = [_plain(value) for value in present.unique()]
    if order is not None:
        return _checked_order(present.name, [_plain(value) for value in order], seen)
    if kind is Kind.BOOLEAN:
        return (False, True)
    if isinstance(present.dtype, pd.CategoricalDtype):
        return tuple(_plain(value) for value in present.dtype.categories if _plain(value) in set(seen))
    if kind is Kind.ORDERED and any(isinstance(value, str) for value in seen):
        raise InvalidInputError(
            f"the order of column {present.name!r} is not known; give it as orders={{{present.name!r}: [lowest, ..., "
            "highest]}} or as an ordered pandas Categorical."
        )
    return tuple(_sorted(seen))


def _checked_order(name: Any, order: list[Any], seen: list[Any]) -> tuple[Any, ...]:
    left_out = [value for value in seen if value not in order]
    if left_out:
        raise InvalidInputError(f"the order of column {name!r} leaves out values that occur: {listed(left_out)}.")
    return tuple(order)


def _sorted(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:  # values of several types have no order of their own
        return sorted(values, key=lambda value: (type(value).__name__, str(value)))


def _is_whole(numbers: NDArray[np.float64]) -> bool:
    return bool((numbers == np.round(numbers)).all() and np.abs(numbers).max() < 2**53)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _name(column: pd.Series) -> ColumnName:
    name = column.name
    return name if isinstance(name, (str, int)) else str(name)
