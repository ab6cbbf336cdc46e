"""How probable given trajectories are under the policy: all their states in one batch, with gradients."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet.flow.edits import Trajectories
from counterflownet.flow.masking import legal_actions, masked_log_softmax
from counterflownet.flow.policy import Policy, grouped
from counterflownet.flow.question import Questions


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """Log-probabilities along trajectories; 0 in places after the end, so that padding never counts."""

    log_forward: Float[Tensor, "trajectory step"]
    log_stop: Float[Tensor, "trajectory state"]


def likelihood(
    policy: Policy,
    questions: Questions,
    trajectories: Trajectories,
) -> Likelihood:
    """The log-probability of every edit that was made, and of STOP in every state that was visited."""
    visited, taken, allowed = trajectories.visited, trajectories.taken, questions.allowed
    moving = torch.cat([taken, torch.zeros(len(taken), 1, dtype=torch.bool)], dim=1)[visited]
    row = trajectories.row.repeat_interleave(trajectories.length + 1)
    first = policy.context(questions.factual, questions.target)[trajectories.row]
    hidden = policy.hidden(_first_layers(policy, first, trajectories)[visited])
    editable = allowed.editable(policy.space)
    edited = _edited(trajectories, policy.space.feature_count)[visited]
    legal = legal_actions(editable[row], allowed.required[row], allowed.most_changes[row], edited)
    log_probs = masked_log_softmax(policy.action_logits(hidden), legal)
    feature = trajectories.feature[taken]
    log_feature = log_probs[moving].gather(1, feature[:, None]).squeeze(1)
    log_code = _log_codes(policy, hidden[moving], feature, trajectories.code[taken], allowed.codes, row[moving])
    return Likelihood(
        log_forward=torch.zeros(taken.shape).masked_scatter(taken, log_feature + log_code),
        log_stop=torch.zeros(visited.shape).masked_scatter(visited, log_probs[:, policy.stop]),
    )


def _first_layers(
    policy: Policy, first: Float[Tensor, "trajectory width"], trajectories: Trajectories
) -> Float[Tensor, "trajectory state width"]:
    added = policy.edit_rows(trajectories.feature, trajectories.code) * trajectories.taken[:, :, None]
    return torch.cat([first[:, None], first[:, None] + added.cumsum(dim=1)], dim=1)


def _edited(trajectories: Trajectories, feature_count: int) -> Bool[Tensor, "trajectory state feature"]:
    made = torch.nn.functional.one_hot(trajectories.feature, feature_count) * trajectories.taken[:, :, None]
    none = torch.zeros(len(made), 1, feature_count, dtype=made.dtype)
    return torch.cat([none, made.cumsum(dim=1)], dim=1) > 0


def _log_codes(
    policy: Policy,
    hidden: Float[Tensor, "edit width"],
    feature: Int[Tensor, " edit"],
    code: Int[Tensor, " edit"],
    allowed_codes: Bool[Tensor, "row code"],
    row: Int[Tensor, " edit"],
) -> Float[Tensor, " edit"]:
    if len(feature) == 0:
        return hidden.new_zeros(0)
    found, where = [], []
    for d, members in grouped(feature):
        legal = allowed_codes[:, policy.space.span(d)][row[members]]
        log_probs = masked_log_softmax(policy.code_logits(hidden[members], d), legal)
        found.append(log_probs.gather(1, code[members, None]).squeeze(1))
        where.append(members)
    return torch.cat(found)[torch.cat(where).argsort()]
