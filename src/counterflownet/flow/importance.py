"""Importance weights of trajectories: how much too rarely the policy draws each of them.

The weight of a trajectory, R(x') P_B(order | x') / P_F(order), is known exactly. So samples of a half-trained policy
can be corrected, and the spread of the weights measures how far from proportional it is: if exact, all are equal.
"""

import math

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.typing import NDArray
from torch import Tensor

from counterflownet._device import on_device
from counterflownet._states import States
from counterflownet.flow.balance import uniform_log_backward
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories, visited_states
from counterflownet.flow.likelihood import likelihood
from counterflownet.flow.policy import Policy
from counterflownet.seeds import keyed_uniforms, sample_keys


@torch.no_grad()
def log_probabilities(policy: Policy, questions: Questions, trajectories: Trajectories) -> Float[Tensor, " trajectory"]:
    """Log P_F - log P_B of trajectories: what log P(x') would be if all orders of its edits were equally probable."""
    questions, trajectories = on_device(questions, policy.device), on_device(trajectories, policy.device)
    states = visited_states(trajectories, questions.factual)
    along = likelihood(policy, questions, trajectories, states)
    log_stop = along.log_stop.gather(1, trajectories.length[:, None]).squeeze(1)
    log_backward = uniform_log_backward(trajectories.length, trajectories.feature.shape[1])
    return (along.log_forward.sum(dim=1) + log_stop - log_backward.sum(dim=1)).cpu()


def effective_share(log_weights: Float[ndarray, "row sample"]) -> Float[ndarray, " row"]:
    """The effective sample size of importance weights as a share of the samples: 1 if all weights are equal."""
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    return weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1) / weights.shape[1]


def resampled(
    log_weights: Float[ndarray, "row sample"], count: int, uniform: Float[ndarray, " row"]
) -> Int[ndarray, "row chosen"]:
    """For each row the indices of ``count`` samples, drawn in proportion to the weights (systematic resampling).

    One uniform number per row decides: the points ``(uniform + 0, 1, ..., count - 1) / count`` are looked up in the
    distribution function, which adds less noise than independent draws.
    """
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    cumulative = np.cumsum(weights, axis=1)
    points = (uniform[:, None] + np.arange(count)) / count * cumulative[:, -1:]
    numbers = [np.searchsorted(line, at, side="right") for line, at in zip(cumulative, points, strict=True)]
    chosen = np.asarray(numbers, dtype=np.int64).reshape(len(log_weights), count)  # of no rows, too
    return np.minimum(chosen, log_weights.shape[1] - 1)


def estimated_log_marginals(
    policy: Policy, questions: Questions, states: States, keys: NDArray[np.uint64], *, orders: int
) -> Float[Tensor, " state"]:
    """Log P(x') from some random orders of each state's edits: the mean of P_F / P_B over orders drawn from P_B.

    The mean is unbiased, and exact for states of a single edit.
    """
    many = sample_keys(keys, orders)
    repeated = states[torch.arange(len(states)).repeat_interleave(orders)]
    logs = log_probabilities(policy, questions, ordered_randomly(repeated, many))
    return logs.reshape(len(states), orders).logsumexp(dim=1) - math.log(orders)


def ordered_randomly(states: States, keys: NDArray[np.uint64]) -> Trajectories:
    """One trajectory to each state, its edits in an order that the key decides."""
    feature_count = states.edited.shape[1]
    chance = torch.stack([torch.from_numpy(keyed_uniforms(keys, d)) for d in range(feature_count)], dim=1)
    feature: Int[Tensor, "state feature"] = torch.where(states.edited, chance, 2.0).argsort(dim=1)
    length = states.edited.sum(dim=1)
    inside = torch.arange(feature_count) < length[:, None]
    feature = torch.where(inside, feature, 0)
    code = torch.where(inside, states.codes.gather(1, feature), 0)
    longest = int(length.max()) if len(length) else 0
    return Trajectories(states.row, feature[:, :longest], code[:, :longest], length)
