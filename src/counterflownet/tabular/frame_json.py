"""A few rows as JSON, with the dtypes needed to restore them exactly."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pandas as pd

from counterflownet.tabular.dates import is_date, is_plain_date
from counterflownet.tabular.frame import plain

DATE, MOMENT = "date", "moment"
CATEGORY = "category"  # such a column is saved as category numbers, with the categories as another column


def frame_to_json(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One entry per column; values that JSON does not support are left for ``json.dumps`` to reject."""
    return [_column_to_json(frame[name]) for name in frame.columns]


def frame_from_json(data: list[Mapping[str, Any]]) -> pd.DataFrame:
    """The rows that :func:`frame_to_json` was given."""
    return pd.DataFrame({entry["name"]: _column_from_json(entry) for entry in data})


def _column_to_json(column: pd.Series) -> dict[str, Any]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories = _column_to_json(pd.Series(column.cat.categories))
        numbers, ordered = column.cat.codes.tolist(), bool(column.cat.ordered)
        return {"name": column.name, "dtype": CATEGORY, "values": numbers, "of": categories, "ordered": ordered}
    written = pd.Timestamp.isoformat if pd.api.types.is_datetime64_any_dtype(column.dtype) else _written
    cells = zip(column.astype(object), column.notna(), strict=True)
    values = [written(value) if there else None for value, there in cells]
    return {"name": column.name, "dtype": str(column.dtype), "values": values}


def _column_from_json(entry: Mapping[str, Any]) -> pd.Series:
    dtype, values = entry["dtype"], pd.Series(entry["values"], dtype=object)
    if dtype == CATEGORY:
        categories = pd.Index(_column_from_json(entry["of"]))
        return pd.Series(pd.Categorical.from_codes(entry["values"], categories, ordered=entry["ordered"]))
    if dtype.startswith("datetime64"):
        return pd.to_datetime(values, format="ISO8601", utc="," in dtype).astype(dtype)
    return values.map(_read).astype(dtype) if dtype == "object" else values.astype(dtype)


def _written(value: Any) -> Any:
    """The value as JSON knows it; a date among objects says which form it has."""
    if is_plain_date(value):
        return {DATE: value.isoformat()}
    return {MOMENT: pd.Timestamp(value).isoformat()} if is_date(value) else plain(value)


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return date.fromisoformat(value[DATE]) if DATE in value else pd.Timestamp(value[MOMENT])
