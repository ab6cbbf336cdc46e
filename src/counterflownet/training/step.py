"""One training step: trajectories, rewards, balance."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import huber_loss

from counterflownet._device import on_device
from counterflownet.flow.backward import uniform_log_backward
from counterflownet.flow.balance import (
    edit_residual,
    exit_flow,
    learned_flow,
    stop_residual,
    subtrajectory_residuals,
    trajectory_residual,
    with_last_stop,
)
from counterflownet.flow.edits import States, Trajectories, visited_states
from counterflownet.flow.likelihood import Likelihood, likelihood
from counterflownet.flow.rollout import rollout
from counterflownet.training.batches import Batch
from counterflownet.training.model import FlowModel
from counterflownet.training.settings import TrainingSettings


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What a reward says of states."""

    log_reward: Float[Tensor, " state"]
    reward: Float[Tensor, " state"]
    valid: Bool[Tensor, " state"]


Judge = Callable[[Batch, States], Judged]
LogBackward = Callable[[Tensor, int], Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class Experience:
    """Trajectories with the rewards of their states, and those of their ends."""

    batch: Batch
    trajectories: Trajectories
    states: States
    judged: Judged
    ends: Judged


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
    """What stays the same from step to step."""

    model: FlowModel
    judge: Judge
    settings: TrainingSettings
    log_backward: LogBackward = uniform_log_backward

    def collect(self, batch: Batch, keys: NDArray[np.uint64], exploration: float) -> Experience:
        """Trajectories of the policy as it is now, and what the reward says of their states."""
        trajectories = rollout(self.model.policy, batch.questions, keys, epsilon=exploration)
        states = visited_states(trajectories, batch.questions.factual)
        last = trajectories.length.add(1).cumsum(0) - 1
        if self.settings.objective == "trajectory":
            judged = ends = self.judge(batch, states[last])
        else:
            judged = self.judge(batch, states)
            ends = Judged(judged.log_reward[last], judged.reward[last], judged.valid[last])
        return on_device(Experience(batch, trajectories, states, judged, ends), self.model.policy.device)

    def loss(self, seen: Experience) -> StepResult:
        """How far the policy is from balance on these trajectories."""
        along = likelihood(self.model.policy, seen.batch.questions, seen.trajectories, seen.states)
        if self.settings.objective == "trajectory":
            loss, residual = self._trajectory_loss(seen.batch, seen.trajectories, along, seen.judged)
        elif self.settings.objective == "stateflow":
            loss, residual = self._learned_flow_loss(seen.trajectories, along, seen.judged)
        else:
            loss, residual = self._exit_flow_loss(seen.trajectories, along, seen.judged)
        return self._result(loss, residual, seen.ends, seen.trajectories)

    def _trajectory_loss(
        self, batch: Batch, trajectories: Trajectories, along: Likelihood, judged: Judged
    ) -> tuple[Tensor, Tensor]:
        log_flow = self.model.log_flow
        if log_flow is None:
            raise RuntimeError("trajectory balance needs a model built for it")
        residual = trajectory_residual(
            log_flow(batch.questions),
            along.log_forward,
            along.log_stop.gather(1, trajectories.length[:, None]).squeeze(1),
            self._backward(trajectories),
            judged.log_reward,
        )
        if log_flow.shift == 0:  # the first step of all: begin where the residuals' mean is zero
            log_flow.shift -= residual.mean().detach()
            residual = residual + log_flow.shift
        return self._huber(residual).mean(), residual

    def _exit_flow_loss(self, trajectories: Trajectories, along: Likelihood, judged: Judged) -> tuple[Tensor, Tensor]:
        taken = trajectories.taken
        log_flow = exit_flow(_padded(judged.log_reward, trajectories), along.log_stop)
        residual = edit_residual(log_flow, along.log_forward, self._backward(trajectories), taken)
        if self.settings.objective == "detailed":
            return self._huber(residual).sum() / taken.sum().clamp(min=1), residual[taken]
        return self._over_stretches(residual, taken), residual[taken]

    def _learned_flow_loss(
        self, trajectories: Trajectories, along: Likelihood, judged: Judged
    ) -> tuple[Tensor, Tensor]:
        taken, visited = trajectories.taken, trajectories.visited
        log_onward, bias = along.log_onward, self.model.policy.flow_head.bias
        if bias == 0:  # the first step of all: begin at the best reward, which is what most flows lead to
            with torch.no_grad():
                bias.add_(judged.log_reward.max())
            log_onward = log_onward + bias.detach()
        log_reward = _padded(judged.log_reward, trajectories)
        log_flow = learned_flow(log_reward, log_onward, along.log_stop)
        edits = edit_residual(log_flow, along.log_forward, self._backward(trajectories), taken)
        stops = stop_residual(log_flow, along.log_stop, log_reward, visited)
        loss = self._over_stretches(with_last_stop(edits, stops, trajectories.length), visited)
        return loss + self._huber(stops).sum() / visited.sum(), torch.cat([edits[taken], stops[visited]])

    def _over_stretches(self, residual: Tensor, counted: Tensor) -> Tensor:
        stretches, weights = subtrajectory_residuals(residual, counted, self.settings.stretch_decay)
        return (weights * self._huber(stretches)).sum() / weights.sum().clamp(min=1)

    def _backward(self, trajectories: Trajectories) -> Tensor:
        return self.log_backward(trajectories.length, trajectories.feature.shape[1])

    def _huber(self, residual: Tensor) -> Tensor:
        return huber_loss(residual, torch.zeros_like(residual), reduction="none", delta=self.settings.huber)

    @staticmethod
    def _result(loss: Tensor, residual: Tensor, ends: Judged, trajectories: Trajectories) -> StepResult:
        return StepResult(
            loss=loss,
            residual=float(residual.detach().abs().mean()) if len(residual) else 0.0,
            reward=float(ends.reward.mean()),
            validity=float(ends.valid.float().mean()),
            changes=float(trajectories.length.float().mean()),
        )


def _padded(of_states: Float[Tensor, " visited"], trajectories: Trajectories) -> Float[Tensor, "trajectory state"]:
    """What is known of all visited states in one line, trajectory by trajectory."""
    visited = trajectories.visited
    return of_states.new_zeros(visited.shape).masked_scatter(visited, of_states)
