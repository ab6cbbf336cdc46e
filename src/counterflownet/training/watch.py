"""Samples of every direction, drawn as a user would draw them, and how many of them are valid."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Bool
from torch import Tensor

from counterflownet._states import States
from counterflownet.flow.edits import final_states
from counterflownet.flow.policy import Policy
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import derived_seed
from counterflownet.training.batches import Batch, FactualBatches
from counterflownet.training.checks import PLAIN, DirectionValidity
from counterflownet.training.directions import Direction, Directions
from counterflownet.training.order import Chosen, DirectionOrder, leaning_shares

ValidOf = Callable[[Batch, States], Bool[Tensor, " state"]]

MOST_SAMPLES, FEWEST_SAMPLES = 500, 50  # of one direction
MOST_CELLS = 50_000
ALL_SAMPLES = 2_000  # of all together, unless each would have fewer than the fewest


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """Measures the policy: the same rows and the same random numbers every time, so that little but it can differ."""

    directions: Directions
    batches: FactualBatches
    valid_of: ValidOf
    classes: Sequence[Any]
    seed: int

    def __call__(self, policy: Policy) -> tuple[DirectionValidity, ...]:
        return tuple(self._measured(policy, number, way) for number, way in enumerate(self.directions))

    def leaning(self, weak: Sequence[bool], size: int) -> FactualBatches:
        """Batches of which half is for the weak directions alone."""
        order = DirectionOrder(self.directions, size, self.batches.seed, leaning_shares(weak))
        return replace(self.batches, order=order)

    def _measured(self, policy: Policy, number: int, way: Direction) -> DirectionValidity:
        wide = MOST_CELLS // self.batches.space.feature_count  # samples of wide tables are long and dear
        count = max(FEWEST_SAMPLES, min(MOST_SAMPLES, ALL_SAMPLES // len(self.directions), wide))
        source = np.resize(way.measured, count)  # begins again with the first row after the last
        batch = self.batches.plain(Chosen(source, np.full(count, way.target)))
        keys = np.arange(count, dtype=np.uint64) + np.uint64(derived_seed(self.seed, "watch", number))
        trajectories = rollout(policy, batch.questions, keys)
        valid = self.valid_of(batch, final_states(trajectories, batch.questions.factual))
        labels = (_plain(self.classes[way.predicted]), _plain(self.classes[way.target]))
        rows = min(count, len(way.measured))
        return DirectionValidity(*labels, rows, way.held_out, count, float(valid.double().mean()))


def _plain(label: Any) -> Any:
    """The label as JSON can hold it."""
    return label if isinstance(label, PLAIN) else str(label)
