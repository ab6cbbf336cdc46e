"""Which values of an ordered column are tried first: more of them near the factual than far from it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from made_grounds import Made

from counterflownet.explain import proposals as module
from counterflownet.explain.proposals import PER_DIRECTION, _nearest_first

FLAGS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=40))


def ranks(count: int, most: int) -> list[int]:
    """Which of so many open values are chosen, counted from 1."""
    return (1 + np.flatnonzero(_nearest_first(np.ones((1, count), dtype=bool), most)[0])).tolist()


@given(FLAGS, st.integers(1, 9))
def test_only_open_values_are_chosen_the_first_and_the_last_among_them(open_, most) -> None:
    chosen = _nearest_first(open_, most)
    assert chosen.shape == open_.shape
    assert not (chosen & ~open_).any()
    for flags, kept in zip(open_, chosen, strict=True):
        places = np.flatnonzero(flags)
        assert kept[places[[0, -1]] if most > 1 else places[-1:]].all() if len(places) else not kept.any()


@given(FLAGS, st.integers(1, 9))
def test_no_more_are_chosen_than_may_be_and_two_if_there_are_two(open_, most) -> None:
    counts, open_counts = _nearest_first(open_, most).sum(axis=1), open_.sum(axis=1)
    assert (counts <= np.minimum(open_counts, most)).all()
    assert (counts >= np.minimum(open_counts, min(most, 2))).all()


@given(FLAGS, st.integers(1, 9))
def test_closed_values_take_no_place(open_, most) -> None:
    for flags, kept in zip(open_, _nearest_first(open_, most), strict=True):
        expected = ranks(int(flags.sum()), most) if flags.any() else []
        assert (1 + np.flatnonzero(kept[flags])).tolist() == expected


@given(st.integers(2, 400), st.integers(2, 12))
def test_the_nth_is_the_first_value_beyond_the_nth_power_of_the_same_factor(count, most) -> None:
    powers = count ** (np.arange(most) / (most - 1))
    reached = {int(np.ceil(power - 1e-6)) for power in powers}
    assert ranks(count, most) == sorted({1, count} | reached)


@pytest.mark.parametrize(
    ("count", "most", "expected"),
    [
        (32, 6, [1, 2, 4, 8, 16, 32]),
        (81, 5, [1, 3, 9, 27, 81]),
        (64, 4, [1, 4, 16, 64]),
        (2, 6, [1, 2]),
        (1, 6, [1]),
        (3, 6, [1, 2, 3]),
        (30, 2, [1, 30]),
        (30, 1, [30]),
    ],
)
def test_places_grow_by_the_same_factor(count, most, expected) -> None:
    assert ranks(count, most) == expected


@given(st.integers(30, 400))
def test_gaps_grow(count) -> None:
    gaps = np.diff(ranks(count, 6))
    assert (gaps[1:] >= gaps[:-1]).all()
    assert gaps[-1] > 3 * gaps[0]


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 5)])
def test_where_there_are_no_values_none_is_chosen(shape) -> None:
    assert _nearest_first(np.zeros(shape, dtype=bool), 4).shape == shape


def test_singles_are_closer_to_each_other_near_the_factual_on_both_sides() -> None:
    train = pd.DataFrame({"a": np.arange(65), "b": np.arange(65) % 2 == 0})
    made = Made(train.iloc[[32]].reset_index(drop=True), train, lambda rows: rows["a"])
    found = made.decoded(made.proposals.singles(np.array([0])).states)
    moved = sorted(set(found["a"] - 32) - {0})
    up = [move for move in moved if move > 0]
    assert moved == [-move for move in reversed(up)] + up
    assert up == ranks(32, PER_DIRECTION)
    assert len(up) == PER_DIRECTION - 1  # two of the places that grow by the same factor are the same


def test_a_wide_table_has_two_singles_of_each_column_the_farthest_of_either_side() -> None:
    wide = pd.DataFrame(np.tile(np.arange(30)[:, None], (1, 130)), columns=[f"c{d}" for d in range(130)])
    made = Made(wide.iloc[[12]].reset_index(drop=True), wide, lambda rows: rows["c0"])
    found = made.decoded(made.proposals.singles(np.array([0])).states)
    assert len(found) == 2 * 130
    assert {value for name in wide for value in found[name]} == {0, 12, 29}


def test_a_column_without_order_has_two_dozen_values_tried_at_most_the_last_among_them() -> None:
    words = [f"word {number:02}" for number in range(40)]
    train = pd.DataFrame({"a": words, "b": words[::-1]})
    made = Made(train.head(1), train, lambda rows: rows["a"] == "word 01")
    found = made.decoded(made.proposals.singles(np.array([0])).states)
    assert (found["a"] != "word 00").sum() == (found["b"] != "word 39").sum() == 24
    assert {"word 39"} < set(found["a"])


def test_a_wide_table_has_two_values_of_each_column_without_order() -> None:
    wide = pd.DataFrame({f"c{d}": list("uvwxyz") for d in range(130)})
    made = Made(wide.head(1), wide, lambda rows: rows["c0"] == "v")
    found = made.decoded(made.proposals.singles(np.array([0])).states)
    assert all((found[name] != "u").sum() == 2 for name in wide)


def test_sixty_columns_have_four_singles_each() -> None:
    some = pd.DataFrame(np.tile(np.arange(30)[:, None], (1, 60)), columns=[f"c{d}" for d in range(60)])
    made = Made(some.iloc[[12]].reset_index(drop=True), some, lambda rows: rows["c0"])
    assert len(made.proposals.singles(np.array([0]))) == module.MOST_SINGLES == 4 * 60
