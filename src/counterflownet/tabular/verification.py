"""The last look at decoded rows: nothing but the changes differs, and every change fits the constraints."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.constraint import MaxChanges
from counterflownet.tabular.frame_pair import FramePair, same_cells
from counterflownet.tabular.rule_book import RuleBook
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
        """Which of them break no constraint or rule, and differ in nothing but changes and what follows from them."""
        book = constraints.book(self.schema, self.rows.index)
        differs, may_follow = self._differs(), self._may_follow(book)
        moved = differs | self.changed
        sound = ~(moved & ~self.changed & ~may_follow).any(axis=1)
        for (rule, columns), rows in constraints.by_rows(self.rows.index):
            at = self._answers_of(rows)
            if isinstance(rule, MaxChanges):
                sound[at] &= self.changed[at].sum(axis=1) <= rule.count
                continue
            for name in columns:
                d = self.schema.position(name)
                before, after = self.rows[name].take(self.row[at]), self.edited[name].take(at)
                kept = ~moved[at, d] & ~self.changed[at, d] & rule.keeps(self.schema.features[d], before)
                if rule.edits_only:
                    kept |= ~self.changed[at, d] & may_follow[at, d]
                sound[at] &= kept | (moved[at, d] & rule.fits(self.schema.features[d], before, after))
        return sound if book is None else sound & self._keep_rules(book, differs)

    def _keep_rules(self, book: RuleBook, differs: Bool[ndarray, "answer feature"]) -> Flags:
        kept = np.ones(len(self.row), dtype=np.bool_)
        changed = dict(zip(self.schema.names, differs.T, strict=True))
        everywhere = FramePair(self.schema, self.rows.take(self.row), self.edited, changed)
        for applied in book.applied:
            (at,) = applied.rows[self.row].nonzero()
            if len(at) == len(kept):
                kept &= applied.rule.judged(everywhere)
            else:
                before, after = self.rows.take(self.row[at]), self.edited.take(at)
                kept[at] &= applied.rule.kept(self.schema, before, after)
        return kept

    def _may_follow(self, book: RuleBook | None) -> Bool[ndarray, "answer feature"]:
        follows = np.zeros(self.changed.shape, dtype=np.bool_)
        for step in book.steps if book is not None else ():
            for name in step.writes:
                follows[:, self.schema.position(name)] |= step.rows[self.row]
        return follows

    def _differs(self) -> Bool[ndarray, "answer feature"]:
        """Which cells are another value than their row's."""
        pairs = [(self.rows[name].array.take(self.row), self.edited[name].array) for name in self.schema.names]
        return np.stack([~same_cells(before, after) for before, after in pairs], axis=1)

    def _answers_of(self, rows: Int[ndarray, " row"]) -> Int[ndarray, " some"]:
        if len(rows) == len(self.rows):
            return np.arange(len(self.row))
        starts, ends = np.searchsorted(self.row, rows), np.searchsorted(self.row, rows, side="right")
        return np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)])
