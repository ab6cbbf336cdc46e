"""All states of a small space, and the policy's exact probability of ending in each."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet._device import on_device
from counterflownet._space import CodeSpace
from counterflownet._states import States
from counterflownet.errors import InvalidInputError
from counterflownet.flow.context import Questions
from counterflownet.flow.masking import masked_log_softmax
from counterflownet.flow.moves import LegalMoves
from counterflownet.flow.policy import Policy

MOST_STATES = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """All states of one factual, those with fewer edits first, and the states each can follow from.

    ``parent[s, d]`` is the state that ``s`` was before its edit of feature ``d`` (-1 where ``d`` was not edited).
    """

    states: States
    parent: Int[Tensor, "state feature"]


def state_count(space: CodeSpace, allowed_codes: Bool[Tensor, " code"]) -> int:
    """How many states one factual has when any number of features may change."""
    return math.prod(int(allowed_codes[space.span(d)].sum()) + 1 for d in range(space.feature_count))


def enumerate_states(space: CodeSpace, question: Questions) -> Enumeration:
    """Every state that can be reached from the one factual of the question.

    Where rules join features, these are the states that can be completed; only some of them may stop.
    """
    allowed = question.allowed
    count = state_count(space, allowed.codes[0])
    if count > MOST_STATES:
        raise InvalidInputError(f"the space has {count:,} states; at most {MOST_STATES:,} can be enumerated.")
    options = [_options(allowed.codes[0, space.span(d)]) for d in range(space.feature_count)]
    digits = torch.cartesian_prod(*(torch.arange(len(codes)) for codes in options)).reshape(count, -1)
    edited = digits > 0
    edit_count = edited.sum(dim=1)
    order = edit_count.argsort(stable=True)
    order = order[edit_count[order] <= allowed.most_changes[0]]
    codes = torch.stack([option[digits[:, d]] for d, option in enumerate(options)], dim=1)
    states = States(torch.zeros_like(order), torch.where(edited, codes, question.factual)[order], edited[order])
    if allowed.joint is not None:
        room = (allowed.most_changes[0] - edit_count[order]).numpy()
        (kept,) = torch.from_numpy(allowed.joint.needs(allowed, states) <= room).nonzero(as_tuple=True)
        order, states = order[kept], states[kept]
    return Enumeration(states, _parents(digits, [len(codes) for codes in options], order))


def _options(allowed_codes: Bool[Tensor, " code"]) -> Int[Tensor, " option"]:
    """Digit 0 leaves the feature alone, every other digit is one allowed code."""
    return torch.cat([torch.tensor([-1]), allowed_codes.nonzero().flatten()])


def _parents(
    digits: Int[Tensor, "state feature"], option_counts: list[int], order: Int[Tensor, " kept"]
) -> Int[Tensor, "kept feature"]:
    strides = torch.tensor([*option_counts[1:], 1]).flip(0).cumprod(0).flip(0)
    place = torch.full((len(digits),), -1)
    place[order] = torch.arange(len(order))
    number = torch.arange(len(digits))[:, None] - digits * strides  # the same digits with this one set to 0
    return torch.where(digits > 0, place[number], -1)[order]


@torch.no_grad()
def terminal_log_probs(policy: Policy, question: Questions, enumeration: Enumeration) -> Float[Tensor, " state"]:
    """The exact log-probability that a trajectory of the policy ends in each state, summed over all orders of edits."""
    states, parent = enumeration.states, enumeration.parent
    log_actions, log_codes = _state_log_probs(policy, question, states)
    source = parent.clamp(min=0)
    feature = torch.arange(parent.shape[1])
    column = torch.where(parent < 0, 0, torch.tensor(policy.space.starts[:-1]) + states.codes)
    into = (log_actions[source, feature] + log_codes[source, column]).masked_fill(parent < 0, -torch.inf)
    log_reached = torch.full((len(states),), -torch.inf)
    log_reached[0] = 0.0
    edit_count = states.edited.sum(dim=1)
    for edits in range(1, int(edit_count.max()) + 1):
        level = edit_count == edits
        log_reached[level] = (log_reached[source[level]] + into[level]).logsumexp(dim=1)
    return log_reached + log_actions[:, policy.stop]


def total_variation(one: Float[ndarray, " state"], other: Float[ndarray, " state"]) -> float:
    """Half the summed difference of two distributions over the same states: 0 if identical, 1 if disjoint."""
    return float(np.abs(one - other).sum() / 2)


def _state_log_probs(
    policy: Policy, question: Questions, states: States
) -> tuple[Float[Tensor, "state action"], Float[Tensor, "state code"]]:
    """Log-probabilities of every action in every state, and of every code if its feature is chosen."""
    question, states = on_device(question, policy.device), on_device(states, policy.device)
    tables = policy.tables()
    asked = policy.asked(question)
    told = asked.in_states(states.row, states.edited)
    hidden = policy.hidden(policy.first(tables, asked.context, states), told.leaning)
    legal = LegalMoves(policy.space, question.allowed)(states)
    log_codes = hidden.new_full((len(states), policy.space.code_total), -torch.inf)
    for d in range(policy.space.feature_count):
        codes = legal.codes[legal.row, policy.space.span(d)]
        (at,) = codes.any(dim=1).nonzero(as_tuple=True)
        logits = policy.code_logits(tables, hidden[at], d)
        logits = logits if told.codes is None else logits + told.codes.of_feature(policy.space.span(d), at)
        log_codes[at, policy.space.span(d)] = masked_log_softmax(logits, codes[at])
    logits = policy.action_logits(hidden, told.leaning, told.actions)
    return masked_log_softmax(logits, legal.actions).cpu(), log_codes.cpu()
