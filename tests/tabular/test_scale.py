"""How far apart two values of a column are."""

from typing import get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.feature import Feature, Kind
from counterflownet.tabular.scale import Scale, scaled
from counterflownet.tabular.schema import Schema

SCALES = get_args(Scale)
NUMBERS = st.lists(st.integers(-1000, 1000).map(lambda number: number / 8), min_size=2, max_size=30)
HEAVY = np.append(np.arange(1.0, 101.0), [1e6, 2e6])  # two enormous values


def feature_of(numbers) -> Feature:
    return Schema.infer(pd.DataFrame({"x": numbers}))["x"]


def distance(numbers, before: float, after: float, scale: Scale) -> float:
    table = Factuals(Schema.infer(pd.DataFrame({"x": numbers})), pd.DataFrame({"x": [before]}), scale=scale)
    return float(table.distance(0, np.array([before]), np.array([after]))[0])


@settings(deadline=None)
@given(NUMBERS, NUMBERS, st.sampled_from(SCALES))
def test_a_larger_number_is_never_lower_on_a_scale(training, numbers, scale):
    assert (np.diff(scaled(feature_of(training), np.sort(numbers), scale)) >= 0).all()


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_mixed_tells_any_two_numbers_apart(training, numbers):
    assert (np.diff(scaled(feature_of(training), np.unique(numbers), "mixed")) > 0).all()


@settings(deadline=None, max_examples=30)
@given(NUMBERS, st.floats(-200, 200), st.floats(-200, 200), st.sampled_from(SCALES))
def test_there_and_back_are_equally_far(training, one, other, scale):
    assert distance(training, one, other, scale) == distance(training, other, one, scale)


@pytest.mark.parametrize("scale", SCALES)
def test_a_change_of_a_missing_value_counts_one(scale):
    assert distance([1.5, 2.0, 9.0], np.nan, 2.0, scale) == 1.0


def test_a_few_enormous_values_do_not_make_other_steps_look_small():
    usual, heavy = distance(HEAVY[:100], 10.0, 90.0, "mixed"), distance(HEAVY, 10.0, 90.0, "mixed")
    assert heavy == pytest.approx(usual, rel=0.05)
    assert distance(HEAVY, 10.0, 90.0, "range") < 1e-4


def test_a_step_to_an_enormous_value_is_long():
    assert distance(HEAVY, 100.0, 1e6, "mixed") > 3 * distance(HEAVY, 1.0, 100.0, "mixed")
    assert distance(HEAVY, 100.0, 1e6, "rank") < 0.02


@pytest.mark.parametrize(
    ("scale", "expected"),
    [("range", 20 / 40), ("deviation", 20 / np.std([0, 10, 20, 40])), ("rank", 0.5), ("mixed", (0.5 + 20 / 35.5) / 2)],
)
def test_every_scale_is_as_it_is_described(scale, expected):
    assert distance([0, 10, 20, 40], 0.0, 20.0, scale) == pytest.approx(expected)


def test_numbers_are_measured_on_the_mixed_scale_unless_told_otherwise():
    schema = Schema.infer(pd.DataFrame({"x": [0, 10, 20, 40]}))
    assert Factuals(schema, pd.DataFrame({"x": [0]})).scale == "mixed"


@pytest.mark.parametrize("scale", SCALES)
def test_ordered_categories_are_measured_in_units_of_their_full_scale(scale):
    grade = Feature("grade", Kind.ORDERED, ("low", "mid", "high", "top", "best"))
    assert scaled(grade, np.array([0.0, 1.0, 4.0]), scale).tolist() == [0.0, 0.25, 1.0]


def test_without_a_grid_ranks_are_those_of_the_codes():
    feature = Feature("x", Kind.CONTINUOUS, (0.0, 1.0, 9.0), edges=(0.0, 0.5, 5.0, 9.0))
    assert scaled(feature, np.array([0.0, 1.0, 5.0, 9.0]), "rank").tolist() == [0.0, 0.5, 0.75, 1.0]
