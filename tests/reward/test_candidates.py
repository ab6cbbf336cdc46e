"""Edited rows, and what makes them valid."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_rewards import Stub, candidates, edits, factuals

from counterflownet.reward.candidates import EditedRows
from counterflownet.reward.factors import Scores
from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import Temperature

EDIT = [1, None, None]
CHANCES = st.lists(st.floats(0.01, 1.0), min_size=3, max_size=3).map(lambda parts: np.array(parts) / sum(parts))


def asked(chances, target: int = 1, confidence: float | None = None):
    return candidates(EDIT, probabilities=(tuple(chances),), target=target, confidence=confidence)


@settings(deadline=None)
@given(CHANCES, st.integers(0, 2), st.none() | st.floats(0.0, 1.0))
def test_valid_means_that_the_target_wins_and_is_as_probable_as_was_asked_for(chances, target, confidence):
    wins = all(chances[target] > chances[other] for other in range(3) if other != target)
    assert asked(chances, target, confidence).valid.tolist() == [wins and chances[target] >= (confidence or 0.0)]


@pytest.mark.parametrize(("confidence", "valid"), [(None, True), (0.5, True), (0.7, True), (0.71, False), (1.0, False)])
def test_the_confidence_is_reached_at_the_very_probability(confidence, valid):
    assert asked([0.3, 0.7], confidence=confidence).valid.tolist() == [valid]


def test_a_target_that_reaches_a_low_confidence_but_does_not_win_is_not_valid():
    assert asked([0.5, 0.4, 0.1], confidence=0.3).valid.tolist() == [False]
    assert asked([0.5, 0.5], confidence=0.5).valid.tolist() == [False]  # nobody wins


@pytest.mark.parametrize(
    ("chances", "confidence", "slack"),
    [([0.3, 0.7], None, 7 / 3), ([0.3, 0.7], 0.6, 14 / 9), ([0.3, 0.7], 0.9, 7 / 27), ([0.6, 0.4], 0.3, 2 / 3)],
)
def test_slack_is_the_lesser_of_the_lead_and_what_is_beyond_the_confidence_in_log_odds(chances, confidence, slack):
    assert np.exp(asked(chances, confidence=confidence).slack) == pytest.approx([slack])


def test_slack_tells_rows_apart_that_the_classifier_is_sure_about():
    assert asked([1.0, 1e-40]).slack < asked([1.0, 1e-30]).slack < 0


@settings(deadline=None)
@given(CHANCES, st.integers(0, 2), st.none() | st.floats(0.0, 1.0))
def test_the_sign_of_the_slack_says_on_which_side_a_candidate_is(chances, target, confidence):
    found = asked(chances, target, confidence)
    assert found.valid[0] or found.slack[0] <= 0
    assert not found.valid[0] or found.slack[0] >= 0


def test_the_probability_is_that_of_the_target():
    assert asked([0.2, 0.3, 0.5], target=1).probability.tolist() == [0.3]


def test_the_confidence_is_that_of_some_of_the_candidates_and_of_copies_too():
    three = candidates(EDIT, [2, None, None], [None, 1, None], confidence=0.9)
    assert three[np.array([2, 0])].confidence == three.copied().confidence == 0.9
    assert not three[np.array([2, 0])].valid.any()


def test_a_copy_shares_no_memory():
    given = candidates(EDIT, confidence=0.6)
    copied = given.copied()
    copied.rows.loc[0, "age"] = 99
    copied.probabilities[0] = 0.0
    copied.states.codes[0] = 7
    assert given.rows["age"].tolist() == [30]
    assert given.probabilities.tolist() == [[0.3, 0.7]]
    assert given.states.codes.tolist() == [[1, 0, 0]]


def test_a_reward_hands_on_the_confidence():
    reward = Reward(Stub([0.3, 0.7]), (), Temperature())
    made = reward.candidates(factuals(), edits(EDIT), np.array([1]), 0.8)
    assert (made.confidence, made.valid.tolist()) == (0.8, [False])


def test_edited_rows_are_known_before_they_are_decoded():
    edited, decoded = EditedRows(factuals(), edits(EDIT, [None, 2, 1])), candidates(EDIT, [None, 2, 1])
    assert len(edited) == 2
    assert edited.changed.tolist() == decoded.changed.tolist()
    assert edited.distances.tolist() == decoded.distances.tolist()
    assert edited.vectors.tolist() == decoded.vectors.tolist()
    pd.testing.assert_frame_equal(edited.factuals, decoded.factuals)


def test_some_of_the_scores_are_what_they_were_among_all():
    scores = Scores(np.array([0.1, 0.2, 0.3]), np.array([-3.0, -2.0, -1.0]), {"own": np.array([0.4, 0.5, 0.6])})
    some = scores[np.array([2, 0])]
    assert (some.reward.tolist(), some.log_reward.tolist()) == ([0.3, 0.1], [-1.0, -3.0])
    assert {name: values.tolist() for name, values in some.terms.items()} == {"own": [0.6, 0.4]}
