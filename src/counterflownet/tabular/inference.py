"""What a column is, inferred from its values."""

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import InvalidInputError, listed
from counterflownet.tabular.binning import Bins, Numbers, cut
from counterflownet.tabular.dates import DAY, canonical, is_date, is_plain_date, microseconds, moment, zone_of
from counterflownet.tabular.durations import duration
from counterflownet.tabular.feature import NUMERIC, TIMES, ColumnName, Feature, Kind, as_numbers, no_single_values
from counterflownet.tabular.frame import numpy_dtype, plain
from counterflownet.tabular.grid import Grid
from counterflownet.tabular.left_alone import CONSTANT, EMPTY, NAMES, constant, nameless, reason_to_leave
from counterflownet.tabular.relations.usual_names import words_of


def inferred_feature(
    column: pd.Series,
    bins: Bins,
    kind: Kind | None = None,
    order: Sequence[Any] | None = None,
    *,
    leave_names: bool = True,
) -> Feature:
    """The feature of one training column; ``kind`` and ``order`` override what would be inferred.

    ``leave_names`` says whether a column that names rows is left alone.
    """
    present = column.dropna()
    if present.empty and kind is None:
        return nameless(_name(column), present, EMPTY)
    if present.empty:
        raise InvalidInputError(f"column {column.name!r} has only missing values; drop it, or do not give its kind.")
    found = kind or inferred_kind(present)
    reason = reason_to_leave(_hashable(column), found, frozenset(words_of(_name(column)))) if kind is None else ""
    if reason == NAMES and leave_names:
        return nameless(_name(column), present, reason)
    if found in NUMERIC:
        feature = _numeric_feature(present, found, bins)
    else:
        feature = Feature(_name(column), found, _categories(present, found, order))
    return constant(feature, present) if reason == CONSTANT else feature


def _hashable(column: pd.Series) -> pd.Series:
    try:
        column.nunique()
    except TypeError as error:
        raise no_single_values(column, error) from error
    return column


def inferred_kind(present: pd.Series) -> Kind:
    """The kind of a column without missing values."""
    dtype = present.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Kind.ORDERED if dtype.ordered else Kind.CATEGORICAL
    of_dates = pd.api.types.is_object_dtype(dtype) and all(map(is_date, present))
    if of_dates or pd.api.types.is_datetime64_any_dtype(dtype):
        return Kind.DATE
    content = pd.api.types.infer_dtype(present, skipna=True)
    if content == "boolean":
        return Kind.BOOLEAN
    if content in {"integer", "floating", "mixed-integer-float", "decimal"}:
        whole = pd.api.types.is_integer_dtype(dtype) or _is_whole(as_numbers(present, Kind.CONTINUOUS))
        return Kind.INTEGER if whole else Kind.CONTINUOUS
    if content in {"timedelta64", "timedelta"}:
        return Kind.DURATION
    if content in {"complex", "period", "interval"}:
        raise InvalidInputError(
            f"column {present.name!r} holds {content} values, which are not supported; convert them to numbers or text."
        )
    return Kind.CATEGORICAL


def _numeric_feature(present: pd.Series, kind: Kind, bins: Bins) -> Feature:
    numbers = as_numbers(present, kind)
    if kind is Kind.INTEGER:
        _check_whole(present.name, numbers)
    whole = numpy_dtype(present).kind in "iu" or kind is Kind.INTEGER or (kind is Kind.DATE and _is_whole(numbers))
    held = _held_by(present, kind, numbers)
    parts, grid = cut(numbers, bins, whole=whole, held=held), Grid.of(held(numbers))
    return Feature(
        name=_name(present),
        kind=kind,
        values=_decoded(parts.values, present, kind),
        edges=tuple(parts.edges.tolist()),
        mean=float(numbers.mean()),
        deviation=1.0 if numbers.min() == numbers.max() else float(numbers.std()) or 1.0,
        spread=grid.spread,
        fine=tuple(grid.fine.tolist()),
        grid=tuple(grid.grid.tolist()),
        ranks=tuple(grid.ranks.tolist()),
    )


def _held_by(present: pd.Series, kind: Kind, numbers: NDArray[np.float64]) -> Callable[[Numbers], Numbers]:
    """What a column stores when numbers are put into it: we may only promise what it can hold."""
    if kind in TIMES:
        moments = microseconds(numbers)
        step = next(unit for unit in (1_000_000, 1_000, 1) if not (moments % unit).any())
        return lambda days: np.round(microseconds(days) / step).astype(np.int64) * step / DAY
    dtype = numpy_dtype(present)
    if dtype.kind in "iu":
        return lambda values: np.clip(values, np.iinfo(dtype).min, np.iinfo(dtype).max)
    if dtype.kind == "f":
        return lambda values: values.astype(dtype).astype(np.float64)
    return np.asarray


def _decoded(values: NDArray[np.float64], present: pd.Series, kind: Kind) -> tuple[Any, ...]:
    if kind is Kind.DATE:
        zone, plain_dates = zone_of(present), all(map(is_plain_date, present))
        moments = [moment(days, zone) for days in values]
        return tuple(value.date() for value in moments) if plain_dates else tuple(moments)
    if kind is Kind.DURATION:
        return tuple(map(duration, values))
    whole = kind is Kind.INTEGER or numpy_dtype(present).kind in "iu"
    return tuple(map(int, values)) if whole else tuple(values.tolist())


def _check_whole(name: Any, numbers: NDArray[np.float64]) -> None:
    broken = numbers[numbers != np.round(numbers)]
    if len(broken):
        raise InvalidInputError(f"column {name!r} must hold whole numbers; got {broken[0]:g}. Make it continuous.")


def _categories(present: pd.Series, kind: Kind, order: Sequence[Any] | None) -> tuple[Any, ...]:
    seen = _distinct(present)
    if order is not None:
        return _checked_order(present.name, [plain(value) for value in order], seen)
    if kind is Kind.BOOLEAN:
        return _checked_order(present.name, [False, True], seen)
    if isinstance(present.dtype, pd.CategoricalDtype):
        return tuple(plain(value) for value in present.cat.remove_unused_categories().cat.categories)
    if kind is Kind.ORDERED and any(isinstance(value, str) for value in seen):
        raise InvalidInputError(
            f"the order of column {present.name!r} is unknown; give it as orders={{{present.name!r}: [lowest, ..., "
            "highest]} or use an ordered pandas Categorical."
        )
    return tuple(_sorted(seen))


def _distinct(present: pd.Series) -> list[Any]:
    try:
        seen = [plain(value) for value in present.unique()]
        return list({canonical(value): value for value in reversed(seen)}.values())  # of equal dates, the first form
    except TypeError as error:
        raise no_single_values(present, error) from error


def _checked_order(name: Any, order: list[Any], seen: list[Any]) -> tuple[Any, ...]:
    left_out = [value for value in seen if value not in order]
    if left_out:
        raise InvalidInputError(
            f"column {name!r} may hold only {listed(order)}, but also holds {listed(left_out)}; list every value."
        )
    return tuple(order)


def _sorted(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:  # values of different types cannot be compared
        return sorted(values, key=_place_among_others)


def _place_among_others(value: Any) -> tuple[Any, ...]:
    """Numbers first, since 1, 1.0 and True are the same value, then type by type."""
    return (0, value) if isinstance(value, Real) else (1, type(value).__name__, str(value))


def _is_whole(numbers: NDArray[np.float64]) -> bool:
    return bool((numbers == np.round(numbers)).all() and np.abs(numbers).max() < 2**53)


def _name(column: pd.Series) -> ColumnName:
    name = plain(column.name)  # pandas gives back a number of numpy where a table was made with numbers as names
    return name if isinstance(name, (str, int)) else str(name)
