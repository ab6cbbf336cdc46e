"""Rows as JSON tells them, in the types that their columns had in training."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from pandas.api.extensions import ExtensionArray

from counterflownet.errors import InvalidInputError, listed
from counterflownet.explain import CounterFlowNet
from counterflownet.tabular.feature import Feature, Kind
from counterflownet.tabular.frame import LARGEST, check_not_empty

Row = Mapping[str, Any]


def frame_of(rows: Sequence[Row], explainer: CounterFlowNet, labels: Sequence[Any] | None = None) -> pd.DataFrame:
    """The rows as a table like that of training: a cell is a number, text, true or false, or null if it is missing."""
    features = {str(feature.name): feature for feature in explainer.schema}
    for position, row in enumerate(rows):
        _check_columns(row, features, position)
    dtypes = explainer.dtypes
    columns = {f.name: _column([row[name] for row in rows], f, dtypes[f.name]) for name, f in features.items()}
    frame = pd.DataFrame(columns)
    check_not_empty(frame, "rows")
    return frame if labels is None else frame.set_axis(pd.Index(labels), axis=0)


def _check_columns(row: Row, features: Mapping[str, Feature], position: int) -> None:
    missing, unknown = [name for name in features if name not in row], [name for name in row if name not in features]
    if missing:
        raise InvalidInputError(
            f"row {position} lacks {len(missing)} of the {len(features)} columns: {listed(missing)}. A missing value "
            "is null; GET /v1/schema lists the columns."
        )
    if unknown:
        raise InvalidInputError(f"row {position} has columns that the explainer does not know: {listed(unknown)}.")


def _column(cells: Sequence[Any], feature: Feature, dtype: Any) -> ExtensionArray:
    """The cells in the type of training if it can hold them all, else in a wider one."""
    there = [place for place, cell in enumerate(cells) if cell is not None]
    values = tuple(_value(cells[place], feature) for place in there)
    held = _held(values, feature, _with_unseen(dtype, values))
    if len(there) < len(cells):
        held = held.set_axis(there).reindex(range(len(cells)))
    return held.array


def _held(values: tuple[Any, ...], feature: Feature, dtype: Any) -> pd.Series:
    try:
        held = pd.Series(values, dtype=dtype)
        if held.tolist() == list(values):  # nearly always; what the library does otherwise takes longer
            return held
    except (TypeError, ValueError, OverflowError):
        pass
    return feature.as_held_by(pd.Series([], dtype=dtype, name=feature.name), values)


def _with_unseen(dtype: Any, values: Sequence[Any]) -> Any:
    """The type, with room for categories that nobody has seen before."""
    if not isinstance(dtype, pd.CategoricalDtype):
        return dtype
    unseen = [value for value in dict.fromkeys(values) if value not in dtype.categories]
    return pd.CategoricalDtype([*dtype.categories, *unseen], ordered=dtype.ordered) if unseen else dtype


def _value(cell: Any, feature: Feature) -> Any:
    if feature.kind is Kind.DATE:
        return _date(cell, feature)
    if feature.kind is Kind.DURATION:
        return _duration(cell, feature)
    if feature.numeric:
        if isinstance(cell, bool) or not isinstance(cell, (int, float)) or not abs(cell) <= LARGEST:
            raise InvalidInputError(f"column {feature.name!r} must hold finite numbers; got {cell!r}.")
        return int(cell) if feature.whole and float(cell).is_integer() else cell
    code = feature.code_of_value(cell)
    return cell if code is None else feature.values[code]


def _duration(cell: Any, feature: Feature) -> Any:
    try:
        span = pd.Timedelta(cell) if isinstance(cell, str) else pd.NaT
    except (ValueError, OverflowError):
        span = pd.NaT
    if pd.isna(span):
        raise InvalidInputError(f"column {feature.name!r} must hold durations such as '3 days'; got {cell!r}.")
    return span


def _date(cell: Any, feature: Feature) -> Any:
    try:
        moment = pd.Timestamp(cell) if isinstance(cell, str) else pd.NaT
    except (ValueError, OverflowError):
        moment = pd.NaT
    if pd.isna(moment):
        raise InvalidInputError(f"column {feature.name!r} must hold dates such as '2024-01-31'; got {cell!r}.")
    return moment if moment.tzinfo is not None or feature.zone is None else moment.tz_localize(feature.zone)
