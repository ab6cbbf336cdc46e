"""The balance conditions of a flow, as residuals that are zero when it samples in proportion to the reward.

All of them read the same trajectories. Places after the end of a trajectory carry 0 and do not count.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def trajectory_residual(
    log_flow: Float[Tensor, " trajectory"],
    log_forward: Float[Tensor, "trajectory step"],
    log_last_stop: Float[Tensor, " trajectory"],
    log_backward: Float[Tensor, "trajectory step"],
    log_reward: Float[Tensor, " trajectory"],
) -> Float[Tensor, " trajectory"]:
    """Trajectory balance (paper, eq. tb_loss, before squaring): one residual for each whole trajectory."""
    return log_flow + log_forward.sum(dim=1) + log_last_stop - log_reward - log_backward.sum(dim=1)


def detailed_residual(
    log_forward: Float[Tensor, "trajectory step"],
    log_stop: Float[Tensor, "trajectory state"],
    log_backward: Float[Tensor, "trajectory step"],
    log_reward: Float[Tensor, "trajectory state"],
    taken: Bool[Tensor, "trajectory step"],
) -> Float[Tensor, "trajectory step"]:
    """Detailed balance: one residual for each edit.

    Every state may stop, so the flow through a state is R(s) / P(STOP | s), and no flow has to be learned.
    """
    log_flow = log_reward - log_stop
    residual = log_flow[:, :-1] + log_forward - log_flow[:, 1:] - log_backward
    return torch.where(taken, residual, 0.0)


def subtrajectory_residuals(
    detailed: Float[Tensor, "trajectory step"], taken: Bool[Tensor, "trajectory step"], decay: float
) -> tuple[Float[Tensor, "trajectory pair"], Float[Tensor, "trajectory pair"]]:
    """Residuals of all stretches of each trajectory, and their weights: ``decay ** (edits - 1)``, 0 if not inside.

    With exit flows the conditions telescope: a stretch's residual is the sum of its edits' detailed residuals.
    """
    step_count = detailed.shape[1]
    ends = torch.nn.functional.pad(detailed.cumsum(dim=1), (1, 0))
    start, stop = torch.triu_indices(step_count + 1, step_count + 1, offset=1, device=detailed.device)
    weight = decay ** (stop - start - 1).to(detailed.dtype)
    return ends[:, stop] - ends[:, start], weight * taken[:, stop - 1]
