"""How probable given trajectories are under the policy: all their states in one batch, with gradients."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from counterflownet._states import States
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.masking import masked_log_softmax
from counterflownet.flow.moves import LegalMoves
from counterflownet.flow.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """Log-probabilities along trajectories, 0 after the end so that padding never counts.

    ``hidden`` is the last layer in every visited state, for heads that only some objectives use.
    """

    log_forward: Float[Tensor, "trajectory step"]
    log_stop: Float[Tensor, "trajectory state"]
    hidden: Float[Tensor, "visited width"]


def likelihood(policy: Policy, questions: Questions, trajectories: Trajectories, states: States) -> Likelihood:
    """The log-probability of every edit, and of STOP in each of the visited ``states``."""
    visited, taken = trajectories.visited, trajectories.taken
    moving = torch.nn.functional.pad(taken, (0, 1))[visited].nonzero().squeeze(1)
    tables = policy.tables()
    asked = policy.asked(questions)
    told = asked.in_states(states.row, states.edited)
    hidden = policy.hidden(policy.first(tables, asked.context, states), told.leaning)
    legal = LegalMoves(policy.space, questions.allowed)(states)
    log_probs = masked_log_softmax(policy.action_logits(hidden, told.leaning, told.actions), legal.actions)
    feature, code = trajectories.feature[taken], trajectories.code[taken]
    log_edits = log_probs.index_select(0, moving).gather(1, feature[:, None]).squeeze(1)
    if len(log_edits):
        rows = legal.row[moving]
        log_codes, _ = policy.code_log_probs(tables, hidden, feature, legal.codes, rows, moving, told.codes)
        log_edits = log_edits + log_codes.gather(1, code[:, None]).squeeze(1)
    log_forward = log_edits.new_zeros(taken.shape).masked_scatter(taken, log_edits)
    log_stop = log_probs.new_zeros(visited.shape).masked_scatter(visited, log_probs[:, policy.stop])
    return Likelihood(log_forward, log_stop, hidden)
