"""How states are drawn from the flow, each factual by random numbers of its own."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.policy import Policy
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys, sample_keys


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """Draws ``samples`` of each factual at a time, unless a draw says otherwise."""

    policy: Policy
    samples: int
    seed: int

    def draw(
        self,
        questions: Questions,
        asked: Int[ndarray, " asked"],
        *,
        count: int | None = None,
        start: int = 0,
        epsilon: float = 0.0,
    ) -> Trajectories:
        """``count`` trajectories of every factual that is asked, those of one factual together.

        They are its samples number ``start`` and following. ``epsilon`` is the share of uniformly random actions.
        """
        count = self.samples if count is None else count
        keys = sample_keys(self.keys(questions, asked), count, start=start)
        row = torch.from_numpy(np.repeat(asked, count))
        return rollout(self.policy, questions, keys, row=row, epsilon=epsilon)

    def keys(self, questions: Questions, asked: Int[ndarray, " asked"]) -> NDArray[np.uint64]:
        """A stream of random numbers for each factual and target, whatever else is asked beside them."""
        return row_keys(questions.identity.numpy()[asked], seed=self.seed)
