"""The training objectives: four balance conditions, each with its loss, the heads it needs and its initialisation.

All use the same trajectories. The residuals are in :mod:`counterflownet.flow.balance`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import huber_loss

from counterflownet._states import States
from counterflownet.flow import balance
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.likelihood import likelihood
from counterflownet.flow.model import FlowModel, LogFlow


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Trajectories, every state they pass through, and the log-rewards of all or only the last of these states."""

    questions: Questions
    trajectories: Trajectories
    states: States
    log_reward: Float[Tensor, " judged"]

    @property
    def log_backward(self) -> Float[Tensor, "trajectory step"]:
        return balance.uniform_log_backward(self.trajectories.length, self.trajectories.feature.shape[1])

    def along(self, of_states: Float[Tensor, " visited"]) -> Float[Tensor, "trajectory state"]:
        """Values of all visited states, arranged by trajectory; 0 after the end."""
        visited = self.trajectories.visited
        return of_states.new_zeros(visited.shape).masked_scatter(visited, of_states)


@dataclass(frozen=True, slots=True, eq=False)
class Imbalance:
    """The loss to minimise, and the residuals behind it."""

    loss: Float[Tensor, ""]
    residual: Float[Tensor, " residual"]


@dataclass(frozen=True, slots=True)
class Objective(ABC):
    """A balance condition: zero residuals everywhere mean samples in proportion to the reward.

    Attributes:
        huber: The residual beyond which the loss grows linearly instead of quadratically.
        stretch_decay: The weight of a stretch of edits relative to one that is one edit shorter.
    """

    huber: float = 1.0
    stretch_decay: float = 0.9

    name: ClassVar[str]
    judges_every_state: ClassVar[bool] = True
    stops_anywhere: ClassVar[bool] = True  # whether it reads the flow of a state off what stops there
    learns_log_flow: ClassVar[bool] = False

    def begin(self, model: FlowModel, first: Passage) -> None:  # noqa: B027 - most have nothing to set
        """Initialise what should not be learned from zero, from the first trajectories, before the first step."""

    @abstractmethod
    def imbalance(self, model: FlowModel, passage: Passage) -> Imbalance:
        """How far the model is from balance on these trajectories."""

    def _penalty(self, residual: Tensor) -> Tensor:
        return huber_loss(residual, torch.zeros_like(residual), reduction="none", delta=self.huber)

    def _over_stretches(self, residual: Tensor, counted: Bool[Tensor, "trajectory step"]) -> Tensor:
        stretches, weights = balance.subtrajectory_residuals(residual, counted, self.stretch_decay)
        return (weights * self._penalty(stretches)).sum() / weights.sum().clamp(min=1)


class TrajectoryBalance(Objective):
    """The paper's: one residual per trajectory, with log F of the question from a separate network."""

    name = "trajectory"
    judges_every_state = False
    stops_anywhere = False
    learns_log_flow = True

    def begin(self, model: FlowModel, first: Passage) -> None:
        """Start log F where the mean residual is zero."""
        with torch.no_grad():
            _log_flow(model).shift -= self._residual(model, first).mean()

    def imbalance(self, model: FlowModel, passage: Passage) -> Imbalance:
        residual = self._residual(model, passage)
        return Imbalance(self._penalty(residual).mean(), residual)

    @staticmethod
    def _residual(model: FlowModel, passage: Passage) -> Float[Tensor, " trajectory"]:
        along = likelihood(model.policy, passage.questions, passage.trajectories, passage.states)
        log_flow = _log_flow(model)(passage.questions)
        log_stop = along.log_stop.gather(1, passage.trajectories.length[:, None]).squeeze(1)
        log_forward, log_backward = along.log_forward, passage.log_backward
        return balance.trajectory_residual(log_flow, log_forward, log_stop, log_backward, passage.log_reward)


class DetailedBalance(Objective):
    """One residual per edit. The flow of a state that may stop is known: R(s) / P(STOP | s).

    Where rules keep some states from stopping, one residual for each stretch of edits from one that may to the next.
    """

    name = "detailed"

    def imbalance(self, model: FlowModel, passage: Passage) -> Imbalance:
        taken = passage.trajectories.taken
        along = likelihood(model.policy, passage.questions, passage.trajectories, passage.states)
        log_flow = balance.exit_flow(passage.along(passage.log_reward), along.log_stop)
        if along.log_stop.isneginf().any():
            known = passage.trajectories.visited & ~along.log_stop.isneginf()
            stretches = balance.stretches_between(log_flow, along.log_forward, passage.log_backward, known)
            return Imbalance(self._loss_of(stretches), stretches.residual[stretches.nearest])
        residual = balance.edit_residual(log_flow, along.log_forward, passage.log_backward, taken)
        return Imbalance(self._loss(residual, taken), residual[taken])

    def _loss(self, residual: Tensor, taken: Bool[Tensor, "trajectory step"]) -> Tensor:
        return self._penalty(residual).sum() / taken.sum().clamp(min=1)

    def _loss_of(self, stretches: balance.Stretches) -> Tensor:
        """The nearest ones, each as much as any other."""
        return self._penalty(stretches.residual[stretches.nearest]).sum() / stretches.nearest.sum().clamp(min=1)


class SubTrajectoryBalance(DetailedBalance):
    """The residuals of edits summed over all sub-trajectories."""

    name = "subtrajectory"

    def _loss_of(self, stretches: balance.Stretches) -> Tensor:
        """All of them, the longer the less."""
        weights = self.stretch_decay ** (stretches.length - 1) * stretches.known
        return (weights * self._penalty(stretches.residual)).sum() / weights.sum().clamp(min=1)

    def _loss(self, residual: Tensor, taken: Bool[Tensor, "trajectory step"]) -> Tensor:
        return self._over_stretches(residual, taken)


class StateFlowBalance(Objective):
    """Sub-trajectory balance in which a head learns the flow onward from each state, and STOP is a step, too."""

    name = "stateflow"

    def begin(self, model: FlowModel, first: Passage) -> None:
        """Start the flows at the best reward, where most of them lead."""
        with torch.no_grad():
            model.policy.flow_head.bias.add_(first.log_reward.max())

    def imbalance(self, model: FlowModel, passage: Passage) -> Imbalance:
        taken, visited = passage.trajectories.taken, passage.trajectories.visited
        along = likelihood(model.policy, passage.questions, passage.trajectories, passage.states)
        log_onward = passage.along(model.policy.log_onward(along.hidden))
        log_reward = passage.along(passage.log_reward)
        log_flow = balance.learned_flow(log_reward, log_onward, along.log_stop)
        edits = balance.edit_residual(log_flow, along.log_forward, passage.log_backward, taken)
        stops = balance.stop_residual(log_flow, along.log_stop, log_reward, visited)
        loss = self._over_stretches(balance.with_last_stop(edits, stops, passage.trajectories.length), visited)
        loss = loss + self._penalty(stops).sum() / visited.sum()
        return Imbalance(loss, torch.cat([edits[taken], stops[visited]]))


OBJECTIVES: Mapping[str, type[Objective]] = MappingProxyType(
    {kind.name: kind for kind in (TrajectoryBalance, DetailedBalance, SubTrajectoryBalance, StateFlowBalance)}
)


def _log_flow(model: FlowModel) -> LogFlow:
    if model.log_flow is None:
        raise RuntimeError("trajectory balance needs a model built with a log-flow network")
    return model.log_flow
