"""The classifier's verdict on decoded rows, asked in large batches."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterflownet_bench.studies.answers_space import Coordinates, Flags, TableSpace

BATCH_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Judge:
    """A model with ``predict_proba``, and the number of the class that is wanted."""

    space: TableSpace
    model: Any
    wanted: int

    def valid(self, states: Coordinates) -> Flags:
        """Which rows get the class that is wanted, and no other as probably."""
        parts = [self._valid(states[part]) for part in self._batches(len(states))]
        return np.concatenate([np.zeros(0, dtype=np.bool_), *parts])

    def valid_edits(self, own: Coordinates, column: NDArray[np.int64], value: Coordinates) -> Flags:
        """The same of one row with some cells replaced, of which only a batch is in memory at a time."""
        parts = [self._valid(edited(own, column[part], value[part])) for part in self._batches(len(column))]
        return np.concatenate([np.zeros(0, dtype=np.bool_), *parts])

    def _valid(self, states: Coordinates) -> Flags:
        probabilities = np.asarray(self.model.predict_proba(self.space.frame(states)))
        others = np.delete(probabilities, self.wanted, axis=1).max(axis=1)
        return probabilities[:, self.wanted] > others

    def _batches(self, count: int) -> Iterator[slice]:
        size = max(1, BATCH_CELLS // len(self.space.columns))
        return (slice(start, start + size) for start in range(0, count, size))


def edited(own: Coordinates, column: NDArray[np.int64], value: Coordinates) -> Coordinates:
    """A copy of the row for each line of ``column``, with these cells replaced."""
    states = np.tile(own, (len(column), 1))
    states[np.arange(len(column))[:, None], column] = value
    return states
