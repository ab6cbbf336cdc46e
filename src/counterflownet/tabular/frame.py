"""What a table must satisfy before it is used."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.errors import InvalidInputError, listed, unknown_name_text

LARGEST = 1e100  # the square of a larger number may overflow


def as_frame(rows: Any, what: str = "rows") -> pd.DataFrame:
    """The rows as a DataFrame, given as a DataFrame, one row as a Series or a mapping, or a list of mappings."""
    if isinstance(rows, pd.DataFrame):
        return rows
    if isinstance(rows, pd.Series):
        return rows.to_frame().T.infer_objects()
    if isinstance(rows, Mapping):
        return pd.DataFrame([dict(rows)])
    if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
        return pd.DataFrame(rows)
    raise InvalidInputError(
        f"{what} must be a pandas DataFrame, one row of one, or a mapping from column to value; got "
        f"{type(rows).__name__}. For an array: pd.DataFrame(array, columns=[...])."
    )


def check_table(frame: pd.DataFrame, what: str) -> None:
    """An error if the table has no columns, duplicate columns, or names that cannot be saved."""
    if frame.shape[1] == 0:
        raise InvalidInputError(f"{what} has no columns; give a table with at least one feature.")
    doubled = frame.columns[frame.columns.duplicated()].unique()
    if len(doubled):
        raise InvalidInputError(f"{what} has duplicate column names: {listed(doubled)}. Rename or drop them.")
    odd = [name for name in frame.columns if isinstance(name, bool) or not isinstance(name, (str, int))]
    if odd:
        raise InvalidInputError(f"{what} has column names that are neither text nor integers: {listed(odd)}.")
    alike = frame.columns[frame.columns.map(str).duplicated()]
    if len(alike):
        raise InvalidInputError(
            f"{what} has a column called {str(alike[0])!r} as text and another as a number, which are the same name in "
            "JSON. Rename one."
        )


def plain(value: Any) -> Any:
    """The value without numpy's wrapper, which shows in messages and cannot be written as JSON."""
    if isinstance(value, np.datetime64):  # whose own item() may be a number of nanoseconds
        return pd.Timestamp(value)
    return value.item() if isinstance(value, np.generic) else value


def check_not_empty(frame: pd.DataFrame, what: str) -> None:
    """An error if the table has no rows."""
    if len(frame) == 0:
        raise InvalidInputError(f"{what} has no rows; give at least one.")


def check_finite(frame: pd.DataFrame, what: str) -> None:
    """An error if a numeric column holds a value that is infinite, or close to it."""
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_float_dtype(column.dtype):
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
            endless = np.abs(numbers) > LARGEST
            if endless.any():
                label = plain(frame.index[int(endless.argmax())])
                raise InvalidInputError(
                    f"column {name!r} of {what} is infinite (beyond {LARGEST:g}) in row {label!r}. "
                    "Replace it with a number or NaN."
                )


def in_order(frame: pd.DataFrame, names: tuple[Any, ...], what: str) -> pd.DataFrame:
    """The table with its columns in the order of ``names``; an error if any is missing or unknown."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        problem = unknown_name_text("column", missing[0], frame.columns) if len(frame.columns) else ""
        raise InvalidInputError(
            f"{what} lacks {len(missing)} of the {len(names)} columns the explainer was fitted on: {listed(missing)}. "
            f"{problem}".rstrip()
        )
    extra = [name for name in frame.columns if name not in names]
    if extra:
        raise InvalidInputError(
            f"{what} has columns the explainer was not fitted on: {listed(extra)}. "
            "Drop them, or keep them in the index, which is carried over."
        )
    return frame if tuple(frame.columns) == names else frame[list(names)]


def numpy_dtype(column: pd.Series) -> np.dtype[Any]:
    """The type of a column's numbers, even inside one of pandas' own types."""
    dtype = getattr(column.dtype, "numpy_dtype", getattr(column.dtype, "subtype", column.dtype))
    return dtype if isinstance(dtype, np.dtype) else np.dtype(object)
