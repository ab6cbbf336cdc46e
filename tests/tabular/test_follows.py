import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given, settings

from counterflownet import Derived, Equals, IfThen, LessEqual, MaxStep, OneHot, Range, Rises, RisesBy
from counterflownet._states import States
from counterflownet.errors import ConstraintError
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.follows import Carried
from counterflownet.tabular.rule_judge import rules_kept
from tabular.ruled_table import SCHEMA, TABLE, Ruled

OLDER = IfThen(Rises("grade"), RisesBy("age", at_least=2), as_="consequence")
RANKED = Derived.lookup("rank", "grade", TABLE)
OWED = Derived("owed", from_=["rank", "paid"], by=lambda rows: rows["rank"] * 10 + rows["paid"])
COLOURS = OneHot("red", "green", "blue")


def test_a_computed_column_is_computed_anew_where_a_source_changes():
    ruled = Ruled(TABLE, [RANKED])
    assert ruled.decoded(grade="top")["rank"] == 3
    assert ruled.decoded(age=30)["rank"] == 1


def test_what_is_computed_from_what_is_computed_comes_after_it():
    assert Ruled(TABLE, [OWED, RANKED]).decoded(grade="top")["owed"] == 31


@pytest.mark.parametrize(
    ("others", "asked"),
    [([], False), ([RANKED], False), ([LessEqual("owed", "age")], True), ([Range("owed", 0, 25)], True)],
)
def test_whether_rules_are_kept_is_told_without_functions_that_no_rule_needs(others, asked):
    calls = []

    def counted(rows):
        calls.append(len(rows))
        return rows["rank"] * 10 + rows["paid"]

    ruled = Ruled(TABLE, [Derived("owed", from_=["rank", "paid"], by=counted), *others])
    state = ruled.state(paid=1)
    calls.clear()
    assert rules_kept(ruled.codec, state).shape == (1,)
    assert bool(calls) == asked
    assert ruled.decoded(paid=1)["owed"] == 11


def test_rules_are_judged_by_what_is_computed_from_what_is_computed():
    for most, kept in ((30, False), (31, True)):
        ruled = Ruled(TABLE, [OWED, RANKED, Range("owed", 0, most)])
        assert rules_kept(ruled.codec, ruled.state(grade="top")).tolist() == [kept]


def test_a_function_of_one_column_is_asked_about_each_of_its_values_once():
    asked = []

    def doubled(rows):
        asked.extend(rows["age"].tolist())
        return rows["age"] * 2

    ruled = Ruled(TABLE, [Derived("owed", from_=["age"], by=doubled), Range("age", 33, 47)])
    assert [ruled.decoded(row, age=age)["owed"] for row in (0, 3) for age in (40, 30, 40)] == [80, 60, 80] * 2
    assert len(asked) == len(set(asked))


def test_a_function_of_one_column_is_told_the_borders_of_each_row():
    ruled = Ruled(TABLE, [Derived("owed", from_=["age"], by=lambda rows: rows["age"] * 2), MaxStep("age", 3)])
    states = States.joined([ruled.state(0, age=30), ruled.state(1, age=20)])
    states.codes[:, SCHEMA.position("age")] = SCHEMA["age"].first_border_place + torch.tensor([1, 0])
    decoded = ruled.codec.decode(states)
    assert decoded["age"].tolist() == [23, 27]
    assert decoded["owed"].tolist() == [46, 54]


def test_a_consequence_moves_by_the_least_step_to_a_value_that_training_never_had():
    row = Ruled(TABLE, [OLDER]).decoded(grade="mid")
    assert row["age"] == 22


def test_an_edit_is_left_alone_by_a_consequence():
    assert Ruled(TABLE, [OLDER]).decoded(grade="mid", age=30)["age"] == 30


def test_a_requirement_that_is_met_moves_nothing():
    rule = IfThen(Rises("grade"), Equals("paid", 1), as_="consequence")
    carried = Carried(Ruled(TABLE, [rule]).codec, Ruled(TABLE, [rule]).state(grade="mid"))
    assert not carried.followed.any()


def test_setting_one_of_a_group_unsets_the_other():
    row = Ruled(TABLE, [COLOURS]).decoded(blue=1)
    assert (row["red"], row["green"], row["blue"]) == (0, 0, 1)


def test_what_is_unset_in_one_state_is_told_beside_what_is_set_in_another():
    ruled = Ruled(TABLE, [COLOURS])
    carried = Carried(ruled.codec, States.joined([ruled.state(0, blue=1), ruled.state(1, red=1)]))
    assert [carried.after(name).tolist() for name in ("red", "green", "blue")] == [[0, 1], [0, 0], [1, 0]]


def test_types_stay_as_they_are_when_something_follows():
    decoded = Ruled(TABLE, [RANKED, OLDER, COLOURS]).codec.decode(Ruled(TABLE, []).state(grade="mid", blue=1))
    assert decoded.dtypes.to_dict() == TABLE.dtypes.to_dict()


def test_an_edit_whose_consequence_is_not_permitted_is_not_offered():
    assert "grade" in Ruled(TABLE, [OLDER]).offered(Ruled(TABLE, [OLDER]).state())
    ruled = Ruled(TABLE, [OLDER, MaxStep("age", 1)])
    assert "grade" not in ruled.offered(ruled.state())


def test_a_constraint_of_a_computed_column_closes_what_would_break_it():
    ruled = Ruled(TABLE, [RANKED, Range("rank", high=2)])
    assert ruled.offered(ruled.state())["grade"] == ["mid"]
    assert "rank" not in ruled.offered(ruled.state())


def test_a_constraint_of_what_is_computed_twice_over_closes_what_would_break_it():
    ruled = Ruled(TABLE, [OWED, RANKED, Range("owed", high=25)])
    assert ruled.offered(ruled.state())["grade"] == ["mid"]
    assert ruled.offered(ruled.state(grade="mid"))["paid"] == [2, 3, 4, 5]


def test_a_column_that_is_computed_in_one_row_is_free_in_another():
    ruled = Ruled(TABLE.iloc[[0, 0]].set_axis(["p", "q"]), [Range("rank", high=2)], {"q": [RANKED]})
    free, bound = (ruled.offered(ruled.state(row)) for row in range(2))
    assert (free["grade"], free["rank"]) == (["mid", "top"], [2])
    assert (bound["grade"], bound.get("rank")) == (["mid"], None)


def test_columns_that_follow_from_each_other_are_named():
    circle = [RANKED, Derived("grade", from_=["rank"], by=lambda rows: rows["rank"])]
    with pytest.raises(ConstraintError, match=r"lookup\('rank', 'grade', X\) and .*in a circle|in a circle"):
        CheckedConstraints.of(SCHEMA, circle)
    with pytest.raises(ConstraintError, match="both decide what 'rank' becomes"):
        CheckedConstraints.of(SCHEMA, [RANKED, Derived("rank", from_=["age"], by=len)])


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_what_follows_follows_once(data):
    ruled = Ruled(TABLE, [OWED, RANKED, OLDER, COLOURS])
    counts, codes = SCHEMA.space.code_counts, ruled.codec.codes
    row = data.draw(st.integers(0, len(TABLE) - 1))
    edited = np.array(data.draw(st.lists(st.booleans(), min_size=len(counts), max_size=len(counts))))
    edited &= ~np.isin(SCHEMA.names, ["rank", "owed"])
    drawn = [data.draw(st.integers(0, count - 1)) for count in counts]
    places = np.where(edited, drawn, codes[row])[None, :]
    carried = Carried(ruled.codec, States.of_arrays(np.array([row]), places, edited[None, :]))
    again = Carried(ruled.codec, carried.states)
    for name in SCHEMA.names:
        assert again.after(name).tolist() == carried.after(name).tolist()
    assert torch.equal(again.states.codes, carried.states.codes)
