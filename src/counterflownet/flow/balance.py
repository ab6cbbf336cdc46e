"""The balance conditions of a flow, as residuals that are zero when it samples in proportion to the reward.

All apply to the same trajectories. Positions after the end of a trajectory are 0 and do not count.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

NOTHING = -1e4  # the logarithm of practically 0; not infinite, which has no gradient


def trajectory_residual(
    log_flow: Float[Tensor, " trajectory"],
    log_forward: Float[Tensor, "trajectory step"],
    log_last_stop: Float[Tensor, " trajectory"],
    log_backward: Float[Tensor, "trajectory step"],
    log_reward: Float[Tensor, " trajectory"],
) -> Float[Tensor, " trajectory"]:
    """Trajectory balance (paper, eq. tb_loss, before squaring): one residual per trajectory."""
    return log_flow + log_forward.sum(dim=1) + log_last_stop - log_reward - log_backward.sum(dim=1)


def edit_residual(
    log_flow: Float[Tensor, "trajectory state"],
    log_forward: Float[Tensor, "trajectory step"],
    log_backward: Float[Tensor, "trajectory step"],
    taken: Bool[Tensor, "trajectory step"],
) -> Float[Tensor, "trajectory step"]:
    """Detailed balance: one residual per edit, from the flows through the states before and after it."""
    return torch.where(taken, log_flow[:, :-1] + log_forward - log_flow[:, 1:] - log_backward, 0.0)


def exit_flow(
    log_reward: Float[Tensor, "trajectory state"], log_stop: Float[Tensor, "trajectory state"]
) -> Float[Tensor, "trajectory state"]:
    """The flow through states that may stop: R(s) / P(STOP | s), so it need not be learned."""
    return log_reward - log_stop


def learned_flow(
    log_reward: Float[Tensor, "trajectory state"],
    log_onward: Float[Tensor, "trajectory state"],
    log_stop: Float[Tensor, "trajectory state"],
) -> Float[Tensor, "trajectory state"]:
    """The flow through states: what stops there, which is known, plus what flows onward, which is learned.

    Nothing flows onward where STOP is certain.
    """
    return torch.logaddexp(log_reward, log_onward.masked_fill(log_stop >= 0, NOTHING))


def stop_residual(
    log_flow: Float[Tensor, "trajectory state"],
    log_stop: Float[Tensor, "trajectory state"],
    log_reward: Float[Tensor, "trajectory state"],
    visited: Bool[Tensor, "trajectory state"],
) -> Float[Tensor, "trajectory state"]:
    """For a learned flow, one residual per state for STOP: what stops there must equal the reward."""
    return torch.where(visited, log_flow + log_stop - log_reward, 0.0)


def with_last_stop(
    edits: Float[Tensor, "trajectory step"],
    stops: Float[Tensor, "trajectory state"],
    length: Int[Tensor, " trajectory"],
) -> Float[Tensor, "trajectory state"]:
    """The residuals of each trajectory's edits, followed by that of its final STOP."""
    last = length[:, None]
    return torch.nn.functional.pad(edits, (0, 1)).scatter(1, last, stops.gather(1, last))


def subtrajectory_residuals(
    single: Float[Tensor, "trajectory step"], taken: Bool[Tensor, "trajectory step"], decay: float
) -> tuple[Float[Tensor, "trajectory pair"], Float[Tensor, "trajectory pair"]]:
    """Residuals of all sub-trajectories and their weights: ``decay ** (steps - 1)``, or 0 past the end.

    The conditions telescope: the residual of a sub-trajectory is the sum of the ``single`` residuals of its steps.
    """
    step_count = single.shape[1]
    ends = torch.nn.functional.pad(single.cumsum(dim=1), (1, 0))
    start, stop = torch.triu_indices(step_count + 1, step_count + 1, offset=1, device=single.device)
    weight = decay ** (stop - start - 1).to(single.dtype)
    return ends[:, stop] - ends[:, start], weight * taken[:, stop - 1]


def uniform_log_backward(length: Int[Tensor, " trajectory"], step_count: int) -> Float[Tensor, "trajectory step"]:
    """The log-probability of undoing exactly the last edit at each step; 0 after the end of a trajectory.

    Uniform over the edits made so far, so that all orders of a set of edits sum to one.
    """
    edits_so_far = torch.arange(1, step_count + 1, device=length.device)
    return torch.where(edits_so_far <= length[:, None], -edits_so_far.log(), 0.0)
