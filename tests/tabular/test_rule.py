import pandas as pd
import pytest

from counterflownet import (
    Above,
    Below,
    Changes,
    Derived,
    Equals,
    Falls,
    FallsBy,
    IfThen,
    LessEqual,
    OneHot,
    Rises,
    RisesBy,
    Stays,
    Together,
)
from counterflownet.errors import ConstraintError, InvalidInputError
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.order_circles import impossible_circle
from tabular.ruled_table import SCHEMA, TABLE, Ruled

CONSEQUENCE = IfThen(Rises("grade"), RisesBy("age", at_least=2), as_="consequence")


def kept(rule, **changed):
    """Whether the first row with these cells keeps the rule."""
    after = TABLE.iloc[[0]].copy()
    for name, value in changed.items():
        after[name] = pd.Series([value], index=after.index).astype(TABLE[name].dtype)
    rule.columns(SCHEMA)
    return bool(rule.kept(SCHEMA, TABLE.iloc[[0]], after)[0])


@pytest.mark.parametrize(
    ("condition", "true", "false"),
    [
        (Rises("age"), {"age": 30}, {"age": 20}),
        (Falls("paid"), {"paid": 0}, {"paid": 2}),
        (Changes("grade"), {"grade": "top"}, {}),
        (Stays("grade"), {}, {"grade": "top"}),
        (Equals("grade", "mid"), {"grade": "mid"}, {"grade": "top"}),
        (Above("age", 30), {"age": 31}, {"age": 30}),
        (Below("age", 30), {"age": 29}, {"age": 30}),
        (RisesBy("age", at_least=2), {"age": 22}, {"age": 21}),
        (FallsBy("age", at_least=2), {"age": 18}, {"age": 19}),
        (RisesBy("grade", at_least=2), {"grade": "top"}, {"grade": "mid"}),
        (Rises("age") & Stays("paid"), {"age": 30}, {"age": 30, "paid": 2}),
        (Rises("age") | Stays("paid"), {"age": 30, "paid": 2}, {"paid": 2}),
        (~Rises("age"), {"age": 19}, {"age": 21}),
    ],
    ids=repr,
)
def test_conditions_say_what_they_are_called(condition, true, false):
    always = IfThen(Stays("blue"), condition)
    assert kept(always, **true)
    assert not kept(always, **false)


def test_a_comparison_with_a_missing_value_is_false():
    before = pd.DataFrame({"x": [float("nan"), 1.0]})
    after = pd.DataFrame({"x": [5.0, float("nan")]})
    schema = type(SCHEMA).infer(pd.DataFrame({"x": [1.0, 2.5, 5.0]}))
    for atom in (Rises("x"), Falls("x"), RisesBy("x", at_least=1)):
        assert IfThen(Changes("x"), atom).kept(schema, before, after).tolist() == [False, False]
        assert IfThen(Changes("x"), ~atom).kept(schema, before, after).tolist() == [True, True]


def test_less_equal_counts_its_offset_and_may_be_strict():
    assert kept(LessEqual("paid", "owed"), paid=2)
    assert not kept(LessEqual("paid", "owed", strict=True), paid=2)
    assert not kept(LessEqual("paid", "owed", offset=1), paid=2)
    assert not kept(LessEqual("paid", "owed"), paid=3)


def test_columns_that_go_together_rise_fall_or_stay_all():
    assert kept(Together("age", "paid"))
    assert kept(Together("age", "paid"), age=30, paid=2)
    assert not kept(Together("age", "paid"), age=30)
    assert not kept(Together("age", "paid"), age=30, paid=0)


def test_exactly_one_of_a_group_is_set():
    assert kept(OneHot("red", "green", "blue"), red=0, blue=1)
    assert not kept(OneHot("red", "green", "blue"), blue=1)
    assert not kept(OneHot("red", "green", "blue"), red=0)


def test_a_computed_column_is_what_its_function_says():
    rule = Derived("owed", from_=["paid"], by=lambda rows: rows["paid"] + 1)
    assert kept(rule, paid=4, owed=5)
    assert not kept(rule, paid=4)
    assert not kept(rule, owed=5)


def test_a_lookup_reads_one_value_for_each_of_another_column():
    rule = Derived.lookup("rank", "grade", TABLE)
    assert kept(rule, grade="top", rank=3)
    assert not kept(rule, grade="top", rank=2)
    with pytest.raises(ConstraintError, match=r"'grade' does not determine 'age': the rows with 'low' have 20, 50"):
        Derived.lookup("age", "grade", TABLE)


@pytest.mark.parametrize(
    "rule",
    [
        LessEqual("a", "b", strict=True, offset=2),
        IfThen(Rises("a") & ~(Changes("b") | Stays("c")), Equals("d", "x")),
        IfThen((Rises("a") | Falls("a")) & Above("b", 2.5), FallsBy("c", at_least=3), as_="consequence"),
        Together("a", "b"),
        OneHot("a", "b", "c"),
    ],
    ids=repr,
)
def test_a_rule_shows_the_code_that_makes_it(rule):
    assert eval(repr(rule)) == rule  # noqa: S307 - that is what the text is for


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (LessEqual("paid", "grade"), "compares two columns of numbers, or two of dates"),
        (LessEqual("paid", "oweed"), "unknown column 'oweed'. Did you mean 'owed'"),
        (IfThen(Rises("red"), Equals("grade", "midd")), "unknown value 'midd'. Did you mean 'mid'"),
        (IfThen(Rises("age"), RisesBy("paid", at_least=0)), "at_least must be above 0"),
        (OneHot("red", "age"), "needs columns of 0 and 1"),
        (Derived("rank", from_=["gradee"], by=len), "unknown column 'gradee'"),
    ],
    ids=repr,
)
def test_rules_that_do_not_fit_the_table_say_why(rule, message):
    with pytest.raises(ConstraintError, match=message):
        rule.columns(SCHEMA)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Together("a"), "two or more column names"),
        (lambda: OneHot("a", "a"), "names 'a' twice"),
        (lambda: IfThen(Rises("a"), Changes("b"), as_="consequence"), "does not say what is to be done"),
        (lambda: IfThen(Rises("a"), Rises("b") | Falls("b"), as_="consequence"), "does not say what is to be done"),
        (lambda: IfThen(Rises("a"), Falls("a"), as_="consequence"), "condition and consequence at once"),
        (lambda: Derived("a", from_=[], by=len), "takes a list of columns"),
        (lambda: bool(Rises("a")), "join conditions by &"),
    ],
)
def test_rules_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ConstraintError, match=message):
        make()


def test_a_derived_column_that_is_computed_to_what_it_cannot_hold_names_its_rule():
    rule = Derived("owed", from_=["paid"], by=lambda rows: ["much"] * len(rows))
    with pytest.raises(InvalidInputError, match=r"the function of Derived\('owed'.*cannot hold: .*got 'much'"):
        rule.kept(SCHEMA, TABLE, TABLE.assign(paid=9))


def test_a_function_that_fails_is_named():
    rule = Derived("owed", from_=["paid"], by=lambda rows: rows["payed"])
    with pytest.raises(InvalidInputError, match=r"the function of Derived\('owed'.*KeyError: 'payed'"):
        kept(rule, paid=3)


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ([LessEqual("paid", "owed", strict=True), LessEqual("owed", "paid")], (0, 1)),
        ([LessEqual("paid", "owed"), LessEqual("owed", "rank", offset=1), LessEqual("rank", "paid")], (0, 1, 2)),
        ([LessEqual("paid", "owed", offset=-2), LessEqual("owed", "paid", offset=3)], (0, 1)),
        ([LessEqual("age", "paid"), LessEqual("paid", "owed", offset=1), LessEqual("owed", "paid")], (1, 2)),
        ([LessEqual("paid", "owed"), LessEqual("owed", "paid")], ()),
        ([LessEqual("paid", "owed", strict=True), LessEqual("owed", "paid", offset=-3)], ()),
    ],
)
def test_orders_that_no_values_keep_are_refused_by_name(rules, named):
    told = {number for number, rule in enumerate(rules) if rule in impossible_circle(SCHEMA, rules)}
    assert told == set(named)
    if named:
        with pytest.raises(ConstraintError, match="exclude each other, whatever the values") as error:
            CheckedConstraints.of(SCHEMA, rules)
        assert all((repr(rule) in str(error.value)) == (number in named) for number, rule in enumerate(rules))


def test_orders_of_one_row_that_no_values_keep_are_its_outcome():
    rows = TABLE.iloc[:2].set_axis(["p", "q"])
    ruled = Ruled(rows, [LessEqual("paid", "owed", strict=True)], {"q": [LessEqual("owed", "paid")]})
    assert list(ruled.allowance.contradictions) == [1]
