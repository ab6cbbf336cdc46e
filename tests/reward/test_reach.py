"""Distances of codes as the reward counts them."""

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import RewardSettings, RewardWeights, Schema, Temperature
from counterflownet._states import States
from counterflownet.classifier import as_classifier
from counterflownet.reward.reach import reach_of
from counterflownet.reward.reward import Reward
from counterflownet.tabular.factuals import Factuals

TABLE = pd.DataFrame({"age": [20.0, 31.5, 48.0, 66.0, np.nan] * 4, "job": list("abcab") * 4})


@pytest.fixture
def table() -> Factuals:
    return Factuals(Schema.infer(TABLE), TABLE)


def reward(**settings) -> Reward:
    schema = Schema.infer(TABLE)
    even = as_classifier(lambda frame: np.full(len(frame), 0.5), classes=[0, 1])
    return Reward.build(even, schema, RewardWeights(), RewardSettings(**settings), None, ())


@pytest.mark.parametrize("over", ["all", "ordered", "categorical"])
def test_they_are_the_distances_that_proximity_adds_up(table, over) -> None:
    made = reward(proximity_over=over)
    term = made.terms[1][0]
    reach = reach_of(made, table, np.arange(5))
    space = table.codec.schema.space
    for d in range(2):
        for code in range(space.code_counts[d]):
            codes, edited = torch.from_numpy(table.codec.codes[:5]).clone(), torch.zeros(5, 2, dtype=torch.bool)
            codes[:, d], edited[:, d] = code, True
            moved = np.where(term.counted, table.distances(States(torch.arange(5), codes, edited)), 0.0)[:, d]
            np.testing.assert_allclose(reach.distance[:, space.starts[d] + code], moved, rtol=1e-6)


def test_which_changes_count(table) -> None:
    reach = reach_of(reward(sparsity_over="categorical"), table, np.array([0, 1, 2]))
    assert reach.counted.tolist() == [[0.0, 1.0]] * 3


def test_a_norm_that_is_no_sum_is_left_to_be_learned(table) -> None:
    assert reach_of(reward(proximity_norm=2.0), table, np.arange(3)).distance.abs().max() == 0.0


def test_a_reward_that_is_no_power_is_left_to_be_learned(table) -> None:
    assert reach_of(reward(temperature=Temperature(kind="exponential")), table, np.arange(3)) is None
