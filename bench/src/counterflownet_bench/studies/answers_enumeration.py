"""Every answer of one and of two changes that a row has: each value alone, then pairs of values that do not suffice."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterflownet_bench.studies.answers_judge import Judge, edited
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_space import Coordinates, Flags, TableSpace

Places = NDArray[np.int64]
PROMISING = 2_000  # answers of a row whose reward is computed


@dataclass(frozen=True, eq=False)
class Edits:
    """Single changes of a row, by their column."""

    column: Places
    value: Coordinates
    thin: Flags
    """Which are few enough to be tried in pairs."""

    @classmethod
    def of(cls, own: Coordinates, space: TableSpace, rules: Rules) -> "Edits":
        """All changes that the rules allow: every value of the grids, each once."""
        values, thin = [], []
        for place, column in enumerate(space.columns):
            few = column.thin_grid(float(own[place]))
            every = np.union1d(column.grid(), few)
            values.append(every)
            thin.append(np.isin(every, few))
        column_of = np.repeat(np.arange(len(values)), [len(each) for each in values])
        edits = cls(column_of, np.concatenate(values), np.concatenate(thin))
        states = edited(own, edits.column[:, None], edits.value[:, None])
        changes = edits.value != own[edits.column]
        return edits[changes & rules.allowed(space, own[None], states)]

    def __getitem__(self, kept: Flags) -> "Edits":
        return Edits(self.column[kept], self.value[kept], self.thin[kept])


@dataclass(frozen=True, eq=False)
class Enumerated:
    """All valid answers of a row that need each of their changes; one of a single change has it twice."""

    space: TableSpace
    own: Coordinates
    column: Places  # (answer, 2)
    value: Coordinates  # (answer, 2)

    def __len__(self) -> int:
        return len(self.column)

    def column_sets(self) -> set[tuple[int, ...]]:
        """The sets of columns by which the class can be changed."""
        return {tuple(sorted(set(pair))) for pair in np.unique(self.column, axis=0).tolist()}

    def strategy_count(self) -> int:
        """How many different sets of columns with directions there are."""
        return len(np.unique(self._strategy()))

    def promising(self, most: int = PROMISING) -> Coordinates:
        """Rows of fewest changes, the nearest of every strategy before the second nearest of any."""
        strategy, move = self._strategy(), self._move()
        order = np.lexsort((move, strategy))
        begins = np.r_[True, np.diff(strategy[order]) != 0] if len(order) else np.zeros(0, dtype=np.bool_)
        turn = np.empty(len(order), dtype=np.int64)
        turn[order] = np.arange(len(order)) - np.flatnonzero(begins)[np.cumsum(begins) - 1]
        chosen = np.lexsort((move, turn, self.column[:, 0] != self.column[:, 1]))[:most]
        return edited(self.own, self.column[chosen], self.value[chosen])

    def _strategy(self) -> Places:
        rises = np.where(self.space.ordered[self.column], self.value > self.own[self.column], 0)
        key = 2 * self.column + rises
        return key[:, 0] * 2 * len(self.own) + key[:, 1]

    def _move(self) -> Coordinates:
        """The shares of training rows that are passed, added up."""
        moved = np.zeros(self.column.shape)
        for place in np.flatnonzero(self.space.ordered).tolist():
            column, cells = self.space.columns[place], self.column == place
            moved[cells] = np.abs(column.rank(self.value[cells]) - column.rank(self.own[[place]]))
        return moved.sum(axis=1)


def enumerated(own: Coordinates, judge: Judge, rules: Rules) -> Enumerated:
    """What the classifier says of every single change, and of all pairs of those that are not enough alone."""
    edits = Edits.of(own, judge.space, rules)
    enough = judge.valid_edits(own, edits.column[:, None], edits.value[:, None])
    single, rest = edits[enough], edits[~enough & edits.thin]
    first, second = _pairs(rest) if rules.most(judge.space) > 1 else _no_pairs()
    column = np.column_stack([rest.column[first], rest.column[second]])
    value = np.column_stack([rest.value[first], rest.value[second]])
    valid = judge.valid_edits(own, column, value)
    return Enumerated(
        judge.space,
        own,
        np.concatenate([np.column_stack([single.column] * 2), column[valid]]),
        np.concatenate([np.column_stack([single.value] * 2), value[valid]]),
    )


def _pairs(edits: Edits) -> tuple[Places, Places]:
    """Each two changes of different columns, that of the earlier column first."""
    first, second = np.triu_indices(len(edits.column), k=1)
    different = edits.column[first] != edits.column[second]
    return first[different], second[different]


def _no_pairs() -> tuple[Places, Places]:
    return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
