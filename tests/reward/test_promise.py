"""What a reward says of answers: without a margin, and before a classifier was asked."""

import numpy as np
import pytest
from small_rewards import SCHEMA, Stub, edits, factuals

from counterflownet.reward.candidates import EditedRows
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import RowTerm, Validity

STATES = edits([1, None, None], [2, 1, None], [2, 2, 2])
OWN = RowTerm("own", lambda rows, _: np.full(len(rows), 0.5))


def built(stub: Stub, **weights: float) -> Reward:
    outlier = LocalOutlierFactor(factuals().vectors)
    return Reward.build(stub, SCHEMA, RewardWeights(**weights), RewardSettings(margin=0.6), outlier, [(OWN, 0.5)])


def scored(reward: Reward):
    return reward.scores(reward.candidates(factuals(), STATES, np.ones(3, dtype=np.int64)))


def promised(reward: Reward, left: float = 1.0) -> np.ndarray:
    return reward.promise(EditedRows(factuals(), STATES), np.full(3, left))


def test_without_a_margin_every_valid_row_has_validity_one():
    reward = built(Stub([0.4, 0.6]))
    assert (scored(reward).terms["validity"] < 1).all()
    assert scored(reward.without_margin()).terms["validity"].tolist() == [1.0, 1.0, 1.0]


def test_without_a_margin_a_row_that_is_not_valid_still_lags_behind():
    assert scored(built(Stub([0.6, 0.4])).without_margin()).terms["validity"] == pytest.approx([0.8] * 3)


def test_without_a_margin_all_else_is_as_it_was():
    reward = built(Stub([0.4, 0.6]), validity=0.7)
    bare = reward.without_margin()
    assert [(term.name, weight) for term, weight in bare.terms] == [
        (term.name, weight) for term, weight in reward.terms
    ]
    assert (bare.classifier, bare.temperature) == (reward.classifier, reward.temperature)
    for name, values in scored(bare).terms.items():
        assert name == "validity" or values.tolist() == scored(reward).terms[name].tolist()
    assert any(isinstance(term, Validity) and term.margin == 0.6 for term, _ in reward.terms)


@pytest.mark.parametrize("weights", [{}, {"proximity": 0.9, "sparsity": 0.1}, {"sparsity": 0.0}, {"proximity": 0.0}])
def test_the_promise_is_what_proximity_and_sparsity_will_add_to_the_logarithm(weights):
    reward = built(Stub([0.4, 0.6]), **weights)
    terms, weight = scored(reward).terms, RewardWeights(**weights)
    expected = np.zeros(3)
    for name in {"proximity", "sparsity"} & set(terms):
        expected += getattr(weight, name) * np.log(terms[name])
    assert promised(reward) == pytest.approx(expected)
    assert (expected != 0).any()


def test_the_way_counts_as_far_as_it_is_expected_to_be_left():
    reward = built(Stub([0.4, 0.6]))
    terms = scored(reward).terms
    near, sparse = 0.4 * np.log(terms["proximity"]), 0.2 * np.log(terms["sparsity"])
    assert promised(reward, left=0.25) == pytest.approx(0.25 * near + sparse)


def test_plausibility_is_what_it_will_add_to_the_logarithm():
    reward = built(Stub([0.4, 0.6]))
    expected = 0.4 * np.log(scored(reward).terms["plausibility"])
    assert reward.plausible(EditedRows(factuals(), STATES)) == pytest.approx(expected)
    assert built(Stub([0.4, 0.6]), plausibility=0.0).plausible(EditedRows(factuals(), STATES)).tolist() == [0.0] * 3


def test_nobody_is_asked_for_a_promise():
    stub = Stub([0.4, 0.6])
    promised(built(stub))
    assert stub.asked == []


def test_a_reward_that_counts_no_changes_promises_nothing():
    reward = Reward(Stub([0.4, 0.6]), [(Validity(), 1.0)], Temperature())
    assert promised(reward).tolist() == [0.0, 0.0, 0.0]
