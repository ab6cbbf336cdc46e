import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.binning import Bins, code_of, cut

FRACTIONS = st.lists(st.floats(-1e90, 1e90), min_size=1, max_size=40)
NEARLY_EQUAL = st.lists(st.integers(0, 60), min_size=1, max_size=40).map(lambda steps: [1 + n * 2**-52 for n in steps])
WHOLE = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40)
EDGES = st.lists(st.floats(-2000, 2000), min_size=2, max_size=8, unique=True).map(lambda edges: tuple(sorted(edges)))
SETTINGS = st.fixed_dictionaries(
    {
        "count": st.integers(1, 30),
        "strategy": st.sampled_from(["uniform", "quantile"]),
        "decode": st.sampled_from(["nearest", "centre"]),
        "distinct": st.booleans(),
    }
)


def check_values_lie_in_their_bins(parts):
    assert len(parts.edges) == len(parts.values) + 1
    assert (np.diff(parts.values) > 0).all()
    assert code_of(parts.values, parts.edges).tolist() == list(range(len(parts.values)))
    assert parts.edges[0] <= parts.values[0]
    assert parts.values[-1] <= parts.edges[-1]


@settings(deadline=None)
@given(FRACTIONS | NEARLY_EQUAL, SETTINGS)
def test_each_value_lies_in_its_own_bin(numbers, chosen):
    check_values_lie_in_their_bins(cut(np.array(numbers), Bins(**chosen)))


@settings(deadline=None)
@given(WHOLE, SETTINGS)
def test_whole_numbers_stand_for_bins_of_whole_numbers(numbers, chosen):
    parts = cut(np.array(numbers, dtype=float), Bins(**chosen), whole=True)
    check_values_lie_in_their_bins(parts)
    assert (parts.values == np.round(parts.values)).all()


@settings(deadline=None)
@given(WHOLE, EDGES, SETTINGS, st.booleans())
def test_values_lie_within_the_edges_that_were_given(numbers, edges, chosen, whole):
    try:
        parts = cut(np.array(numbers, dtype=float), Bins(**chosen, edges=edges), whole=whole)
    except InvalidInputError:
        assume(False)  # no number, or no whole one, lies within these edges
    check_values_lie_in_their_bins(parts)
    assert (parts.edges[0], parts.edges[-1]) == (edges[0], edges[-1])


@settings(deadline=None)
@given(FRACTIONS, SETTINGS)
def test_nearest_values_are_training_values(numbers, chosen):
    parts = cut(np.array(numbers), Bins(**chosen | {"decode": "nearest"}))
    assert set(parts.values) <= set(np.array(numbers))


@settings(deadline=None)
@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=40), SETTINGS)
def test_values_are_those_that_a_narrower_column_can_hold(numbers, chosen):
    def narrow(values):
        return values.astype(np.float32).astype(np.float64)

    parts = cut(np.array(numbers), Bins(**chosen), held=narrow)
    check_values_lie_in_their_bins(parts)
    assert (narrow(parts.values) == parts.values).all()


def test_a_column_of_few_values_has_a_code_for_each():
    parts = cut(np.array([5.0, 1.0, 2.0, 5.0]), Bins(count=3))
    assert parts.values.tolist() == [1.0, 2.0, 5.0]
    assert parts.edges.tolist() == [1.0, 1.5, 3.5, 5.0]


def test_uniform_bins_are_equally_wide_and_decode_to_their_centres():
    parts = cut(np.array([0.0, 1.0, 8.0]), Bins(count=4, strategy="uniform", decode="centre", distinct=False))
    assert parts.edges.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert parts.values.tolist() == [1.0, 3.0, 5.0, 7.0]


def test_bins_without_training_values_are_left_out_and_their_room_is_shared():
    parts = cut(np.array([0.0, 1.5, 8.0]), Bins(count=4, strategy="uniform", distinct=False))
    assert parts.values.tolist() == [1.5, 8.0]
    assert parts.edges.tolist() == [0.0, 4.0, 8.0]


def test_quantile_bins_hold_equally_many_values():
    numbers = np.exp(np.linspace(0, 5, 100))
    parts = cut(numbers, Bins(count=4, strategy="quantile"))
    assert np.bincount(code_of(numbers, parts.edges)).tolist() == [25, 25, 25, 25]


def test_a_value_more_frequent_than_a_quantile_bin_has_a_bin_to_itself():
    gains = np.array([0.0] * 92 + [100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0])
    parts = cut(gains, Bins(count=4, strategy="quantile", decode="centre", distinct=False))
    assert len(parts.values) == 4
    assert parts.values[0] == 0.0
    assert np.bincount(code_of(gains, parts.edges)).tolist() == [92, 3, 2, 3]
    hours = np.array([*range(20, 40), *[40] * 50, *range(41, 71)], dtype=float)
    parts = cut(hours, Bins(count=4, strategy="quantile", decode="centre", distinct=False), whole=True)
    assert np.bincount(code_of(hours, parts.edges)).tolist() == [20, 50, 15, 15]
    assert parts.values[1] == 40


def test_a_frequent_value_in_the_middle_has_one_of_three_bins():
    hours = np.array([*range(20, 40), *[40] * 50, *range(41, 71)], dtype=float)
    parts = cut(hours, Bins(count=3, strategy="quantile", distinct=False))
    assert np.bincount(code_of(hours, parts.edges)).tolist() == [20, 50, 30]


@given(st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0, 7.5, 40.0]), min_size=1, max_size=60), st.integers(1, 8))
def test_quantile_bins_are_at_most_as_many_as_asked_for_and_hold_every_value(numbers, count):
    column = np.array(numbers)
    parts = cut(column, Bins(count=count, strategy="quantile", decode="centre", distinct=False))
    assert 1 <= len(parts.values) <= count
    assert (np.diff(parts.edges) > 0).all() or len(np.unique(column)) == 1
    assert (parts.edges[0], len(parts.edges)) == (column.min(), len(parts.values) + 1)
    assert (code_of(parts.values, parts.edges) == np.arange(len(parts.values))).all()


def test_a_constant_column_has_one_bin():
    parts = cut(np.array([3.0, 3.0]), Bins(distinct=False))
    assert parts.values.tolist() == [3.0]
    assert parts.edges.tolist() == [3.0, 3.0]


def test_a_bin_without_a_whole_number_is_left_out():
    bins = Bins(count=6, strategy="uniform", decode="centre", distinct=False)
    parts = cut(np.array([0.0, 1.0, 2.0, 3.0]), bins, whole=True)
    assert parts.values.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_a_whole_number_on_a_border_belongs_to_the_upper_bin_and_the_highest_to_the_last():
    bins = Bins(count=4, strategy="uniform", decode="centre", distinct=False)
    parts = cut(np.array([0.0, 4.0]), bins, whole=True)
    assert parts.values.tolist() == [0.0, 1.0, 2.0, 4.0]


@pytest.mark.parametrize("low", [1.0, 1.0 + 2**-52])
def test_neighbouring_floats_are_told_apart(low):
    numbers = np.array([low, np.nextafter(low, 2.0)])
    assert code_of(numbers, cut(numbers, Bins()).edges).tolist() == [0, 1]


def test_a_bin_holds_its_lower_edge_and_the_last_one_both():
    assert code_of(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0])).tolist() == [0, 1, 1]


def test_numbers_outside_all_bins_belong_to_the_nearest():
    assert code_of(np.array([-9.0, 9.0]), np.array([0.0, 1.0, 2.0])).tolist() == [0, 1]


def test_a_training_value_outside_the_given_edges_stands_for_no_bin():
    parts = cut(np.array([1.0, 25.0]), Bins(edges=(0, 10, 20)))
    assert parts.values.tolist() == [1.0]


def test_edges_that_hold_no_value_are_an_error():
    with pytest.raises(InvalidInputError, match=r"no bin between 10 and 20 holds a usable value.*wider"):
        cut(np.array([1.0, 2.0]), Bins(edges=(10, 15, 20)))


@pytest.mark.parametrize("edges", [(), (1.0,), (1.0, 1.0), (2.0, 1.0), (0.0, np.inf), (np.nan, 1.0)])
def test_edges_must_increase(edges):
    with pytest.raises(InvalidInputError, match="at least two finite numbers in increasing order"):
        Bins(edges=edges)


def test_there_is_at_least_one_bin():
    with pytest.raises(InvalidInputError, match=r"Bins\.count must be a whole number of at least 1; got 0"):
        Bins(count=0)


@pytest.mark.parametrize(("name", "guess"), [("strategy", "uniform"), ("decode", "nearest")])
@pytest.mark.usefixtures("without_annotations")
def test_unknown_ways_of_binning_are_named(name, guess):
    with pytest.raises(InvalidInputError, match=rf"unknown Bins\.{name} '{guess[:-1]}'. Did you mean '{guess}'"):
        Bins(**{name: guess[:-1]})
