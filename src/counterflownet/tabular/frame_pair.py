"""Rows beside their answers, as numbers that rules are judged by."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from jaxtyping import Bool
from numpy import ndarray
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from counterflownet.tabular.condition import Atom
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.schema import Schema

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FramePair:
    """Two tables of as many rows: each row, and the answer that stands beside it."""

    schema: Schema
    rows: pd.DataFrame
    answers: pd.DataFrame
    _known: dict[tuple[ColumnName, str], NDArray] = field(default_factory=dict)  # type: ignore[type-arg]

    def before(self, name: ColumnName) -> Numbers:
        """The numbers (or ranks, or codes) of a column in the rows; NaN for missing and never-seen values."""
        return self._once(name, "before", lambda: self.schema[name].coordinates(self.rows[name]))

    def after(self, name: ColumnName) -> Numbers:
        """The same in the answers."""
        return self._once(name, "after", lambda: self.schema[name].coordinates(self.answers[name]))

    def changed(self, name: ColumnName) -> Flags:
        """Where the answer has another value than the row."""
        return self._once(name, "changed", lambda: ~same_cells(self.rows[name].array, self.answers[name].array))

    def truth(self, atom: Atom) -> Flags:
        """Where a condition of a column is true."""
        name = atom.column
        return atom.truth(self.schema[name], self.before(name), self.after(name), self.changed(name))

    def _once(self, name: ColumnName, what: str, compute):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
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
