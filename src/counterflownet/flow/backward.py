"""The backward policy: uniform over the edits made so far, so that all orders of a set of edits sum to one."""

import torch
from jaxtyping import Float, Int
from torch import Tensor


def uniform_log_backward(length: Int[Tensor, " trajectory"], step_count: int) -> Float[Tensor, "trajectory step"]:
    """The log-probability of undoing exactly the last edit, at each step; 0 after the end of a trajectory."""
    edits_so_far = torch.arange(1, step_count + 1, device=length.device)
    return torch.where(edits_so_far <= length[:, None], -edits_so_far.log(), 0.0)
