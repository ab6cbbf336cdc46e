"""Directions of a table, and which rows are held back to measure them."""

import numpy as np
import pytest

from counterflownet.training.directions import Directions


def held(predicted: list[int], class_count: int = 2) -> dict[tuple[int, int], tuple[int, bool]]:
    found = Directions.of(np.array(predicted), class_count, 0)
    return {(way.predicted, way.target): (len(way.measured), way.held_out) for way in found}


def test_every_class_that_occurs_is_led_to_every_other() -> None:
    assert list(held([0, 0, 2], 4)) == [(0, 1), (0, 2), (0, 3), (2, 0), (2, 1), (2, 3)]


@pytest.mark.parametrize(
    ("rows", "measured", "held_out"),
    [(1, 1, False), (199, 199, False), (200, 10, True), (1_000, 50, True), (100_000, 250, True)],
)
def test_a_twentieth_of_a_class_is_held_back_unless_that_is_too_few_or_more_than_needed(
    rows, measured, held_out
) -> None:
    assert held([0] * rows + [1] * 5_000)[0, 1] == (measured, held_out)


def test_a_large_table_holds_back_five_hundred_rows_whatever_the_classes() -> None:
    predicted = np.arange(60_000) % 5
    assert len(predicted) - len(Directions.of(predicted, 5, 0).learned) == 500


def test_no_row_is_both_learned_from_and_held_back_and_none_is_lost() -> None:
    predicted = np.arange(3_000) % 3
    found = Directions.of(predicted, 3, 0)
    back = np.unique(np.concatenate([way.measured for way in found]))
    assert sorted([*found.learned, *back]) == list(range(3_000))
    assert all((predicted[way.learned] == way.predicted).all() for way in found)
    assert all((predicted[way.measured] == way.predicted).all() for way in found)


def test_a_small_class_is_learned_from_whole() -> None:
    found = Directions.of(np.array([0] * 50 + [1] * 1_000), 2, 0)
    assert next(way for way in found if way.predicted == 0).learned.tolist() == list(range(50))


def test_the_seed_decides_which_rows_are_held_back() -> None:
    one, again, other = (Directions.of(np.zeros(1_000, np.int64), 2, seed).all[0].measured for seed in (0, 0, 1))
    assert one.tolist() == again.tolist() != other.tolist()
