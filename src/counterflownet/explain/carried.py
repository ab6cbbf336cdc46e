"""What answers have to do with the rows as they were given: columns carried along, and cells that were locked."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.constraint import Immutable, Mutable


@dataclass(frozen=True, slots=True, eq=False)
class AsGiven:
    """Answers with all columns of the rows they were asked for, in the order in which these were given."""

    frame: pd.DataFrame
    changed: Bool[ndarray, "answer column"]
    follows: Bool[ndarray, "answer column"]

    def with_columns_of(self, given: pd.DataFrame, row: Int[ndarray, " answer"]) -> "AsGiven":
        """The same with the columns of ``given``; those that were not explained are taken from there."""
        if list(self.frame.columns) == list(given.columns):
            return self
        place = self.frame.columns.get_indexer(given.columns)
        columns = [
            self.frame.iloc[:, at] if at >= 0 else given.iloc[:, number].take(row).reset_index(drop=True)
            for number, at in enumerate(place.tolist())
        ]
        frame = pd.DataFrame(dict(enumerate(columns)), copy=False).set_axis(given.columns, axis=1)
        known = place >= 0
        changed, follows = (np.where(known, flags[:, place], False) for flags in (self.changed, self.follows))
        return AsGiven(frame, changed, follows)


def locked_cells(constraints: CheckedConstraints, given: pd.DataFrame) -> Bool[ndarray, "row column"] | None:
    """Which cells no answer was to change, because somebody said so; None if nobody did."""
    locked, followers = None, constraints.followers
    for (constraint, columns), rows in constraints.by_rows(given.index):
        if isinstance(constraint, (Immutable, Mutable)) and columns:
            names = [name for name in columns if not (constraint.edits_only and name in followers)]
            locked = np.zeros(given.shape, dtype=np.bool_) if locked is None else locked
            locked[np.ix_(rows, np.flatnonzero(given.columns.isin(names)))] = True
    return locked
