"""What a table must satisfy before it is used."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.errors import InvalidInputError, listed, unknown_name_text
from counterflownet.tabular.native import Native

TRAINING = "the training table"
LARGEST = 1e100  # the square of a larger number may overflow


def training_frame(rows: Any, columns: Sequence[Any] | None = None) -> pd.DataFrame:
    """The training rows as a pandas frame: whatever is taken for rows, but not a single one."""
    if isinstance(rows, pd.Series) or (isinstance(rows, Mapping) and not _holds_columns(rows)):
        kind = "Series" if isinstance(rows, pd.Series) else "mapping of single values"
        raise InvalidInputError(f"{TRAINING} is one {kind}, which is taken for one row; give a frame.")
    return as_frame(rows, TRAINING, columns)


def as_frame(rows: Any, what: str = "rows", columns: Sequence[Any] | None = None) -> pd.DataFrame:
    """The rows as a pandas frame.

    Args:
        rows: A frame of pandas, polars, pyarrow or another library, one row as a Series or a mapping, a list of
            mappings, a mapping from columns to lists of values, or an array.
        what: What the rows are called in messages.
        columns: The names of an array's columns.
    """
    if isinstance(rows, pd.DataFrame):
        return rows
    if isinstance(rows, pd.Series):
        return rows.to_frame().T.infer_objects()
    if isinstance(rows, Mapping):
        return pd.DataFrame(dict(rows)) if _holds_columns(rows) else pd.DataFrame([dict(rows)])
    if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
        return pd.DataFrame(rows)
    if isinstance(rows, np.ndarray):
        return _framed(rows, what, columns)
    native = Native.of(rows)
    if native is not None:
        return native.to_pandas(what)
    raise InvalidInputError(
        f"{what} must be a frame (of pandas, polars or pyarrow), one row of one, a mapping from column to value, or an "
        f"array with columns=[...]; got {type(rows).__name__}."
    )


def _holds_columns(rows: Mapping[Any, Any]) -> bool:
    """Whether a mapping has a list of values, as long as all others, for every column."""
    lists = all(isinstance(values, (list, tuple, np.ndarray, pd.Series, pd.Index)) for values in rows.values())
    return bool(rows) and lists and len({len(values) for values in rows.values()}) == 1


def _framed(array: Any, what: str, columns: Sequence[Any] | None) -> pd.DataFrame:
    if array.dtype.names:
        return pd.DataFrame(array)
    if columns is None:
        raise InvalidInputError(
            f"{what} is an array without names; name its columns: CounterFlowNet(model, columns=[...])."
        )
    names, table = list(columns), array[None, :] if array.ndim == 1 else array
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InvalidInputError(
            f"{what} must be an array of shape (row, column) with the {len(names)} columns {listed(names)}; got the "
            f"shape {array.shape}."
        )
    return pd.DataFrame(table, columns=names).infer_objects()


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
    """The columns called ``names``, in this order; an error if any is missing. Others are left out."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        problem = unknown_name_text("column", missing[0], frame.columns) if len(frame.columns) else ""
        raise InvalidInputError(
            f"{what} lacks {len(missing)} of the {len(names)} columns the explainer was fitted on: {listed(missing)}. "
            f"{problem}".rstrip()
        )
    return frame if tuple(frame.columns) == names else frame[list(names)]


def numpy_dtype(column: pd.Series) -> np.dtype[Any]:
    """The type of a column's numbers, even inside one of pandas' own types."""
    dtype = getattr(column.dtype, "numpy_dtype", getattr(column.dtype, "subtype", column.dtype))
    return dtype if isinstance(dtype, np.dtype) else np.dtype(object)
