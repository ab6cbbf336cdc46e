"""Columns that the explainer does not know: they come back with every answer, as they were given."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray


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
