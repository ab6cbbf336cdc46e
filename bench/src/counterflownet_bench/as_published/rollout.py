"""Trajectories of the paper's policy: choose a feature that was not edited or STOP, then a code for it."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet_bench.as_published.network import PolicyNetwork

Rows = Int[Tensor, "row feature"]
Masks = Bool[Tensor, "row code"]


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """Where trajectories ended, and the log-probability of each way there: forward, and backward.

    Backward is uniform over the edits made so far: all orders of a set of edits sum to one. That holds as well if an
    edit may set the code that was there, because what was edited belongs to the state.
    """

    codes: Rows
    edited: Bool[Tensor, "row feature"]
    log_forward: Float[Tensor, " row"]
    log_backward: Float[Tensor, " row"]


def rollout(
    policy: PolicyNetwork,
    factual: Rows,
    target: Int[Tensor, " row"],
    allowed: Masks,
    generator: torch.Generator,
    *,
    exploration: float = 0.0,
) -> Ended:
    """One trajectory for each row; with ``exploration``, that share of actions is uniform over the legal ones."""
    shape = policy.shape
    question = policy.first.question(factual, target)
    codes, edited = factual.clone(), torch.zeros_like(factual, dtype=torch.bool)
    log_forward = question.new_zeros(len(factual))
    open_ = torch.stack([allowed[:, a:b].any(dim=1) for a, b in zip(shape.starts, shape.starts[1:], strict=False)], 1)
    alive = torch.arange(len(factual))
    while len(alive):
        hidden = policy.hidden(question[alive], codes[alive], edited[alive])
        legal = torch.cat([open_[alive] & ~edited[alive], torch.ones(len(alive), 1, dtype=torch.bool)], dim=1)
        feature, log_feature = _chosen(policy.action(hidden), legal, generator, exploration)
        log_forward = log_forward.index_add(0, alive, log_feature)
        going = feature < shape.features
        alive, feature, hidden = alive[going], feature[going], hidden[going]
        for d in sorted(set(feature.tolist())):
            own = feature == d
            rows, span = alive[own], slice(shape.starts[d], shape.starts[d + 1])
            code, log_code = _chosen(policy.values[d](hidden[own]), allowed[rows, span], generator, exploration)
            log_forward = log_forward.index_add(0, rows, log_code)
            codes[rows, d], edited[rows, d] = code, True
    return Ended(codes, edited, log_forward, -torch.lgamma(edited.sum(dim=1) + 1.0))


def _chosen(
    logits: Float[Tensor, "row action"],
    legal: Bool[Tensor, "row action"],
    generator: torch.Generator,
    exploration: float,
) -> tuple[Int[Tensor, " row"], Float[Tensor, " row"]]:
    """An action for each row, and its log-probability under the policy itself."""
    log_probs = logits.masked_fill(~legal, -torch.inf).log_softmax(dim=1)
    with torch.no_grad():
        drawn_from = log_probs.exp()
        if exploration > 0:
            drawn_from = drawn_from.lerp(legal / legal.sum(dim=1, keepdim=True), exploration)
        action = torch.multinomial(drawn_from, 1, generator=generator)
    return action.squeeze(1), log_probs.gather(1, action).squeeze(1)
