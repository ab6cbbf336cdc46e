"""Rows without end: every round has all of them, in an order of its own."""

from itertools import pairwise

import numpy as np
import pytest

from counterflownet.training.rounds import Rounds

ROWS = np.array([3, 5, 8, 13, 21])


def test_every_round_has_every_row_once_in_another_order() -> None:
    rounds = Rounds(ROWS, 0, "name")(0, 20).reshape(4, 5)
    assert all(sorted(one) == ROWS.tolist() for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1


@pytest.mark.parametrize("cuts", [(0, 20), (0, 3, 20), (0, 7, 9, 16, 20), (0, 5, 10, 15, 20)], ids=str)
def test_a_place_holds_the_same_row_however_it_is_come_to(cuts) -> None:
    made = Rounds(ROWS, 0, "name")
    parts = [made(start, stop) for start, stop in pairwise(cuts)]
    assert np.concatenate(parts).tolist() == Rounds(ROWS, 0, "name")(0, 20).tolist()
    assert made(2, 4).tolist() == Rounds(ROWS, 0, "name")(0, 20)[2:4].tolist()  # and backwards


def test_seed_and_names_decide_the_order() -> None:
    told = [Rounds(np.arange(50), seed, name)(0, 50).tolist() for seed in (0, 1) for name in ("a", "b")]
    assert len({tuple(one) for one in told}) == 4


def test_no_places_hold_no_rows() -> None:
    assert Rounds(ROWS, 0, "name")(4, 4).tolist() == []


@pytest.mark.parametrize("place", [0, 3, 5, 10])
def test_from_a_place_to_itself_there_is_no_row(place) -> None:
    assert Rounds(ROWS, 0, "name")(place, place).tolist() == []
