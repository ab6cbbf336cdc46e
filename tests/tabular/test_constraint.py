from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
from constrained_table import SCHEMA, compiled, compiled_for, left, must_change, rows_like

from counterflownet.errors import ConstraintError
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import (
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)
from counterflownet.tabular.constraint_checks import resolved
from counterflownet.tabular.schema import Schema

FEB, MARCH = pd.Timestamp("2020-02-01"), pd.Timestamp("2020-03-01")


def values_left(column, *constraints, **changed):
    return left(compiled(*constraints, **changed), column)


def test_without_constraints_every_value_but_the_own_one_is_left():
    assert values_left("age") == [20, 30, 50, 60]
    assert values_left("member") == [False]


def test_immutable_columns_keep_their_value():
    allowance = compiled(Immutable("age", "job"))
    assert left(allowance, "age") == left(allowance, "job") == []
    assert left(allowance, "income") == [1.0, 2.5, 5.5, 7.0]


def test_only_mutable_columns_may_change():
    allowance = compiled(Mutable("grade"))
    assert left(allowance, "grade") == ["low", "mid", "top", "best"]
    assert [left(allowance, name) for name in ("age", "income", "joined", "job", "member")] == [[]] * 5


def test_increasing_numbers_become_higher():
    assert values_left("age", Increasing("age")) == [50, 60]
    assert values_left("age", Increasing("age"), age=49) == [60]


def test_the_own_code_is_not_left_even_where_its_value_is_higher():
    assert values_left("age", Increasing("age"), age=39) == [50, 60]


def test_increasing_dates_become_later():
    assert values_left("joined", Increasing("joined")) == [MARCH, pd.Timestamp("2021-01-01")]


def test_increasing_grades_become_higher_in_their_order():
    assert values_left("grade", Increasing("grade")) == ["top", "best"]


def test_decreasing_columns_become_lower():
    assert values_left("income", Decreasing("income"), income=2.0) == [1.0]
    assert values_left("grade", Decreasing("grade")) == ["low", "mid"]
    assert values_left("joined", Decreasing("joined"), joined=pd.Timestamp("2020-01-11")) == [
        pd.Timestamp("2020-01-01")
    ]


def test_a_range_includes_both_ends():
    assert values_left("age", Range("age", 30, 50)) == [30, 50]
    assert values_left("income", Range("income", high=4.0)) == [1.0, 2.5]
    assert values_left("age", Range("age", low=50)) == [50, 60]


def test_a_range_of_dates_takes_text_dates_and_timestamps():
    for low in ("2020-01-11", pd.Timestamp("2020-01-11"), pd.Timestamp("2020-01-11").date()):
        assert values_left("joined", Range("joined", low, "2020-03-01")) == [pd.Timestamp("2020-01-11"), MARCH]


def test_a_range_of_grades_follows_their_order():
    assert values_left("grade", Range("grade", "mid", "top")) == ["mid", "top"]


@pytest.mark.parametrize("rule", [Range("joined", "2020-01-01T00:00Z"), OneOf("joined", ["2020-01-01T00:00+01:00"])])
def test_a_date_with_a_time_zone_is_no_value_of_a_column_without_one(rule):
    with pytest.raises(
        ConstraintError, match=r"is not a valid date value \(it has a time zone, unlike the dates of the"
    ):
        compiled(rule)


def test_a_range_of_dates_is_in_the_time_zone_of_the_column():
    hours = pd.date_range("2020-01-02", periods=4, freq="4h", tz="Asia/Tokyo")
    codec = Codec(Schema.infer(pd.DataFrame({"day": hours})), pd.DataFrame({"day": hours[-1:]}))
    allowed = compiled_for(codec, [Range("day", high="2020-01-02 04:00")]).allowed
    assert allowed.codes.tolist() == [[True, True, False, False]]


def test_a_value_outside_its_range_must_change():
    assert must_change(compiled(Range("age", 50, 60))) == ["age"]
    assert must_change(compiled(Range("age", 40, 60))) == []
    assert must_change(compiled(Range("grade", "top"))) == ["grade"]


def test_a_number_between_two_codes_is_judged_by_itself():
    assert must_change(compiled(Range("age", high=40), age=43)) == ["age"]
    assert must_change(compiled(Range("age", high=43), age=43)) == []


def test_one_of_leaves_the_values_it_lists():
    assert values_left("job", OneOf("job", ["nurse", "pilot"])) == ["nurse", "pilot"]
    assert values_left("age", OneOf("age", {20, 40})) == [20]
    assert values_left("joined", OneOf("joined", (FEB, MARCH))) == [MARCH]
    assert values_left("age", OneOf("age", np.array([20, 30]))) == [20, 30]


def test_a_value_that_is_not_listed_must_change():
    assert must_change(compiled(OneOf("job", ["nurse"]))) == ["job"]
    assert must_change(compiled(OneOf("job", ["cook"]))) == []


def test_not_one_of_leaves_the_others():
    assert values_left("job", NotOneOf("job", ["nurse", "pilot"])) == ["smith", "tailor"]
    assert must_change(compiled(NotOneOf("member", [True]))) == ["member"]


def test_a_step_is_measured_from_the_own_value():
    assert values_left("age", MaxStep("age", 10)) == [30, 50]
    assert values_left("age", MaxStep("age", 10), age=44) == [50]
    assert values_left("grade", MaxStep("grade", 1)) == ["mid", "top"]


@pytest.mark.parametrize("month", [31, pd.Timedelta(days=31), timedelta(days=31), np.timedelta64(31, "D")], ids=repr)
def test_a_step_of_a_date_is_in_days(month):
    found = values_left("joined", MaxStep("joined", month))
    assert found == [pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-11"), MARCH]


@pytest.mark.parametrize(
    "constraint", [Increasing("age"), Decreasing("age"), Range("age", 50), OneOf("age", [50]), MaxStep("age", 5)]
)
def test_a_missing_value_may_stay(constraint):
    allowance = compiled(constraint, age=None)
    assert must_change(allowance) == []
    assert not allowance.contradictions


def test_a_missing_value_has_no_higher_one():
    assert values_left("age", Increasing("age"), age=None) == []
    assert values_left("age", MaxStep("age", 99), age=None) == []
    assert values_left("age", Range("age", 50), age=None) == [50, 60]


def test_a_grade_never_seen_has_no_higher_one():
    rows = rows_like({}).assign(grade=pd.Categorical(["odd"], ordered=True))
    assert left(compiled_for(Codec(SCHEMA, rows), [Increasing("grade")]), "grade") == []


@pytest.mark.parametrize("column", ["job", "member"])
@pytest.mark.parametrize("constraint", [Increasing, Decreasing, Range, lambda name: MaxStep(name, 1)])
def test_an_order_is_never_guessed(constraint, column):
    with pytest.raises(ConstraintError, match=rf"needs an order, and the .* column '{column}' has none.*orders="):
        resolved(SCHEMA, [constraint(column)])


@pytest.mark.parametrize(
    "constraint",
    [Immutable("agee"), Mutable("agee"), Increasing("agee"), Range("agee"), OneOf("agee", [1]), MaxStep("agee", 1)],
)
def test_an_unknown_column_is_named_with_the_constraint_and_a_guess(constraint):
    with pytest.raises(ConstraintError, match=r"agee'.*: unknown column 'agee'\. Did you mean 'age'"):
        resolved(SCHEMA, [constraint])


@pytest.mark.parametrize("kind", [OneOf, NotOneOf])
def test_a_value_that_a_column_never_takes_is_named(kind):
    with pytest.raises(ConstraintError, match=r"unknown value 'coook'\. Did you mean 'cook'"):
        resolved(SCHEMA, [kind("job", ["coook"])])
    with pytest.raises(ConstraintError, match=r"unknown value 41.*Use Range"):
        resolved(SCHEMA, [kind("age", [41])])


@pytest.mark.parametrize("values", ["cook", b"cook", [], ()])
def test_a_list_of_values_is_asked_for(values):
    with pytest.raises(ConstraintError, match=r"needs a list of values|lists no value"):
        resolved(SCHEMA, [OneOf("job", values)])


def test_a_range_upside_down_is_named():
    with pytest.raises(ConstraintError, match=r"Range\('age', 50, 30\) is empty.*Swap them"):
        resolved(SCHEMA, [Range("age", 50, 30)])
    with pytest.raises(ConstraintError, match="is empty"):
        resolved(SCHEMA, [Range("grade", "top", "mid")])


@pytest.mark.parametrize("bound", ["old", [1], object()], ids=lambda bound: type(bound).__name__)
def test_a_bound_that_is_no_number_is_named(bound):
    with pytest.raises(ConstraintError, match="is not a valid integer value"):
        resolved(SCHEMA, [Range("age", bound)])


@pytest.mark.parametrize("bound", ["soon", 2020, 2020.5, True, pd.Timestamp("2020-01-01", tz="UTC")])
def test_a_bound_that_is_no_date_is_named(bound):
    with pytest.raises(ConstraintError, match="is not a valid date value"):
        resolved(SCHEMA, [Range("joined", bound)])


@pytest.mark.parametrize(("column", "bound"), [("age", float("nan")), ("joined", pd.NaT)])
def test_a_missing_value_is_no_bound(column, bound):
    with pytest.raises(ConstraintError, match="a missing value is not a bound"):
        resolved(SCHEMA, [Range(column, high=bound)])


def test_a_bound_must_be_in_the_order():
    with pytest.raises(ConstraintError, match=r"unknown value 'middle'\. Did you mean 'mid'|unknown value 'middle'"):
        resolved(SCHEMA, [Range("grade", "middle")])


@pytest.mark.parametrize("amount", [0, -1, float("nan")])
def test_a_step_must_be_above_zero(amount):
    with pytest.raises(ConstraintError, match=r"allows no change at all.*Immutable"):
        resolved(SCHEMA, [MaxStep("age", amount)])


@pytest.mark.parametrize("amount", ["far", None, timedelta(days=1)])
def test_a_step_of_a_number_must_be_a_number(amount):
    with pytest.raises(ConstraintError, match="needs a number; got"):
        resolved(SCHEMA, [MaxStep("age", amount)])


@pytest.mark.parametrize("count", [0, -1, True])
def test_at_least_one_change_must_be_left(count):
    with pytest.raises(ConstraintError, match="MaxChanges needs a whole number of at least 1"):
        MaxChanges(count)


@pytest.mark.parametrize("kind", [Immutable, Mutable, Increasing, Decreasing])
@pytest.mark.usefixtures("without_annotations")
def test_column_names_are_given_one_after_the_other(kind):
    for wrong in ([], [["a", "b"]]):
        with pytest.raises(ConstraintError, match=rf"{kind.__name__}\('a', 'b'\); got"):
            kind(*wrong)


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (Immutable("a", "b"), "Immutable('a', 'b')"),
        (Range("a", 1), "Range('a', 1, None)"),
        (OneOf("a", [1, 2]), "OneOf('a', [1, 2])"),
        (MaxStep("a", 2), "MaxStep('a', 2)"),
        (MaxChanges(2), "MaxChanges(2)"),
    ],
)
def test_a_constraint_shows_how_it_was_written(constraint, text):
    assert repr(constraint) == text


def test_constraints_are_values():
    assert Immutable("a") == Immutable("a")
    assert Immutable("a") != Mutable("a")
    assert len({Range("a", 1), Range("a", 1), Range("a", 2)}) == 2
