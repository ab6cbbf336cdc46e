"""Choosing among allowed actions only."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet.errors import InvalidInputError

PerAction = Float[Tensor, "batch action"]
Actions = Bool[Tensor, "batch action"]
Features = Bool[Tensor, "batch feature"]


def masked_log_softmax(logits: PerAction, allowed: Actions) -> PerAction:
    """Log-probabilities over the allowed actions, minus infinity elsewhere; a row with none allowed is an error."""
    return _masked(logits, allowed).log_softmax(dim=1)


def masked_softmax(logits: PerAction, allowed: Actions) -> PerAction:
    """The probabilities themselves."""
    return _masked(logits, allowed).softmax(dim=1)


def _masked(logits: PerAction, allowed: Actions) -> PerAction:
    free = allowed.any(dim=1)
    if not free.all():
        rows = (~free).nonzero().flatten().tolist()
        raise InvalidInputError(f"no action is allowed in rows {rows[:5]}; every state must have a way to end.")
    return torch.where(allowed, logits, -torch.inf)


def running_sums(probs: PerAction, allowed: Actions, epsilon: float = 0.0) -> PerAction:
    """The distribution functions to draw from; with probability ``epsilon`` a uniform one of the allowed actions.

    Where the weights of a network are such that probabilities are no numbers, every allowed action is as likely: what
    is not allowed cannot be drawn, whatever the weights.
    """
    if epsilon > 0:
        probs = probs.lerp(allowed / allowed.sum(dim=1, keepdim=True), epsilon)
    sums = probs.cumsum(dim=1)
    broken = ~(sums[:, -1] > 0)
    return torch.where(broken[:, None], allowed.cumsum(dim=1).to(sums.dtype), sums) if broken.any() else sums


def draw(sums: PerAction, uniform: Float[Tensor, " batch"]) -> Int[Tensor, " batch"]:
    """One action per row, by inverse distribution function: the uniform number decides, nothing else does."""
    total = sums[:, -1]
    # Strictly below the total, so that the first sum above it exists and belongs to an action of positive probability.
    reached = torch.minimum(uniform * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(sums, reached[:, None], right=True).squeeze(1)


def legal_actions(
    editable: Features, required: Features, most_changes: Int[Tensor, " batch"], edited: Features
) -> Actions:
    """Which features may be edited next, and in the last place whether STOP is legal.

    STOP is blocked until every required feature has been edited, and the last changes are reserved for those.
    """
    waiting = required & ~edited
    waiting_count = waiting.sum(dim=1)
    room = most_changes - edited.sum(dim=1)
    open_features = editable & ~edited & (room > 0)[:, None]
    features = torch.where((room > waiting_count)[:, None], open_features, open_features & waiting)
    return torch.cat([features, (waiting_count == 0)[:, None]], dim=1)
