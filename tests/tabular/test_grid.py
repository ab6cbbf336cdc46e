"""The values of a column on which answers are tight."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.grid import MOST, MOST_FINE, Grid, spaced_by_rank

FEW = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=60).map(np.array)
TIMES = st.lists(st.sampled_from([1, 2, 40, 900]), min_size=1, max_size=80).map(np.array)  # how many rows have each


@settings(deadline=None)
@given(FEW)
def test_a_column_of_few_values_keeps_all_of_them(numbers):
    grid = Grid.of(numbers)
    assert grid.grid.tolist() == grid.fine.tolist() == sorted(set(numbers.tolist()))


def test_of_many_values_the_grid_keeps_some_and_the_fine_ones_are_all():
    numbers = np.random.default_rng(0).normal(size=5_000)
    grid = Grid.of(numbers)
    assert MOST <= len(grid.grid) <= 2 * MOST
    assert len(grid.fine) == 5_000
    assert np.isin(grid.grid, grid.fine).all()


@pytest.mark.parametrize("count", [5_000, 40_000])  # the latter are too many to keep them all
def test_the_grid_is_equally_spaced_by_the_rank_of_rows_and_of_values_and_answers_can_take_all_of_it(count):
    numbers = np.random.default_rng(0).lognormal(size=count).round(3 if count < 10_000 else 6)
    grid, shares = Grid.of(numbers), np.linspace(0, 1, MOST)
    for ranked in (numbers, np.unique(numbers)):
        assert (
            np.isin(np.quantile(ranked, shares, method="nearest"), grid.grid).mean() > 0.99
        )  # but for ties in rounding
    assert np.isin(grid.grid, grid.fine).all()
    assert len(grid.fine) <= MOST_FINE + 2 * MOST


@settings(deadline=None)
@given(TIMES, st.integers(2, 40))
def test_as_many_values_as_asked_for_are_chosen_each_once_and_the_ends_among_them(times, most):
    chosen = spaced_by_rank(np.cumsum(times), most)
    assert len(chosen) == min(most, len(times))
    assert (np.diff(chosen) > 0).all()
    assert (chosen[0], chosen[-1]) == (0, len(times) - 1)


@settings(deadline=None)
@given(TIMES, st.integers(2, 40))
def test_no_more_rows_lie_between_two_chosen_values_than_an_equal_share(times, most):
    rows_below = np.cumsum(times)
    chosen = spaced_by_rank(rows_below, most)
    between = (rows_below - times)[chosen[1:]] - rows_below[chosen[:-1]]
    assert between.max(initial=0) <= (rows_below[-1] - 1) / (most - 1) + 1


def test_what_a_heavy_value_leaves_free_goes_to_others():
    numbers = np.concatenate([np.zeros(100_000), np.arange(1.0, 1_001)])  # of equal shares, zero alone has nearly all
    grid = Grid.of(numbers).grid
    assert MOST <= len(grid) <= 2 * MOST
    assert grid[0] == 0.0
    assert np.diff(grid).max() < 10


def test_ranks_are_the_share_of_rows_below_with_half_of_those_that_have_the_value():
    assert Grid.of(np.array([7.0, 1.0, 1.0, 3.0])).ranks.tolist() == [0.25, 0.625, 0.875]


@pytest.mark.parametrize(
    ("numbers", "spread"),
    [
        (np.arange(101.0), 90.0),
        (np.append(np.arange(101.0), 1e12), 90.9),
        (np.concatenate([np.zeros(97), [2.0, 2.0, 2.0]]), 2.0),  # of which the middle nine tenths are all the same
        (np.append(np.zeros(999), 5.0), 5.0),
        (np.full(9, 4.0), 1.0),
    ],
    ids=["even", "one enormous", "mostly zero", "one other", "constant"],
)
def test_the_spread_is_how_far_ordinary_rows_reach(numbers, spread):
    assert Grid.of(numbers).spread == pytest.approx(spread)


def test_values_of_one_row_each_are_chosen_at_equal_distances():
    assert spaced_by_rank(np.arange(1, 1_002), 11).tolist() == list(range(0, 1_001, 100))


def test_where_there_are_more_rows_there_are_more_values_of_the_grid():
    times = np.repeat([1, 99], 500)
    chosen = spaced_by_rank(np.cumsum(times), 101)
    assert (chosen >= 500).sum() == 100
