"""What each constraint permits between two numbers, against its definition in one line."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
from constrained_table import GRADES, SCHEMA, compiled_for, rows_like
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import (
    ColumnConstraint,
    Decreasing,
    Immutable,
    Increasing,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)

AGES = st.lists(st.sampled_from([20.0, 30.0, 37.0, 40.0, 60.0, 75.0]), min_size=1, max_size=6).map(np.array)
DEFINITIONS = [
    (Immutable("age"), lambda before, after: False),  # of a change: a value that stays is not asked about
    (Mutable("job"), lambda before, after: False),
    (Increasing("age"), lambda before, after: after > before),
    (Decreasing("age"), lambda before, after: after < before),
    (Range("age", 30, 60), lambda before, after: 30 <= after <= 60),
    (Range("age", low=37), lambda before, after: after >= 37),
    (Range("age", high=37), lambda before, after: after <= 37),
    (OneOf("age", [20, 60]), lambda before, after: after in {20, 60}),
    (NotOneOf("age", [20, 60]), lambda before, after: after not in {20, 60}),
    (MaxStep("age", 10), lambda before, after: -10 <= after - before <= 10),
]
EACH = pytest.mark.parametrize(("rule", "definition"), DEFINITIONS, ids=[repr(rule) for rule, _ in DEFINITIONS])


@EACH
@settings(deadline=None, max_examples=25)
@given(AGES, AGES)
def test_every_constraint_permits_what_its_definition_does(rule, definition, before, after):
    found = np.broadcast_to(rule.permits(SCHEMA["age"], before[:, None], after[None, :]), (len(before), len(after)))
    assert found.tolist() == [[definition(old, new) for new in after] for old in before]


@EACH
@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(10, 80), st.integers(10, 80)), min_size=1, max_size=6))
def test_values_fit_where_their_numbers_are_permitted(rule, definition, pairs):
    before, after = (pd.Series(side) for side in zip(*pairs, strict=True))
    assert rule.fits(SCHEMA["age"], before, after).tolist() == [definition(old, new) for old, new in pairs]


@pytest.mark.parametrize(
    ("rule", "permitted"),
    [
        (Increasing("grade"), ["top", "best"]),
        (Decreasing("grade"), ["low", "mid"]),
        (Range("grade", "mid", "top"), ["mid", "high", "top"]),
        (MaxStep("grade", 1), ["mid", "high", "top"]),
        (NotOneOf("grade", ["low"]), ["mid", "high", "top", "best"]),
    ],
    ids=repr,
)
def test_ordered_categories_are_permitted_by_their_ranks(rule, permitted):
    flags = rule.permits(SCHEMA["grade"], np.array(2.0), np.arange(5.0))
    assert [grade for grade, flag in zip(GRADES, flags, strict=True) if flag] == permitted


def test_dates_are_permitted_by_their_days():
    rule = MaxStep("joined", timedelta(days=10))
    assert rule.permits(SCHEMA["joined"], np.array([18_000.0]), np.array([17_990.0, 18_010.5])).tolist() == [
        True,
        False,
    ]


@pytest.mark.parametrize("rule", [Increasing("age"), Decreasing("age"), MaxStep("age", 10)], ids=repr)
def test_from_a_missing_value_nothing_is_known_to_be_above_below_or_near(rule):
    assert not rule.permits(SCHEMA["age"], np.array([np.nan]), np.array([20.0, 40.0])).any()


def way_of(*rules: ColumnConstraint, by_label=None, ages=(40,)):
    codec = Codec(SCHEMA, rows_like(*({"age": age} for age in ages)))
    return compiled_for(codec, list(rules), by_label).ways.get(SCHEMA.position("age"))


@pytest.mark.parametrize("rule", [OneOf("age", [20, 30]), NotOneOf("age", [30])], ids=repr)
def test_listed_values_break_a_way(rule):
    assert way_of(rule).unbroken.tolist() == [False]
    assert way_of(Increasing("age"), rule).unbroken.tolist() == [False]


@pytest.mark.parametrize(
    "rule", [Increasing("age"), Decreasing("age"), Range("age", 30, 60), MaxStep("age", 10), Immutable("age")], ids=repr
)
def test_all_other_constraints_leave_a_way_unbroken(rule):
    assert way_of(rule).unbroken.tolist() == [True]


def test_values_listed_for_one_row_break_its_way_alone():
    assert way_of(by_label={1: [NotOneOf("age", [30])]}, ages=(40, 40)).unbroken.tolist() == [True, False]


def test_a_way_has_the_steps_that_all_constraints_permit():
    steps = SCHEMA["age"].steps.number
    way = way_of(Decreasing("age"), Range("age", 30, 50), ages=(40, 60))
    assert [steps[flags].tolist() for flags in way.steps] == [[30.0], [30.0, 40.0, 50.0]]


def test_a_column_without_constraints_has_no_way_of_its_own():
    assert way_of(Increasing("income")) is None
