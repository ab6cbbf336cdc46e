"""Rows beside their answers as tables, which are compared value by value."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool
from numpy import ndarray
from pandas.api.extensions import ExtensionArray

from counterflownet.tabular.constraint import Flags, Numbers
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.pair import Pair
from counterflownet.tabular.schema import Schema


class FramePair(Pair):
    """Two tables of as many rows: each row, and the answer that stands beside it.

    It may be known already which cells of a column ``changed``.
    """

    def __init__(
        self,
        schema: Schema,
        rows: pd.DataFrame,
        answers: pd.DataFrame,
        changed: Mapping[ColumnName, Flags] | None = None,
    ) -> None:
        self.schema, self.rows, self.answers = schema, rows, answers
        self._known: dict[tuple[ColumnName, str], Any] = {
            (name, "changed"): flags for name, flags in (changed or {}).items()
        }

    def before(self, name: ColumnName) -> Numbers:
        return self._once(name, "before", lambda: self.schema[name].coordinates(self.rows[name]))

    def after(self, name: ColumnName) -> Numbers:
        return self._once(name, "after", lambda: self.schema[name].coordinates(self.answers[name]))

    def changed(self, name: ColumnName) -> Flags:
        return self._once(name, "changed", lambda: ~same_cells(self.rows[name].array, self.answers[name].array))

    def _once(self, name: ColumnName, what: str, compute: Callable[[], Any]) -> Any:
        if (name, what) not in self._known:
            self._known[name, what] = compute()
        return self._known[name, what]


def same_cells(before: ExtensionArray, after: ExtensionArray) -> Bool[ndarray, " cell"]:
    """Which cells hold the same value, or are missing in both."""
    missing = pd.isna(before)
    equal = np.asarray(missing == pd.isna(after))
    one, other = (np.asarray(cells[equal & ~missing]) for cells in (before, after))
    equal[equal & ~missing] = one == other
    return equal
