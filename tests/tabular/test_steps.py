"""The values that a change can stop at."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.schema import Schema
from counterflownet.tabular.steps import Steps

RISING = st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=12, unique=True).map(sorted).map(np.array)


@given(RISING, RISING)
def test_steps_rise_and_every_code_and_fine_number_is_one_of_them(codes, fine):
    steps = Steps.of(codes, fine.tolist(), len(codes) + 2, ())
    assert steps.number.tolist() == sorted({*codes.tolist(), *fine.tolist()})


@given(RISING, RISING)
def test_a_code_keeps_its_place_and_others_have_that_of_their_fine_number(codes, fine):
    steps = Steps.of(codes, fine.tolist(), len(codes) + 2, ())
    places = dict(zip(fine.tolist(), range(len(codes) + 2, len(codes) + 2 + len(fine)), strict=True))
    places |= dict(zip(codes.tolist(), range(len(codes)), strict=True))
    assert steps.place.tolist() == [places[number] for number in steps.number.tolist()]


@given(RISING, RISING)
def test_codes_and_the_values_of_the_grid_are_on_the_grid(codes, fine):
    grid = fine[::2]
    steps = Steps.of(codes, fine.tolist(), len(codes) + 2, grid.tolist())
    assert steps.number[steps.on_grid].tolist() == sorted({*codes.tolist(), *grid.tolist()})


@given(RISING, st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), min_size=1, max_size=5))
def test_between_two_numbers_are_those_that_are_neither(numbers, pairs):
    steps = Steps.of(numbers, (), len(numbers) + 2, ())
    low, high = np.array(pairs, dtype=np.float64).T
    first, end = steps.between(low, high)
    for number in range(len(pairs)):
        found = steps.number[first[number] : end[number]].tolist()
        assert found == [value for value in numbers.tolist() if low[number] < value < high[number]]


@settings(deadline=None)
@given(st.lists(st.integers(-500, 500).map(lambda number: number / 4), min_size=1, max_size=60), st.integers(1, 20))
def test_the_steps_of_a_column_have_the_numbers_of_their_places(numbers, bins):
    feature = Schema.infer(pd.DataFrame({"x": numbers}), bins=bins)["x"]
    assert feature.place_numbers[feature.steps.place].tolist() == feature.steps.number.tolist()
    assert feature.steps.number.tolist() == sorted(set(numbers))


def test_ordered_categories_step_from_one_to_the_next():
    feature = Schema.infer(pd.DataFrame({"x": ["a", "b", "c"]}), orders={"x": ["c", "a", "b"]})["x"]
    assert feature.steps.number.tolist() == feature.steps.place.tolist() == [0, 1, 2]
    assert feature.steps.on_grid.all()
