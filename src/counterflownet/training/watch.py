"""Samples of every direction, drawn as a user would draw them, and how many of them are valid."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray
from torch import Tensor

from counterflownet._states import States
from counterflownet.errors import InvalidInputError
from counterflownet.flow.edits import final_states
from counterflownet.flow.policy import Policy
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import derived_seed
from counterflownet.training.batches import Batch, FactualBatches
from counterflownet.training.checks import PLAIN, DirectionValidity
from counterflownet.training.directions import Direction, Directions
from counterflownet.training.order import Chosen, DirectionOrder
from counterflownet.training.rounds import Rounds

MissedRows = Mapping[int, Int[ndarray, " row"]]
ValidOf = Callable[[Batch, States], Bool[Tensor, " state"]]

MOST_SAMPLES, FEWEST_SAMPLES = 500, 50  # of one direction
MOST_CELLS = 50_000
MOST_LOOKED, LOOKED_AT_ONCE = 20_000, 1_000  # rows of a direction, one sample of each, to see which it misses
ALL_SAMPLES = 2_000  # of all together, unless each would have fewer than the fewest


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """Measures the policy: the same rows and the same random numbers every time, so that little but it can differ.

    It ``mends`` if training shall go on for directions that turn out to be weak.
    """

    directions: Directions
    batches: FactualBatches
    valid_of: ValidOf
    classes: Sequence[Any]
    seed: int
    mends: bool = True

    def __call__(self, policy: Policy) -> tuple[DirectionValidity, ...]:
        return tuple(self._measured(policy, number, way) for number, way in enumerate(self.directions))

    def missed(self, policy: Policy, weak: Sequence[bool], turn: int) -> MissedRows:
        """Of some rows that weak directions may learn from, by number of the direction, those whose sample failed."""
        numbers = [number for number, one in enumerate(weak) if one]
        return {number: self._missed(policy, number, turn) for number in numbers}

    def leaning(self, missed: MissedRows, size: int) -> FactualBatches:
        """Batches of which half is for weak directions alone, and there for the rows that were missed."""
        ways = [replace(self.directions.all[number], learned=rows) for number, rows in missed.items() if len(rows)]
        if not all(np.isin(rows, self.directions.all[number].missable).all() for number, rows in missed.items()):
            raise InvalidInputError("a direction can only have missed rows that it is learned from.")
        both = Directions((*self.directions, *ways), self.directions.learned)
        shares = [max(len(ways), 1)] * len(self.directions) + [len(self.directions)] * len(ways)
        return replace(self.batches, order=DirectionOrder(both, size, self.batches.seed, shares))

    def _missed(self, policy: Policy, number: int, turn: int) -> Int[ndarray, " row"]:
        way = self.directions.all[number]
        rows = Rounds(way.missable, self.seed, "missed", number)(0, len(way.missable))
        rows = np.roll(rows, -turn * MOST_LOOKED)[:MOST_LOOKED]
        valid = [
            self._valid(policy, way, rows[start : start + LOOKED_AT_ONCE], "missed", number, turn, start)
            for start in range(0, len(rows), LOOKED_AT_ONCE)
        ]
        return rows[~np.concatenate(valid)]

    def _measured(self, policy: Policy, number: int, way: Direction) -> DirectionValidity:
        wide = MOST_CELLS // self.batches.space.feature_count  # samples of wide tables are long and dear
        count = max(FEWEST_SAMPLES, min(MOST_SAMPLES, ALL_SAMPLES // len(self.directions), wide))
        source = np.resize(way.measured, count)  # begins again with the first row after the last
        valid = self._valid(policy, way, source, "watch", number)
        labels = (_plain(self.classes[way.predicted]), _plain(self.classes[way.target]))
        rows = min(count, len(way.measured))
        return DirectionValidity(*labels, rows, way.held_out, count, float(valid.mean()))

    def _valid(self, policy: Policy, way: Direction, rows: ndarray, *names: str | int) -> Bool[ndarray, " row"]:
        """Whether a sample of each row is valid."""
        batch = self.batches.plain(Chosen(rows, np.full(len(rows), way.target)))
        keys = np.arange(len(rows), dtype=np.uint64) + np.uint64(derived_seed(self.seed, *names))
        trajectories = rollout(policy, batch.questions, keys)
        return self.valid_of(batch, final_states(trajectories, batch.questions.factual)).numpy()


def _plain(label: Any) -> Any:
    """The label as JSON can hold it."""
    return label if isinstance(label, PLAIN) else str(label)
