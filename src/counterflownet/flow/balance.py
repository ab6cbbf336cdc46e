"""The balance conditions of a flow, as residuals that are zero when it samples in proportion to the reward.

All apply to the same trajectories. Positions after the end of a trajectory are 0 and do not count.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

Whole = Float[Tensor, " trajectory"]
PerStep = Float[Tensor, "trajectory step"]
PerState = Float[Tensor, "trajectory state"]
Taken = Bool[Tensor, "trajectory step"]
Visited = Bool[Tensor, "trajectory state"]
Lengths = Int[Tensor, " trajectory"]

NOTHING = -1e4  # a logarithm so small that nothing is left of it; not infinite, which has no gradient


def trajectory_residual(
    log_flow: Whole, log_forward: PerStep, log_last_stop: Whole, log_backward: PerStep, log_reward: Whole
) -> Whole:
    """Trajectory balance (paper, eq. tb_loss, before squaring): one residual for each whole trajectory."""
    return log_flow + log_forward.sum(dim=1) + log_last_stop - log_reward - log_backward.sum(dim=1)


def edit_residual(log_flow: PerState, log_forward: PerStep, log_backward: PerStep, taken: Taken) -> PerStep:
    """Detailed balance: one residual for each edit, from the flows through the states before and after it."""
    return torch.where(taken, log_flow[:, :-1] + log_forward - log_flow[:, 1:] - log_backward, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """The residuals of all stretches of each trajectory; those that are ``known`` lie between states of known flow.

    ``nearest`` are those of them that pass no other such state.
    """

    residual: Float[Tensor, "trajectory pair"]
    known: Bool[Tensor, "trajectory pair"]
    nearest: Bool[Tensor, "trajectory pair"]
    length: Int[Tensor, " pair"]


def stretches_between(log_flow: PerState, log_forward: PerStep, log_backward: PerStep, known: Visited) -> Stretches:
    """What stretches between states of ``known`` flow say: flows of the states between cancel, whatever they are."""
    ways = torch.nn.functional.pad((log_forward - log_backward).cumsum(dim=1), (1, 0))
    level = torch.where(known, log_flow - ways, 0.0)
    start, stop = torch.triu_indices(known.shape[1], known.shape[1], offset=1, device=known.device)
    number, both = known.cumsum(dim=1), known[:, start] & known[:, stop]
    nearest = both & (number[:, stop] - number[:, start] == 1)
    return Stretches(level[:, start] - level[:, stop], both, nearest, stop - start)


def exit_flow(log_reward: PerState, log_stop: PerState) -> PerState:
    """The flow through states that may stop: R(s) / P(STOP | s), so that none has to be learned."""
    return log_reward - log_stop


def learned_flow(log_reward: PerState, log_onward: PerState, log_stop: PerState) -> PerState:
    """The flow through states as what stops in them, which is known, and what goes on, which is learned.

    Nothing flows onward where STOP is certain, and nothing stops where it is not legal.
    """
    log_stopping = log_reward.masked_fill(log_stop.isneginf(), NOTHING)
    return torch.logaddexp(log_stopping, log_onward.masked_fill(log_stop >= 0, NOTHING))


def stop_residual(log_flow: PerState, log_stop: PerState, log_reward: PerState, visited: Visited) -> PerState:
    """Where the flow is learned: one residual for STOP in each state, since what stops there must be its reward."""
    return torch.where(visited & ~log_stop.isneginf(), log_flow + log_stop - log_reward, 0.0)


def with_last_stop(edits: PerStep, stops: PerState, length: Lengths) -> PerState:
    """The residuals of each trajectory's edits, followed by that of the STOP that ended it."""
    last = length[:, None]
    return torch.nn.functional.pad(edits, (0, 1)).scatter(1, last, stops.gather(1, last))


def subtrajectory_residuals(
    single: PerStep, taken: Taken, decay: float
) -> tuple[Float[Tensor, "trajectory pair"], Float[Tensor, "trajectory pair"]]:
    """Residuals of all sub-trajectories and their weights: ``decay ** (steps - 1)``, or 0 past the end.

    The conditions telescope: the residual of a sub-trajectory is the sum of the ``single`` residuals of its steps.
    """
    step_count = single.shape[1]
    ends = torch.nn.functional.pad(single.cumsum(dim=1), (1, 0))
    start, stop = torch.triu_indices(step_count + 1, step_count + 1, offset=1, device=single.device)
    weight = decay ** (stop - start - 1).to(single.dtype)
    return ends[:, stop] - ends[:, start], weight * taken[:, stop - 1]


def uniform_log_backward(length: Lengths, step_count: int) -> PerStep:
    """The log-probability of undoing exactly the last edit, at each step; 0 after the end of a trajectory.

    Uniform over the edits made so far, so that all orders of a set of edits sum to one.
    """
    edits_so_far = torch.arange(1, step_count + 1, device=length.device)
    return torch.where(edits_so_far <= length[:, None], -edits_so_far.log(), 0.0)
