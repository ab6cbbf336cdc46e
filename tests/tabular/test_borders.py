"""The borders that constraints set, as numbers that the column can hold."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.borders import borders_of
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Decreasing, Immutable, Increasing, MaxChanges, MaxStep, NotOneOf, Range
from counterflownet.tabular.schema import Schema

DAY = pd.Timestamp("2020-01-01")


def borders(training, rows, *rules, by_label=None) -> list[list[float]]:
    X, rows = pd.DataFrame({"x": training}), pd.DataFrame({"x": rows})
    schema = Schema.infer(X)
    found = borders_of(CheckedConstraints.of(schema, list(rules), by_label, rows.index), schema, rows)
    return found[0].tolist() if found else []


def dates(*days: float) -> pd.Series:
    return pd.Series([DAY + pd.Timedelta(days=day) for day in days])


def number(moment) -> float:
    return (pd.Timestamp(moment) - pd.Timestamp(0)) / pd.Timedelta(days=1)


def test_whole_numbers_are_rounded_to_the_inside():
    assert borders([0, 50, 100], [40, 60], Range("x", 10.5, 90.5)) == [[11, 90], [11, 90]]
    assert borders([0, 50, 100], [40, 60], MaxStep("x", 7.9)) == [[33, 47], [53, 67]]


def test_whole_days_are_rounded_to_the_inside():
    found = borders(dates(0, 10, 20), dates(10), MaxStep("x", timedelta(days=3, hours=5)))
    assert found == [[number("2020-01-08"), number("2020-01-14")]]


def test_moments_are_rounded_to_seconds_to_the_inside():
    found = borders(dates(0, 10.5, 20), dates(10.5), MaxStep("x", timedelta(seconds=100, milliseconds=700)))
    assert found == [[number("2020-01-11 11:58:20"), number("2020-01-11 12:01:40")]]


@pytest.mark.parametrize("seconds", [2, 6, 3_600, 86_399])  # as days, floats, some of them come out a little off
def test_moments_at_whole_seconds_stay_what_they_are(seconds):
    low, high = DAY + pd.Timedelta(seconds=seconds), DAY + pd.Timedelta(days=5, seconds=seconds)
    assert borders(dates(0, 10.5, 20), dates(10.5), Range("x", low, high)) == [[number(low), number(high)]]


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float[pyarrow]", "float16"])
def test_narrow_floats_are_rounded_to_the_inside(dtype):
    ((low, high),) = borders(
        pd.Series([0.0, 0.25, 1.0], dtype=dtype), pd.Series([0.5], dtype=dtype), Range("x", 0.1, 0.7)
    )
    narrow = np.float16 if dtype == "float16" else np.float32
    assert [float(narrow(low)), float(narrow(high))] == [low, high]
    assert float(np.nextafter(narrow(low), narrow(0))) < 0.1 <= low
    assert high <= 0.7 < float(np.nextafter(narrow(high), narrow(1)))


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(["int64", "float32", "float64", "datetime64[us]"]),
    st.lists(st.integers(0, 100_000_000), min_size=1, max_size=4),
    st.integers(1, 10_000_000),
    st.sampled_from([7, 1_000, 86_400]),
)
def test_every_border_is_permitted_by_the_constraint_that_sets_it(dtype, cells, amount, unit):
    training, rows = pd.Series([0, 50_000_000, 100_000_000]), pd.Series(cells)
    if dtype == "datetime64[us]":
        training, rows = (DAY + pd.to_timedelta(column, unit="s") for column in (training, rows))
    else:
        training, rows = (
            (column / unit).round(0 if dtype == "int64" else 9).astype(dtype) for column in (training, rows)
        )
    rule = MaxStep("x", max(amount / unit, 1.0))
    X, frame = pd.DataFrame({"x": training}), pd.DataFrame({"x": rows})
    schema = Schema.infer(X)
    checked = CheckedConstraints.of(schema, [rule])
    found = borders_of(checked, schema, frame)
    way = checked.compiled(Codec(schema, frame, found)).ways[0]
    assert (way.borders == ~np.isnan(found[0])).all()


@pytest.mark.parametrize("own", [0.3, 0.7, 1.1])
def test_a_rounding_error_puts_no_border_out_of_bounds(own):
    ((low, high),) = borders([0.05, 5.5], [own], MaxStep("x", 0.1))
    assert (low, high) == pytest.approx((own - 0.1, own + 0.1))
    assert own - low <= 0.1
    assert high - own <= 0.1


def test_a_border_beyond_the_row_and_all_of_training_is_none():
    (low, high), (from_above, beyond) = borders([0, 100], [95, 300], MaxStep("x", 10))
    assert (low, from_above) == (85, 290)
    assert np.isnan([high, beyond]).all()


@pytest.mark.parametrize("side", [{"low": 5}, {"high": 5}], ids=str)
def test_a_side_that_is_open_has_no_border(side):
    assert np.isnan(borders([0, 10], [3], Range("x", **side))).sum() == 1


def test_a_missing_value_is_not_near_anything_but_a_range_is_one_for_it():
    assert np.isnan(borders([0.5, 10.0], [None], MaxStep("x", 2))).all()
    assert borders([0.5, 10.0], pd.Series([None], dtype=float), Range("x", 2, 5)) == [[2.0, 5.0]]


def test_constraints_of_one_row_set_borders_there_alone():
    found = np.array(borders([0, 50, 100], [40, 60], by_label={1: [Range("x", 10, 90)]}))
    assert np.isnan(found[0]).all()
    assert found[1].tolist() == [10, 90]


@pytest.mark.parametrize(
    "rule", [Immutable("x"), Increasing("x"), Decreasing("x"), NotOneOf("x", [50]), MaxChanges(1)], ids=repr
)
def test_other_constraints_set_none(rule):
    assert borders([0, 50, 100], [40], rule) == []


def test_ordered_categories_have_none():
    X = pd.DataFrame({"x": pd.Categorical(["a", "b"], ["a", "b"], ordered=True)})
    schema = Schema.infer(X)
    assert borders_of(CheckedConstraints.of(schema, [Range("x", "a", "b")]), schema, X) == {}


def test_a_border_of_one_constraint_is_not_permitted_where_another_forbids_it():
    X = pd.DataFrame({"x": [0, 50, 100]})
    schema = Schema.infer(X)
    checked = CheckedConstraints.of(schema, [MaxStep("x", 10), Range("x", 35, 95)])
    rows = pd.DataFrame({"x": [40, 60]})
    found = borders_of(checked, schema, rows)
    assert found[0].tolist() == [[30, 50, 35, 95], [50, 70, 35, 95]]
    way = checked.compiled(Codec(schema, rows, found)).ways[0]
    assert way.borders.tolist() == [[False, True, True, False], [True, True, False, False]]
