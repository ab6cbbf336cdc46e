"""Bins of equal frequency, which are what numbers are cut into unless told otherwise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.binning import ENDS_FROM, Bins, code_of, cut

NUMBERS = st.lists(st.integers(-200, 200).map(lambda number: number / 4), min_size=1, max_size=200).map(np.array)
HEAVY = st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0, 7.5, 40.0]), min_size=1, max_size=60).map(np.array)
COUNTS = st.integers(1, 40)


def test_numbers_are_cut_by_frequency_unless_told_otherwise():
    assert Bins().strategy == "quantile"
    numbers = np.exp(np.linspace(0, 9, 1_280))
    held = np.bincount(code_of(numbers, cut(numbers, Bins(count=8)).edges))
    assert held.tolist() == [160] * 8


@settings(deadline=None)
@given(NUMBERS, COUNTS)
def test_a_bin_is_represented_by_a_training_value_inside_it(numbers, count):
    parts = cut(numbers, Bins(count=count, distinct=False))
    assert np.isin(parts.values, numbers).all()
    assert code_of(parts.values, parts.edges).tolist() == list(range(len(parts.values)))


@settings(deadline=None)
@given(NUMBERS | HEAVY, st.integers(1, 8))
def test_there_are_no_more_bins_than_asked_for(numbers, count):
    assert 1 <= len(cut(numbers, Bins(count=count, distinct=False)).values) <= count


@settings(deadline=None)
@given(NUMBERS, st.integers(ENDS_FROM, 40))
def test_the_ends_of_a_column_have_codes_of_their_own(numbers, count):
    parts = cut(numbers, Bins(count=count))
    assert (parts.values[0], parts.values[-1]) == (numbers.min(), numbers.max())
    if numbers.min() < numbers.max():
        codes = code_of(numbers, parts.edges)
        assert set(numbers[codes == 0]) == {numbers.min()}
        assert set(numbers[codes == codes.max()]) == {numbers.max()}


def test_with_few_bins_the_ends_are_not_worth_one():
    parts = cut(np.arange(100.0), Bins(count=ENDS_FROM - 1))
    assert parts.values[0] > 0.0
    assert parts.values[-1] < 99.0


@pytest.mark.parametrize("count", [8, 32])
def test_heavy_values_have_bins_of_their_own(count):
    numbers = np.concatenate([np.arange(500.0), np.full(300, 40.0), np.full(200, 250.0)])
    parts = cut(numbers, Bins(count=count))
    codes = code_of(numbers, parts.edges)
    assert {40.0, 250.0} <= set(parts.values)
    assert [len(set(numbers[codes == code_of(np.array([heavy]), parts.edges)])) for heavy in (40.0, 250.0)] == [1, 1]


def test_the_representative_is_the_median_of_the_training_values_in_the_bin():
    parts = cut(np.array([0.0, 1.0, 9.0, 10.0, 11.0, 100.0]), Bins(count=2))
    assert parts.values.tolist() == [1.0, 11.0]


def test_bins_may_still_be_represented_by_their_centres():
    numbers = np.exp(np.linspace(0, 5, 100))
    parts = cut(numbers, Bins(count=4, decode="centre"))
    assert parts.values == pytest.approx((parts.edges[:-1] + parts.edges[1:]) / 2)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("count", [ENDS_FROM, ENDS_FROM + 3])
def test_an_end_that_many_rows_share_takes_one_bin_and_no_more(side, count):
    numbers = side * np.concatenate([np.arange(40.0), np.full(30, 40.0)])
    parts = cut(numbers, Bins(count=count, distinct=False))
    assert len(parts.values) == count
    held = np.bincount(code_of(numbers, parts.edges))
    assert sorted((held[0], held[-1])) == [1, 30]
