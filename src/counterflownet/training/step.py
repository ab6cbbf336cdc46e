"""One training step: trajectories, their rewards, and how far from balance they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy.typing import NDArray
from torch import Tensor

from counterflownet._device import on_device
from counterflownet._states import States
from counterflownet.flow.edits import visited_states
from counterflownet.flow.model import FlowModel
from counterflownet.flow.objectives import Objective, Passage
from counterflownet.flow.rollout import rollout
from counterflownet.training.batches import Batch


@dataclass(frozen=True, slots=True, eq=False)
class StateRewards:
    """What the reward says of states."""

    log_reward: Float[Tensor, " state"]
    reward: Float[Tensor, " state"]
    valid: Bool[Tensor, " state"]

    def __getitem__(self, chosen: Tensor) -> "StateRewards":
        return StateRewards(self.log_reward[chosen], self.reward[chosen], self.valid[chosen])

    @classmethod
    def joined(cls, parts: Sequence["StateRewards"]) -> "StateRewards":
        """The rewards of all parts, one part after the other."""
        return cls(*(torch.cat([getattr(part, name) for part in parts]) for name in cls.__slots__))


RewardOf = Callable[[Batch, States], StateRewards]


@dataclass(frozen=True, slots=True, eq=False)
class Experience:
    """Trajectories as the objective reads them, and the rewards of the states they ended in."""

    passage: Passage
    ends: StateRewards


@dataclass(frozen=True, slots=True, eq=False)
class StepResult:
    """The loss to descend on, and what a person wants to see of the step."""

    loss: Float[Tensor, ""]
    residual: float
    reward: float
    validity: float
    changes: float


@dataclass(frozen=True, slots=True, eq=False)
class Trainer:
    """What stays the same from step to step: the networks, the reward and the objective."""

    model: FlowModel
    reward_of: RewardOf
    objective: Objective

    def collect(self, batch: Batch, keys: NDArray[np.uint64], exploration: float) -> Experience:
        """Trajectories of the policy as it is now, and the rewards of their states."""
        trajectories = rollout(self.model.policy, batch.questions, keys, epsilon=exploration)
        states = visited_states(trajectories, batch.questions.factual)
        last = trajectories.length.add(1).cumsum(0) - 1
        if self.objective.judges_every_state:
            rewards = self.reward_of(batch, states)
            ends = rewards[last]
        else:
            rewards = ends = self.reward_of(batch, states[last])
        passage = Passage(batch.questions, trajectories, states, rewards.log_reward)
        return on_device(Experience(passage, ends), self.model.policy.device)

    def begin(self, first: Experience) -> None:
        """What the objective sets before the first step of all."""
        self.objective.begin(self.model, first.passage)

    def loss(self, seen: Experience) -> StepResult:
        """How far the policy is from balance on these trajectories."""
        imbalance = self.objective.imbalance(self.model, seen.passage)
        residual = imbalance.residual.detach()
        return StepResult(
            loss=imbalance.loss,
            residual=float(residual.abs().mean()) if len(residual) else 0.0,
            reward=float(seen.ends.reward.mean()),
            validity=float(seen.ends.valid.float().mean()),
            changes=float(seen.passage.trajectories.length.float().mean()),
        )
