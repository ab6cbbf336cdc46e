"""Trajectories drawn from the policy, all in one batch; those that stopped leave it."""

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.typing import NDArray
from torch import Tensor

from counterflownet.flow.edits import Trajectories
from counterflownet.flow.masking import draw, legal_actions, masked_log_softmax
from counterflownet.flow.policy import Policy
from counterflownet.flow.question import Questions
from counterflownet.seeds import keyed_uniforms


@torch.no_grad()
def rollout(
    policy: Policy,
    questions: Questions,
    keys: NDArray[np.uint64],
    *,
    row: Int[Tensor, " trajectory"] | None = None,
    epsilon: float = 0.0,
) -> Trajectories:
    """One trajectory per key, begun at the factual that ``row`` names (the key's own number if None).

    Every draw depends on its key and step alone, never on the other trajectories of the batch.
    """
    row = torch.arange(len(keys)) if row is None else row
    feature_count = policy.space.feature_count
    allowed = questions.allowed
    record = _Record(row, feature_count)
    tables = policy.tables()
    editable = allowed.editable(policy.space)
    first = policy.context(questions)
    edited = torch.zeros(len(questions), feature_count, dtype=torch.bool)
    at = torch.arange(len(questions))
    # Which state each trajectory is in: before the first edit those of one factual share its state, then none do.
    alive, state = torch.arange(len(row)), row
    for step in range(feature_count + 1):
        hidden = policy.hidden(first)
        legal = legal_actions(editable[at], allowed.required[at], allowed.most_changes[at], edited)
        log_probs = masked_log_softmax(policy.action_logits(hidden), legal)
        feature = draw(log_probs[state], legal[state], _uniforms(keys, alive, 2 * step), epsilon)
        going = feature != policy.stop
        if not going.any():
            break
        alive, feature, state = alive[going], feature[going], state[going]
        at = row[alive]
        log_probs, legal = policy.code_log_probs(tables, hidden, feature, allowed.codes, at, state)
        code = draw(log_probs, legal, _uniforms(keys, alive, 2 * step + 1), epsilon)
        record.add(step, alive, feature, code)
        first = first[state] + policy.edit_rows(tables, feature, code)
        edited = edited[state].scatter(1, feature[:, None], True)
        state = torch.arange(len(alive))
    return record.trajectories()


def _uniforms(keys: NDArray[np.uint64], alive: Int[Tensor, " batch"], step: int) -> Float[Tensor, " batch"]:
    numbers: Float[ndarray, " batch"] = keyed_uniforms(keys[alive.numpy()], step)
    return torch.from_numpy(numbers).float()


class _Record:
    """Who edited what when."""

    def __init__(self, row: Int[Tensor, " trajectory"], most: int) -> None:
        self.row = row
        self.feature = torch.zeros(len(row), most, dtype=torch.int64)
        self.code = torch.zeros(len(row), most, dtype=torch.int64)
        self.length = torch.zeros(len(row), dtype=torch.int64)

    def add(
        self, step: int, alive: Int[Tensor, " batch"], feature: Int[Tensor, " batch"], code: Int[Tensor, " batch"]
    ) -> None:
        self.feature[alive, step] = feature
        self.code[alive, step] = code
        self.length[alive] = step + 1

    def trajectories(self) -> Trajectories:
        longest = int(self.length.max()) if len(self.length) else 0
        return Trajectories(self.row, self.feature[:, :longest], self.code[:, :longest], self.length)
