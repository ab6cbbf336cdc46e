"""The last look at decoded rows: nothing but the changes differs, and every change fits the constraints."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.constraint import MaxChanges
from counterflownet.tabular.frame_pair import same_cells
from counterflownet.tabular.schema import Schema

Flags = Bool[ndarray, " answer"]


@dataclass(frozen=True, slots=True, eq=False)
class DecodedRows:
    """Edited rows as a user gets them, beside the rows they were made from: ``row`` says which, in rising order."""

    schema: Schema
    rows: pd.DataFrame
    edited: pd.DataFrame
    row: Int[ndarray, " answer"]
    changed: Bool[ndarray, "answer feature"]

    def sound(self, constraints: CheckedConstraints) -> Flags:
        """Which of them break no constraint and differ from their row in nothing but the changes."""
        sound = self._unchanged_elsewhere()
        for (rule, columns), rows in constraints.by_rows(self.rows.index):
            at = self._answers_of(rows)
            if isinstance(rule, MaxChanges):
                sound[at] &= self.changed[at].sum(axis=1) <= rule.count
                continue
            for name in columns:
                d = self.schema.position(name)
                before, after = self.rows[name].take(self.row[at]), self.edited[name].take(at)
                kept = ~self.changed[at, d] & rule.keeps(self.schema.features[d], before)
                sound[at] &= kept | (self.changed[at, d] & rule.fits(self.schema.features[d], before, after))
        return sound

    def _unchanged_elsewhere(self) -> Flags:
        same = np.ones(len(self.row), dtype=np.bool_)
        for d, name in enumerate(self.schema.names):
            before, after = self.rows[name].array, self.edited[name].array
            same &= self.changed[:, d] | same_cells(before.take(self.row), after)
        return same

    def _answers_of(self, rows: Int[ndarray, " row"]) -> Int[ndarray, " some"]:
        if len(rows) == len(self.rows):
            return np.arange(len(self.row))
        starts, ends = np.searchsorted(self.row, rows), np.searchsorted(self.row, rows, side="right")
        return np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)])
