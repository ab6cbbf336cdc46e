"""Every pass over a batch learns from another preference of the same trajectories."""

import numpy as np
import pytest
import torch

from counterflownet._preferences import Preferences
from counterflownet.flow.model import FlowModel
from counterflownet.reward.factors import Factors
from counterflownet.reward.settings import Temperature
from counterflownet.reward.terms import Sparsity
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import StateRewards, Trainer

KEYS = np.arange(16, dtype=np.uint64)
TERM = Sparsity(np.ones(3, dtype=bool))
STANDARD = Preferences(
    ("sparsity",),
    torch.tensor([[0.5]], dtype=torch.float64),
    torch.tensor([10.0], dtype=torch.float64),
    torch.ones(1, 3, dtype=torch.float64),
)


def judge(batch, states) -> StateRewards:
    """Sparsity alone."""
    parts = states.edited.numpy().astype(np.float64)
    factors = Factors([(TERM, 0.5)], Temperature(beta=10.0), {}, {"sparsity": parts}, len(states))
    scores = factors.scores(batch.questions.preferences[states.row])
    log_reward, reward = (torch.from_numpy(part).float() for part in (scores.log_reward, scores.reward))
    return StateRewards(log_reward, reward, reward > 0.5, factors)


@pytest.fixture(params=["trajectory", "subtrajectory"])
def seen(request, space, batches):
    """A batch and what was seen of it."""
    balance = TrainingSettings(objective=request.param).balance()
    model = FlowModel(space, 3, width=16, seed=0, with_log_flow=balance.learns_log_flow, standard=STANDARD)
    batch = batches(standard=STANDARD, passes=3)(0)
    return batch, Trainer(model, judge, balance).collect(batch, KEYS, 0.5)


def test_every_pass_has_preferences_of_its_own(batches) -> None:
    batch = batches(standard=STANDARD, passes=3)(5)
    first, second, third = batch.questions.preferences, *batch.relabels
    assert len(first) == len(second) == len(third) == 16
    assert not torch.equal(first.costs, second.costs)
    assert not torch.equal(second.weights, third.weights)


def test_batches_have_no_preferences_if_none_are_learned(batches) -> None:
    assert batches(passes=3)(0).questions.preferences is None
    assert batches(passes=3)(0).relabels == ()


def test_the_rewards_of_another_pass_are_those_of_its_preferences(seen) -> None:
    batch, before = seen
    after = before.under(batch.relabels[0])
    row = before.judged_row
    expected = before.factors.scores(batch.relabels[0][row]).log_reward
    np.testing.assert_allclose(after.passage.log_reward, expected, rtol=1e-5)
    assert not torch.equal(after.passage.log_reward, before.passage.log_reward)
    assert after.passage.questions.preferences.costs is batch.relabels[0].costs
    assert after.passage.trajectories is before.passage.trajectories


def test_under_the_same_preferences_nothing_changes(seen) -> None:
    batch, before = seen
    same = before.under(batch.questions.preferences)
    assert torch.equal(same.passage.log_reward, before.passage.log_reward)
