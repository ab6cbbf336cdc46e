"""What makes candidates valid when more than one class will do, or a prediction must lie somewhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterflownet.reward.candidates import lead_of_target, reached, slack_of_target
from counterflownet.reward.goals import ClassGoals, IntervalGoals
from counterflownet.reward.ranks import Ranks

RANKS = Ranks.of(np.random.default_rng(0).normal(50, 10, 400))
SEEDS = st.integers(0, 10_000)
CONFIDENCES = st.none() | st.floats(0.3, 0.9)


def random_outputs(seed: int, classes: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(classes), 20)


@given(SEEDS, CONFIDENCES)
def test_one_accepted_class_is_the_class_itself(seed, confidence) -> None:
    outputs, target = random_outputs(seed), np.random.default_rng(seed).integers(0, 4, 20)
    goals = ClassGoals(np.eye(4, dtype=bool)[target], outputs, confidence)
    assert (goals.lead(outputs) == lead_of_target(outputs, target)).all()
    assert (goals.valid(outputs) == reached(outputs, target, confidence)).all()
    assert goals.slack(outputs) == pytest.approx(
        slack_of_target(outputs, target, confidence, reached(outputs, target, confidence))
    )
    assert (goals.told(outputs) == outputs[np.arange(20), target]).all()
    assert (goals.aims(seed) == target).all()


@given(SEEDS, st.integers(1, 14))
def test_a_row_is_valid_if_its_predicted_class_is_one_of_the_accepted(seed, marks) -> None:
    outputs = random_outputs(seed)
    accepted = np.tile([bool(marks >> bit & 1) for bit in range(4)], (20, 1))
    goals = ClassGoals(accepted, outputs)
    assert (goals.valid(outputs) == accepted[0][outputs.argmax(axis=1)]).all()
    assert ((goals.slack(outputs) > 0) == goals.valid(outputs)).all()
    assert (goals.suits(outputs) == goals.valid(outputs)).all()
    aims = {turn: goals.aims(turn) for turn in range(4)}
    assert all(accepted[0][numbers].all() for numbers in aims.values())
    assert set(np.stack(list(aims.values()))[:, 0]) == set(np.flatnonzero(accepted[0]))


def test_confidence_is_asked_of_all_accepted_classes_together() -> None:
    outputs = np.array([[0.4, 0.35, 0.25], [0.1, 0.45, 0.45]])
    accepted = np.array([[True, True, False]] * 2)
    assert ClassGoals(accepted, outputs, 0.7).valid(outputs).tolist() == [True, False]
    assert ClassGoals(accepted, outputs).told(outputs) == pytest.approx([0.75, 0.55])


@given(st.floats(0, 100), st.floats(0, 100), SEEDS)
def test_valid_inside_and_slack_on_the_same_side_are_one_claim(one, other, seed) -> None:
    outputs = np.random.default_rng(seed).normal(50, 20, (30, 1))
    low, high = min(one, other), max(one, other)
    goals = IntervalGoals(np.full(30, low), np.full(30, high), RANKS)
    inside = (outputs[:, 0] >= low) & (outputs[:, 0] <= high)
    assert (goals.valid(outputs) == inside).all()
    for measure in (goals.lead(outputs), goals.slack(outputs)):
        assert (measure[inside] >= 0).all()
        assert (measure[~inside] <= 0).all()
        assert np.isfinite(measure).all()
    assert (np.abs(goals.lead(outputs)) <= 1).all()


@pytest.mark.parametrize(("low", "high"), [(60.0, np.inf), (-np.inf, 40.0), (45.0, 55.0)])
def test_the_farther_outside_the_less_lead_and_slack(low, high) -> None:
    far = np.arange(0.5, 30, 0.5)
    outputs = (low - far if np.isfinite(low) else high + far)[:, None]
    goals = IntervalGoals(np.full(len(far), low), np.full(len(far), high), RANKS)
    assert (np.diff(goals.lead(outputs)) < 0).all()
    assert (np.diff(goals.slack(outputs)) < 0).all()


def test_the_middle_of_an_interval_is_as_sure_as_can_be() -> None:
    goals = IntervalGoals(np.array([48.0, 48.0]), np.array([52.0, 52.0]), RANKS)
    middle = RANKS.value(RANKS.place(np.array([48.0, 52.0])).mean(keepdims=True))[0]
    assert goals.lead(np.array([[middle], [48.0]])) == pytest.approx([1.0, 0.0], abs=1e-6)


def test_examples_are_those_inside_or_the_nearest_of_all() -> None:
    outputs = np.arange(100.0)[:, None]
    inside = IntervalGoals(np.array([10.0]), np.array([12.0]), RANKS)
    assert np.flatnonzero(inside.suits(outputs)).tolist() == [10, 11, 12]
    beyond = IntervalGoals(np.array([200.0]), np.array([np.inf]), RANKS)
    assert np.flatnonzero(beyond.suits(outputs)).tolist() == [95, 96, 97, 98, 99]
    assert inside.within_reach.tolist() == [False]
    assert IntervalGoals(np.array([40.0]), np.array([60.0]), RANKS).within_reach.tolist() == [True]
