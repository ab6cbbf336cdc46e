"""Every direction has the same share of a batch, however rare it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterflownet.training.directions import Directions
from counterflownet.training.order import DirectionOrder, TableOrder, evenly_mixed

RARE = np.array([0] * 900 + [1] * 97 + [2] * 3)  # predicted classes


def ordered(predicted: np.ndarray = RARE, class_count: int = 3, size: int = 16, seed: int = 0) -> DirectionOrder:
    return DirectionOrder(Directions.of(predicted, class_count, seed), size, seed)


def counts(order: DirectionOrder, step: int) -> list[int]:
    """How often a batch has each direction."""
    chosen, predicted = order(step), {row: way.predicted for way in order.directions for row in way.learned}
    pairs = [(predicted[row], target) for row, target in zip(*chosen, strict=True)]
    return [pairs.count((way.predicted, way.target)) for way in order.directions]


@pytest.mark.parametrize("size", [16, 256, 6, 4])
def test_every_direction_has_the_same_share_of_every_batch_as_near_as_whole_numbers_allow(size) -> None:
    order = ordered(size=size)
    for step in (0, 1, 7, 1000):
        found = counts(order, step)
        assert sum(found) == size
        assert max(found) - min(found) <= 1


def test_over_batches_the_shares_become_the_same() -> None:
    order = ordered(size=16)
    assert np.sum([counts(order, step) for step in range(3)], axis=0).tolist() == [8] * 6


def test_a_table_of_one_predicted_class_has_directions_from_it_alone() -> None:
    assert counts(ordered(np.zeros(30, dtype=np.int64)), 0) == [8, 8]


def test_rows_of_a_direction_come_in_a_new_order_each_time_round_and_none_is_left_out() -> None:
    order = ordered(size=6)
    (place,) = [at for at, way in enumerate(order.directions) if (way.predicted, way.target) == (2, 0)]
    seen = [order(step).source[place] for step in range(30)]
    rounds = [seen[at : at + 3] for at in range(0, 30, 3)]
    assert all(sorted(one) == [997, 998, 999] for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1


def test_a_batch_depends_on_the_seed_and_its_number_alone() -> None:
    forwards, backwards, other = ordered(), ordered(), ordered(seed=1)
    wanted = [forwards(step) for step in range(9)]
    for step in reversed(range(9)):
        found = backwards(step)
        assert (found.source == wanted[step].source).all()
        assert (found.target == wanted[step].target).all()
    assert (other(0).source != wanted[0].source).any()


def test_rows_that_are_held_back_are_never_learned_from() -> None:
    order = ordered(size=256)
    held = np.concatenate([way.measured for way in order.directions if way.held_out])
    assert len(held) > 0
    seen = np.concatenate([order(step).source for step in range(40)])
    assert not np.isin(held, seen).any()


def test_a_table_s_own_order_has_its_own_shares() -> None:
    order = TableOrder(np.arange(1000), RARE, 3, size=100, seed=0)
    classes = np.bincount(RARE[np.concatenate([order(step).source for step in range(10)])])
    assert classes.tolist() == [900, 97, 3]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 40))
def test_a_pattern_is_even_in_every_stretch_that_begins_it(shares, length) -> None:
    number, turn = evenly_mixed(np.array(shares))
    assert np.bincount(number).tolist() == shares
    assert all(turn[number == one].tolist() == list(range(share)) for one, share in enumerate(shares))
    wanted = np.array(shares) * min(length, len(number)) / len(number)
    assert np.abs(np.bincount(number[:length], minlength=len(shares)) - wanted).max() <= len(shares) / 2 + 0.5
