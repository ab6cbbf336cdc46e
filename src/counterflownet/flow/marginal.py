"""The probability of ending in a given state, whatever the order of its edits."""

import math

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

from counterflownet._states import States
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.importance import log_probabilities
from counterflownet.flow.policy import Policy
from counterflownet.flow.question import Questions
from counterflownet.seeds import keyed_uniforms, sample_keys


def estimated_log_marginals(
    policy: Policy, questions: Questions, states: States, keys: NDArray[np.uint64], *, orders: int
) -> Float[Tensor, " state"]:
    """Log P(x') from random orders of each state's edits: the mean of P_F / P_B over orders drawn from P_B.

    The mean is unbiased, and exact for states of a single edit.
    """
    many = sample_keys(keys, orders)
    repeated = states[torch.arange(len(states)).repeat_interleave(orders)]
    logs = log_probabilities(policy, questions, ordered_randomly(repeated, many))
    return logs.reshape(len(states), orders).logsumexp(dim=1) - math.log(orders)


def ordered_randomly(states: States, keys: NDArray[np.uint64]) -> Trajectories:
    """One trajectory to each state, with its edits in an order determined by the key."""
    feature_count = states.edited.shape[1]
    chance = torch.stack([torch.from_numpy(keyed_uniforms(keys, d)) for d in range(feature_count)], dim=1)
    feature: Int[Tensor, "state feature"] = torch.where(states.edited, chance, 2.0).argsort(dim=1)
    length = states.edited.sum(dim=1)
    inside = torch.arange(feature_count) < length[:, None]
    feature = torch.where(inside, feature, 0)
    code = torch.where(inside, states.codes.gather(1, feature), 0)
    longest = int(length.max()) if len(length) else 0
    return Trajectories(states.row, feature[:, :longest], code[:, :longest], length)
