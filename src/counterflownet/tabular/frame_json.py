"""A few rows as JSON, with the dtypes they need to come back as they were."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd


def frame_to_json(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One entry per column; values that JSON does not know are an error of ``json.dumps`` later, never altered here."""
    return [_column_to_json(frame[name]) for name in frame.columns]


def frame_from_json(data: list[Mapping[str, Any]]) -> pd.DataFrame:
    """The rows that :func:`frame_to_json` was given."""
    return pd.DataFrame({entry["name"]: _column_from_json(entry) for entry in data})


def _column_to_json(column: pd.Series) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": column.name,
        "dtype": str(column.dtype),
        "values": [_plain(value) for value in column.astype(object)],
    }
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories = [_plain(value) for value in column.dtype.categories]
        entry |= {"dtype": "category", "categories": categories, "ordered": bool(column.dtype.ordered)}
    return entry


def _column_from_json(entry: Mapping[str, Any]) -> pd.Series:
    dtype = entry["dtype"]
    if dtype == "category":
        return pd.Series(pd.Categorical(entry["values"], entry["categories"], ordered=entry["ordered"]))
    if dtype.startswith("datetime64"):
        return pd.to_datetime(pd.Series(entry["values"], dtype=object), format="ISO8601", utc="," in dtype).astype(
            dtype
        )
    return pd.Series(entry["values"], dtype=object).astype(dtype)


def _plain(value: Any) -> Any:
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return value.item() if isinstance(value, np.generic) else value
