"""Tables of other libraries, such as polars and pyarrow: pandas frames on the way in, the same kind on the way out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """A table of another library than pandas, which answers are to look like."""

    frame: nw.DataFrame[Any]

    @classmethod
    def of(cls, rows: Any) -> "Native | None":
        """The table, if it is one of another library than pandas; a lazy one is collected."""
        known = nw.from_native(rows, pass_through=True)
        if isinstance(known, nw.LazyFrame):
            known = known.collect()
        if not isinstance(known, nw.DataFrame) or known.implementation.is_pandas():
            return None
        return cls(known)

    def to_pandas(self, what: str) -> pd.DataFrame:
        """The rows as pandas holds them."""
        try:
            return self.frame.to_pandas()
        except (ImportError, TypeError, ValueError, NotImplementedError) as error:
            raise InvalidInputError(
                f"{what} cannot be turned into a pandas frame: {error}. For a polars frame, pyarrow is needed: "
                "pip install pyarrow."
            ) from error

    def rows(self, at: Int[ndarray, " row"]) -> "Native":
        """The rows at these positions."""
        return Native(self.frame[at.tolist()])

    def edited(
        self, row: Int[ndarray, " answer"], cells: pd.DataFrame, edited: Bool[ndarray, "answer column"]
    ) -> nw.DataFrame[Any]:
        """The rows as often as ``row`` says, with the edited ``cells``; all others come from the table itself."""
        table = self.frame[row.tolist()]
        columns = [
            _with_cells(table[name], np.flatnonzero(edited[:, place]), cells.iloc[:, place])
            for place, name in enumerate(table.columns)
        ]
        return table.with_columns(*columns)

    def like(self, frame: pd.DataFrame) -> nw.DataFrame[Any]:
        """A pandas frame as a table of this kind; cells that are tuples become lists."""
        columns = {str(name): _plain_cells(frame[name]) for name in frame.columns}
        return nw.from_dict(columns, backend=self.frame.implementation)

    def beside(self, table: nw.DataFrame[Any], frame: pd.DataFrame) -> Any:
        """A table of this kind with the columns of a pandas frame behind its own, as its own library knows it."""
        return nw.concat([table, self.like(frame)], how="horizontal").to_native()


def _with_cells(column: nw.Series[Any], at: Int[ndarray, " some"], cells: pd.Series) -> nw.Series[Any]:
    if len(at) == 0:
        return column
    new = [_held(cells.iloc[place], column.dtype) for place in at.tolist()]
    for attempt in (_scattered, _listed, _widened):
        try:
            return attempt(column, at.tolist(), new)
        except Exception:  # noqa: BLE001, S112 - each library has its own for a type it cannot write into
            continue
    raise InvalidInputError(f"the cells of column {column.name!r} cannot be written as {column.dtype}.")


def _scattered(column: nw.Series[Any], at: Sequence[int], new: list[Any]) -> nw.Series[Any]:
    values = nw.new_series(column.name, new, dtype=column.dtype, backend=column.implementation)
    return column.scatter(at, values)


def _listed(column: nw.Series[Any], at: Sequence[int], new: list[Any]) -> nw.Series[Any]:
    values = _replaced(column, at, new)
    return nw.new_series(column.name, values, dtype=column.dtype, backend=column.implementation)


def _widened(column: nw.Series[Any], at: Sequence[int], new: list[Any]) -> nw.Series[Any]:
    """Better another type than another value, as where an integer became a fraction."""
    return nw.new_series(column.name, _replaced(column, at, new), backend=column.implementation)


def _replaced(column: nw.Series[Any], at: Sequence[int], new: list[Any]) -> list[Any]:
    values = column.to_list()
    for place, value in zip(at, new, strict=True):
        values[place] = value
    return values


def _held(value: Any, dtype: Any) -> Any:
    """A cell as Python writes it, in the form that a column of this type takes."""
    if isinstance(value, pd.Timestamp):
        return value.date() if dtype == nw.Date else value.to_pydatetime(warn=False)
    if isinstance(value, pd.Timedelta):
        return value.to_pytimedelta()
    value = value.item() if isinstance(value, np.generic) else value
    if dtype == nw.Decimal and isinstance(value, (int, float)):
        return Decimal(str(value))
    return int(value) if dtype.is_integer() and isinstance(value, float) and value.is_integer() else value


def _plain_cells(column: pd.Series) -> Any:
    form: Callable[[Any], Any] = lambda cell: list(map(str, cell)) if isinstance(cell, tuple) else cell  # noqa: E731
    return [form(cell) for cell in column.tolist()] if column.dtype == object else column.to_numpy()
