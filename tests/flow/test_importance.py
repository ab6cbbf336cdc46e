"""Importance weights: exact where all states can be counted."""

import numpy as np
import pytest
import torch

from counterflownet._space import CodeSpace
from counterflownet.flow.edits import final_states
from counterflownet.flow.enumeration import enumerate_states, terminal_log_probs
from counterflownet.flow.importance import (
    effective_share,
    estimated_log_marginals,
    log_probabilities,
    ordered_randomly,
    resampled,
)
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys, sample_keys

SPACE = CodeSpace((3, 2, 3))


@pytest.fixture
def question(make_questions):
    return make_questions(SPACE, 1, constrained=False)


def keys_of(count: int, seed: int = 0):
    return sample_keys(row_keys(np.zeros((1, 1), dtype=np.int64), seed=seed), count)


def test_weights_average_to_the_sum_of_rewards(make_policy, question) -> None:
    policy = make_policy(SPACE, sharpness=1.0)
    states = enumerate_states(SPACE, question).states
    rewards = {tuple(codes): 1.0 + sum(codes) for codes in states.codes.tolist()}
    drawn = rollout(policy, question, keys_of(20_000), row=torch.zeros(20_000, dtype=torch.int64))
    ends = final_states(drawn, question.factual).codes.tolist()
    log_probs = log_probabilities(policy, question, drawn).numpy()
    weights = np.array([rewards[tuple(codes)] for codes in ends]) / np.exp(log_probs)
    assert weights.mean() == pytest.approx(sum(rewards.values()), rel=0.05)


def test_many_orders_give_the_exact_probability_of_a_state(make_policy, question) -> None:
    policy = make_policy(SPACE, sharpness=1.0)
    enumeration = enumerate_states(SPACE, question)
    exact = terminal_log_probs(policy, question, enumeration).exp()
    keys = row_keys(enumeration.states.codes.numpy(), seed=1)
    found = estimated_log_marginals(policy, question, enumeration.states, keys, orders=2_000).exp()
    assert torch.allclose(found, exact, rtol=0.1)
    single = enumeration.states.edited.sum(dim=1) <= 1
    assert torch.allclose(found[single], exact[single], rtol=1e-4)


def test_a_random_order_leads_to_its_state(question) -> None:
    states = enumerate_states(SPACE, question).states
    led = ordered_randomly(states, row_keys(states.codes.numpy(), seed=2))
    ends = final_states(led, question.factual)
    assert torch.equal(ends.codes, states.codes)
    assert torch.equal(ends.edited, states.edited)
    firsts = {ordered_randomly(states, row_keys(states.codes.numpy(), seed=s)).feature[-1, 0].item() for s in range(20)}
    assert firsts == {0, 1, 2}  # the last state has all three edits, and any of them may come first


def test_resampling_draws_in_proportion_to_the_weights() -> None:
    log_weights = np.log(np.array([[1.0, 2.0, 5.0], [4.0, 4.0, 0.0 + 1e-300]]))
    chosen = resampled(log_weights, 800, np.array([0.3, 0.9]))
    assert np.bincount(chosen[0], minlength=3).tolist() == pytest.approx([100, 200, 500], abs=1)
    assert np.bincount(chosen[1], minlength=3).tolist() == [400, 400, 0]


def test_the_effective_share_is_one_for_equal_weights_and_small_for_one_heavy_one() -> None:
    heavy = np.zeros((2, 100))
    heavy[1, 7] = 50.0
    assert effective_share(heavy) == pytest.approx([1.0, 0.01])


def test_the_largest_number_that_chance_can_give_chooses_the_last_sample() -> None:
    almost_one = np.nextafter(np.ones(1), 0.0)  # three points, the last of which rounds up to the total
    assert resampled(np.zeros((1, 4)), 3, almost_one).tolist() == [[1, 2, 3]]


def test_of_no_rows_no_samples_are_chosen() -> None:
    chosen = resampled(np.zeros((0, 4)), 3, np.zeros(0))
    assert chosen.shape == (0, 3)
    assert chosen.dtype == np.int64
