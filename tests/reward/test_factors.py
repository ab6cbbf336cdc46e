"""Rewards under other preferences: what an exponent, a cost and a beta do to them."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from small_rewards import SCHEMA, Stub, candidates, factuals

from counterflownet._preferences import Preferences
from counterflownet.reward.factors import Factors
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.preference import Standard
from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature

WEIGHTS = RewardWeights()
CANDIDATES = candidates([1, None, None], [1, 2, None], [2, 0, 1])
fraction = st.floats(0.0, 1.0)


def reward(weights: RewardWeights = WEIGHTS, settings: RewardSettings | None = None) -> Reward:
    outlier = LocalOutlierFactor(factuals().vectors)
    return Reward.build(Stub([0.3, 0.7]), SCHEMA, weights, settings or RewardSettings(), outlier, [])


def standard(count: int = 3) -> Preferences:
    return Standard.of(SCHEMA, WEIGHTS, RewardSettings(), []).rows(count)


def with_costs(*costs: float) -> Preferences:
    return replace(standard(), costs=torch.tensor([costs] * 3, dtype=torch.float64))


@pytest.mark.parametrize("kind", ["power", "exponential"])
def test_the_preference_of_the_fit_gives_the_reward_of_the_fit(kind):
    factors = reward(settings=RewardSettings(temperature=Temperature(kind=kind))).factors(CANDIDATES)
    one, other = factors.scores(), factors.scores(standard())
    assert other.reward == pytest.approx(one.reward, rel=1e-12)
    assert other.log_reward == pytest.approx(one.log_reward, rel=1e-12)


@given(fraction, fraction, fraction, fraction)
def test_other_weights_give_the_reward_of_a_fit_with_these_weights(validity, proximity, plausibility, sparsity):
    exponents = (validity, proximity, plausibility, sparsity)
    asked = replace(standard(), weights=torch.tensor([exponents] * 3, dtype=torch.float64))
    names = ("validity", "proximity", "plausibility", "sparsity")
    fitted = reward(RewardWeights(**dict(zip(names, exponents, strict=True))))
    found = reward().factors(CANDIDATES).scores(asked)
    assert found.log_reward == pytest.approx(fitted.scores(CANDIDATES).log_reward)


def test_beta_multiplies_the_logarithm_of_the_reward():
    warmer = replace(standard(), beta=standard().beta / 4)
    factors = reward().factors(CANDIDATES)
    assert factors.scores(warmer).log_reward == pytest.approx(factors.scores(standard()).log_reward / 4)


def test_a_cost_multiplies_the_distance_of_its_column_and_what_its_change_counts():
    plain = reward().factors(CANDIDATES)
    found = plain.scores(with_costs(3.0, 1.0, 1.0)).terms
    age = CANDIDATES.distances[:, 0]
    assert np.log(found["proximity"]) == pytest.approx(np.log(plain.scores().terms["proximity"]) - 2 * age)
    assert np.log(found["sparsity"]) == pytest.approx([-2.0, -3.0, -4.0])


def test_a_free_column_counts_nothing():
    found = reward().factors(CANDIDATES).scores(with_costs(0.0, 1.0, 1.0)).terms
    assert np.log(found["sparsity"]) == pytest.approx([0.0, 0.0, -1.0])


def test_a_term_without_weight_is_off_even_where_its_value_is_zero():
    hopeless = candidates([1, None, None], probabilities=((1.0, 0.0),))
    none = replace(standard(1), weights=torch.tensor([[0.0, 0.0, 0.0, 1.0]], dtype=torch.float64))
    assert reward().factors(hopeless).scores(none).reward.tolist() == [1.0]


def test_factors_can_be_taken_apart_and_joined():
    factors = reward().factors(CANDIDATES)
    again = Factors.joined([factors[np.array([0])], factors[np.array([1, 2])]])
    assert again.scores(standard()).log_reward.tolist() == factors.scores(standard()).log_reward.tolist()


def test_a_reward_under_preferences_reads_those_of_the_candidates_row():
    three = standard()
    three.costs[0, 0], three.costs[1, 0] = 3.0, 16.0  # all candidates belong to the first row
    found = reward().under(three).scores(CANDIDATES)
    assert np.log(found.terms["sparsity"]) == pytest.approx([-2.0, -3.0, -4.0])


def test_what_is_promised_and_how_plausible_it_is_add_up_to_the_reward_of_valid_rows():
    asked = reward().without_margin().under(with_costs(3.0, 0.5, 1.0))
    together = asked.promise(CANDIDATES, np.ones(3)) + asked.plausible(CANDIDATES)
    assert together == pytest.approx(np.log(asked.scores(CANDIDATES).reward))
