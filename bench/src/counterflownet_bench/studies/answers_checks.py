"""What is wrong with given answers: changes that were not needed, that go too far, and answers that others surpass."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterflownet_bench.studies.answers_judge import Judge
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_space import Coordinates, Flags, GridOver, changed_cells

FAR = 5  # standard deviations
NOMINAL = 2  # the direction of a change that has none


@dataclass(frozen=True, eq=False)
class GivenAnswers:
    """Answers beside the rows that they answer; ``row`` numbers these."""

    judge: Judge
    rules: Rules
    row: NDArray[np.int64]
    before: Coordinates
    after: Coordinates

    @cached_property
    def valid(self) -> Flags:
        """Which the classifier puts in the class that is wanted."""
        return self.judge.valid(self.after)

    @cached_property
    def allowed(self) -> Flags:
        return self.rules.allowed(self.judge.space, self.before, self.after)

    @cached_property
    def good(self) -> "GivenAnswers":
        """Those that are valid and allowed: only of these is the rest asked."""
        kept = self.valid & self.allowed
        return GivenAnswers(self.judge, self.rules, self.row[kept], self.before[kept], self.after[kept])

    @cached_property
    def changed(self) -> Flags:
        return changed_cells(self.before, self.after)

    @cached_property
    def directions(self) -> NDArray[np.int8]:
        """For each cell 0 if it stays, 1 or -1 if it rises or falls, and NOMINAL if its values have no order."""
        moved = np.where(self.judge.space.ordered, np.sign(self.after - self.before), NOMINAL)
        return np.where(self.changed, moved, 0).astype(np.int8)

    def minimal(self) -> Flags:
        """Which need every one of their changes; that a cell goes back to what it was breaks none of our rules."""
        answer, column = self.changed.nonzero()
        states = self.after[answer]
        states[np.arange(len(answer)), column] = self.before[answer, column]
        return np.bincount(answer[self.judge.valid(states)], minlength=len(self.row)) == 0

    def loose(self, over: GridOver = "rows") -> Flags:
        """For every change of an ordered column, whether a value of the grid between would have been enough."""
        answer, column = (self.changed & self.judge.space.ordered).nonzero()
        nearer = [self._nearer(*cell, over) for cell in zip(answer.tolist(), column.tolist(), strict=True)]
        cell = np.repeat(np.arange(len(nearer)), [len(values) for values in nearer])
        states = self.after[answer[cell]]
        states[np.arange(len(cell)), column[cell]] = np.concatenate([np.empty(0), *nearer])
        enough = self.judge.valid(states) & self.rules.allowed(self.judge.space, self.before[answer[cell]], states)
        return np.bincount(cell[enough], minlength=len(nearer)) > 0

    def tight(self, over: GridOver = "rows") -> Flags:
        """Which answers have no change that is loose."""
        answer, _ = (self.changed & self.judge.space.ordered).nonzero()
        return np.bincount(answer[self.loose(over)], minlength=len(self.row)) == 0

    def far(self) -> Flags:
        """Which move a number by more than some standard deviations of its column: hardly anybody could act on that."""
        columns = self.judge.space.columns
        limits = np.array([FAR * column.seen.std() if column.known is None else np.inf for column in columns])
        return np.count_nonzero(np.abs(self.after - self.before) > limits, axis=1) > 0

    def dominated(self) -> Flags:
        """Which are surpassed by an answer of their row that moves the same columns the same way, and less far."""
        found = np.zeros(len(self.row), dtype=np.bool_)
        for row in np.unique(self.row):
            (mine,) = (self.row == row).nonzero()
            found[mine] = self._surpassed(mine)
        return found

    def strategies(self, row: int) -> set[bytes]:
        """The different sets of columns with directions among the answers of a row."""
        return {line.tobytes() for line in self.directions[self.row == row]}

    def column_sets(self, row: int) -> set[tuple[int, ...]]:
        """The different sets of changed columns among the answers of a row."""
        return {tuple(np.flatnonzero(line).tolist()) for line in self.changed[self.row == row]}

    def _nearer(self, answer: int, column: int, over: GridOver) -> Coordinates:
        grid = self.judge.space.columns[column].grid(over=over)
        low, high = sorted((self.before[answer, column], self.after[answer, column]))
        return grid[(grid > low) & (grid < high)]

    def _surpassed(self, mine: NDArray[np.int64]) -> Flags:
        ordered = self.judge.space.ordered
        directions, after = self.directions[mine], self.after[mine]
        moves = np.abs(after - self.before[mine])[:, ordered]
        alike = (directions[:, None] == directions[None]).all(axis=2)
        alike &= (after[:, None, ~ordered] == after[None, :, ~ordered]).all(axis=2)
        nearer = (moves[None] <= moves[:, None]).all(axis=2) & (moves[None] < moves[:, None]).any(axis=2)
        return (alike & nearer).any(axis=1)
