"""The new code of a feature, drawn for many trajectories that share states."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet.flow.known import KnownCodes
from counterflownet.flow.masking import draw, masked_softmax, running_sums
from counterflownet.flow.policy import Policy, Tables

FEW_DRAWS = 20_000  # trajectories times codes of the widest feature up to which one product for all features is faster


def draw_codes(  # noqa: PLR0913, PLR0917 - what is drawn from, then who draws
    policy: Policy,
    tables: Tables,
    hidden: Float[Tensor, "state width"],
    allowed_codes: Bool[Tensor, "row code"],
    row: Int[Tensor, " state"],
    feature: Int[Tensor, " trajectory"],
    state: Int[Tensor, " trajectory"],
    uniform: Float[Tensor, " trajectory"],
    epsilon: float,
    known: KnownCodes | None = None,
) -> Int[Tensor, " trajectory"]:
    """One allowed code of its feature for each trajectory.

    Distributions are computed once per combination of state and feature.
    """
    if len(feature) * max(policy.space.code_counts) <= FEW_DRAWS:
        log_probs, legal = policy.code_log_probs(tables, hidden, feature, allowed_codes, row[state], state, known)
        return draw(running_sums(log_probs.exp(), legal, epsilon), uniform)
    pair, order = (feature * len(hidden) + state).sort()
    distinct, number = pair.unique_consecutive(return_inverse=True)  # type: ignore[no-untyped-call]
    features = distinct // len(hidden)
    wanted, states = uniform[order], distinct % len(hidden)
    drawn, begun, drawn_so_far = [], 0, 0
    draws = feature.bincount(minlength=policy.space.feature_count).tolist()
    for d, count in enumerate(features.bincount(minlength=policy.space.feature_count).tolist()):
        if count == 0:
            continue
        chosen_states, mine = states[begun : begun + count], slice(drawn_so_far, drawn_so_far + draws[d])
        logits = policy.code_logits(tables, hidden.index_select(0, chosen_states), d)
        logits = logits if known is None else logits + known.of_feature(policy.space.span(d), chosen_states)
        legal = allowed_codes[:, policy.space.span(d)].index_select(0, row[chosen_states])
        sums = running_sums(masked_softmax(logits, legal), legal, epsilon)
        drawn.append(draw(sums.index_select(0, number[mine] - begun), wanted[mine]))
        begun, drawn_so_far = begun + count, drawn_so_far + draws[d]
    return torch.empty_like(feature).scatter_(0, order, torch.cat(drawn))
