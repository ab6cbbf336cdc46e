"""How an untrained policy begins: short trajectories, and no column or value preferred."""

import pytest
import torch

from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import final_states
from counterflownet.flow.model import FlowModel
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys, sample_keys

SPACE = CodeSpace((6, 6, 6, 6), (True, False, True, False))
FACTUAL = torch.randint(6, (40, 4), generator=torch.Generator().manual_seed(0))
QUESTIONS = Questions(FACTUAL, torch.arange(40) % 2, everything_allowed(SPACE, FACTUAL))


def test_the_first_action_is_stop_in_a_third_and_any_column_as_often() -> None:
    policy = FlowModel(SPACE, 2, width=256, seed=0).policy
    probabilities = policy.action_logits(policy.hidden(policy.asked(QUESTIONS).context)).softmax(dim=1)
    assert probabilities[:, policy.stop].mean().item() == pytest.approx(1 / 3, abs=0.03)
    assert probabilities[:, : policy.stop].min() > 0.75 / 6
    assert probabilities[:, : policy.stop].max() < 1.25 / 6


def test_behind_the_last_edit_there_is_nothing() -> None:
    policy = FlowModel(SPACE, 2, width=16, seed=0).policy
    keys = sample_keys(row_keys(FACTUAL.numpy(), seed=0), 5)
    drawn = rollout(policy, QUESTIONS, keys, row=torch.arange(40).repeat_interleave(5))
    assert not drawn.taken.all()
    assert not drawn.feature[~drawn.taken].any()
    assert not drawn.code[~drawn.taken].any()
    assert torch.equal(final_states(drawn, FACTUAL).edited.sum(dim=1), drawn.length)  # no column twice
