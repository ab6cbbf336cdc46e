"""Directions that are joined by more rows to learn from."""

import numpy as np

from counterflownet.training.directions import Directions

CLASSES = np.array([0] * 300 + [2] * 4)
BEFORE = Directions.of(CLASSES, 3, 0)


def test_every_direction_of_a_class_is_joined_by_the_rows_of_that_class_and_no_other() -> None:
    after = BEFORE.joined_by({2: np.array([400, 401]), 0: np.array([500])})
    more = {0: [500], 2: [400, 401]}
    assert [(way.predicted, way.target) for way in after] == [(0, 1), (0, 2), (2, 0), (2, 1)]
    for one, other in zip(BEFORE, after, strict=True):
        assert other.learned.tolist() == one.learned.tolist() + more[one.predicted]


def test_a_class_that_is_joined_by_none_learns_from_the_rows_it_had() -> None:
    after = BEFORE.joined_by({2: np.array([400])})
    for one, other in zip(BEFORE, after, strict=True):
        assert len(other.learned) == len(one.learned) + (one.predicted == 2)
        assert other.learned.dtype == one.learned.dtype


def test_a_class_that_has_no_direction_is_not_asked_for() -> None:
    after = BEFORE.joined_by({1: np.array([400])})
    assert [way.learned.tolist() for way in after] == [way.learned.tolist() for way in BEFORE]


def test_what_directions_are_measured_on_does_not_change() -> None:
    after = BEFORE.joined_by({0: np.arange(304, 310), 2: np.arange(310, 350)})
    assert [way.held_out for way in after] == [True, True, False, False]
    assert [way.measured.tolist() for way in after] == [way.measured.tolist() for way in BEFORE]


def test_all_rows_of_the_table_to_learn_from_stay_those_of_the_table() -> None:
    assert BEFORE.joined_by({2: np.array([400])}).learned.tolist() == BEFORE.learned.tolist()


def test_the_directions_that_were_joined_are_left_as_they_were() -> None:
    kept = [way.learned.tolist() for way in BEFORE]
    BEFORE.joined_by({0: np.array([400]), 2: np.array([401])})
    assert [way.learned.tolist() for way in BEFORE] == kept
