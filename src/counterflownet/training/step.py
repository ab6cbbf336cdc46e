"""One training step: trajectories, their rewards, and how far from balance they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from counterflownet._device import on_device
from counterflownet._preferences import Preferences
from counterflownet._states import States
from counterflownet.flow.edits import visited_states
from counterflownet.flow.model import FlowModel
from counterflownet.flow.objectives import Objective, Passage
from counterflownet.flow.rollout import rollout
from counterflownet.reward.factors import Factors
from counterflownet.training.batches import Batch
from counterflownet.training.guide import Guide


@dataclass(frozen=True, slots=True, eq=False)
class StateRewards:
    """What the reward says of states, and their ``factors``, if it may be asked again under other preferences."""

    log_reward: Float[Tensor, " state"]
    reward: Float[Tensor, " state"]
    valid: Bool[Tensor, " state"]
    factors: Factors | None = None

    def __getitem__(self, chosen: Tensor) -> "StateRewards":
        return StateRewards(self.log_reward[chosen], self.reward[chosen], self.valid[chosen])

    @classmethod
    def joined(cls, parts: Sequence["StateRewards"]) -> "StateRewards":
        """The rewards of all parts, one part after the other."""
        factors = [part.factors for part in parts if part.factors is not None]
        return cls(
            torch.cat([part.log_reward for part in parts]),
            torch.cat([part.reward for part in parts]),
            torch.cat([part.valid for part in parts]),
            Factors.joined(factors) if factors else None,
        )


RewardOf = Callable[[Batch, States], StateRewards]


@dataclass(frozen=True, slots=True, eq=False)
class Experience:
    """Trajectories as the objective reads them, and the rewards of the states they ended in."""

    passage: Passage
    ends: StateRewards
    judged_row: Int[Tensor, " judged"]
    factors: Factors | None = None

    def under(self, preferences: Preferences) -> "Experience":
        """The same trajectories as those of rows that prefer something else."""
        if self.factors is None:
            return self
        passage, device = self.passage, self.passage.log_reward.device
        log_reward = torch.from_numpy(self.factors.scores(preferences[self.judged_row.cpu()]).log_reward).float()
        questions = replace(passage.questions, preferences=on_device(preferences, device))
        return replace(self, passage=replace(passage, questions=questions, log_reward=log_reward.to(device)))


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
    guide: Guide | None = None

    def collect(
        self, batch: Batch, keys: NDArray[np.uint64], exploration: float, *, guided: bool = False
    ) -> Experience:
        """Trajectories of the policy as it is now, led on to the target if they are ``guided``, and their rewards."""
        trajectories = rollout(self.model.policy, batch.questions, keys, epsilon=exploration)
        if guided and self.guide is not None:
            trajectories = self.guide(batch, trajectories, keys)
        states = visited_states(trajectories, batch.questions.factual)
        last = trajectories.length.add(1).cumsum(0) - 1
        if self.objective.judges_every_state:
            rewards, row = self.reward_of(batch, states), states.row
            ends = rewards[last]
        else:
            rewards, row = self.reward_of(batch, states[last]), states.row[last]
            ends = rewards
        passage = Passage(batch.questions, trajectories, states, rewards.log_reward)
        return on_device(Experience(passage, ends, row, rewards.factors), self.model.policy.device)

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
