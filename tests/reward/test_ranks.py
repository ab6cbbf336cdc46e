"""Predictions as places among those of training rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from counterflownet.errors import InvalidInputError
from counterflownet.reward.goals import IntervalGoals
from counterflownet.reward.ranks import Ranks

ROWS = arrays(np.float64, st.integers(1, 60), elements=st.integers(-50, 50).map(float))


@given(ROWS)
def test_places_rise_with_predictions_and_lead_back_to_them(predictions) -> None:
    ranks = Ranks.of(predictions)
    numbers = np.linspace(predictions.min() - 5, predictions.max() + 5, 40)
    places = ranks.place(numbers)
    assert (np.diff(places) > 0).all()
    own = ranks.place(predictions)
    assert ((own > 0) & (own < 1)).all()
    assert ranks.value(own) == pytest.approx(predictions)


def test_many_predictions_are_thinned_but_keep_both_ends() -> None:
    predictions = np.random.default_rng(0).exponential(size=20_000)
    ranks = Ranks.of(predictions)
    assert len(ranks.knots) <= 1_024
    assert (ranks.least, ranks.most) == (predictions.min(), predictions.max())
    below = np.array([(predictions < number).mean() for number in (0.1, 0.7, 3.0)])
    assert ranks.place(np.array([0.1, 0.7, 3.0])) == pytest.approx(below, abs=2e-3)


@given(ROWS, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_ends_that_the_flow_is_told_stand_for_the_interval(predictions, one, other) -> None:
    ranks = Ranks.of(predictions)
    low, high = ranks.value(np.sort(np.array([[one], [other]]), axis=0).ravel())[:, None]
    told = np.stack([*ranks.ends(low, high), low], axis=1)
    again = IntervalGoals.of_places(told, ranks)
    assert again.low == pytest.approx(low)
    assert again.high == pytest.approx(high)


def test_open_ends_stay_open() -> None:
    ranks = Ranks.of(np.arange(10.0))
    told = np.stack([*ranks.ends(np.array([-np.inf, 99.0]), np.array([5.0, np.inf])), np.zeros(2)], axis=1)
    again = IntervalGoals.of_places(told.astype(np.float32), ranks)
    assert again.low.tolist() == [-np.inf, 9.0]  # beyond all training rows: as the last of them
    assert again.high == pytest.approx([5.0, np.inf])


def test_a_deviation_of_predictions_counts_as_two_log_odds() -> None:
    assert Ranks.of(np.array([0.0, 8.0])).unit == 2.0


@pytest.mark.parametrize(("prediction", "deviation"), [(0.0, 1.0), (0.5, 1.0), (-30.0, 30.0)])
def test_where_all_predictions_are_the_same_their_size_is_the_measure(prediction, deviation) -> None:
    assert Ranks.of(np.full(5, prediction)).deviation == deviation


@pytest.mark.parametrize(
    ("knots", "places", "deviation"),
    [
        ([1.0, 1.0], [0.2, 0.8], 1.0),
        ([1.0, 2.0], [0.8, 0.2], 1.0),
        ([1.0, 2.0], [0.2, 1.8], 1.0),
        ([1.0, 2.0], [0.2, 0.8], 0.0),
        ([1.0, 2.0], [0.2, 0.8], np.inf),
        ([], [], 1.0),
    ],
)
def test_ranks_that_cannot_be_those_of_predictions_are_refused(knots, places, deviation) -> None:
    with pytest.raises(InvalidInputError, match="must rise"):
        Ranks(np.array(knots), np.array(places), deviation)
