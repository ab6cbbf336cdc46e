"""Candidates besides those of the flow: single changes, pairs, and changes added one after the other."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_grounds import Made

from counterflownet import (
    Changes,
    Falls,
    IfThen,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
    Rises,
)
from counterflownet._states import States
from counterflownet.explain import proposals as module
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.single_edits import HOPE, HOPE_OF_WAY, Edits, Openings, united
from counterflownet.tabular.rule_judge import rules_kept

GRADES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)


def table(count: int = 90) -> pd.DataFrame:
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "a": draw.normal(size=count).round(2),
            "b": draw.integers(0, 40, count),
            "c": draw.normal(10, 3, count).round(2),
            "grade": pd.Series(draw.choice(GRADES.categories, count)).astype(GRADES),
            "word": draw.choice(list("uvwxyz"), count),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(draw.integers(0, 300, count), unit="D"),
        }
    )
    frame.loc[draw.random(count) < 0.1, "a"] = np.nan
    return frame


TRAIN = table()
RULES = {
    "none": [],
    "rising": [Increasing("a", "grade", "day")],
    "range": [Range("b", 10, 20), Range("day", "2024-02-01", "2024-06-01")],
    "steps": [MaxStep("b", 5), MaxStep("c", 1.25)],
    "lists": [OneOf("word", ["u", "v"]), NotOneOf("b", [1, 2, 3])],
    "few": [Mutable("b", "word"), MaxChanges(1)],
}


def openings(edits: Edits, slack: np.ndarray, lacks: float = 0.0) -> Openings:
    return Openings(edits, slack, np.full(len(edits), lacks))


def changed_columns(old: pd.Series, new: pd.Series) -> set[str]:
    return {name for name in old.index if old[name] != new[name] and not (pd.isna(old[name]) and pd.isna(new[name]))}


def keeps(rules: str, old: pd.Series, new: pd.Series) -> bool:
    """The rules on one decoded row; a cell that was not changed may be anything."""
    changed = changed_columns(old, new)
    grade = list(GRADES.categories).index
    rises = (pd.isna(old["a"]) or new["a"] >= old["a"]) and grade(new["grade"]) >= grade(old["grade"])
    day = pd.Timestamp("2024-02-01") <= new["day"] <= pd.Timestamp("2024-06-01")
    return {
        "none": True,
        "rising": rises and new["day"] >= old["day"],
        "range": ("b" not in changed or 10 <= new["b"] <= 20) and ("day" not in changed or day),
        "steps": abs(new["b"] - old["b"]) <= 5 and abs(new["c"] - old["c"]) <= 1.25 + 1e-9,
        "lists": not ({"word"} & changed and new["word"] not in "uv")
        and not ({"b"} & changed and new["b"] in (1, 2, 3)),
        "few": changed <= {"b", "word"},
    }[rules]


@pytest.mark.parametrize("rules", RULES)
def test_singles_change_one_column_to_a_value_that_is_allowed_and_none_twice(rules) -> None:
    made = Made(TRAIN.head(20), TRAIN, lambda rows: rows["b"] > 0, RULES[rules])
    edits = made.proposals.singles(np.arange(20))
    states = edits.states
    assert (states.change_counts == 1).all()
    assert len(states.distinct()[0]) == len(states) > 20
    for row, new in made.decoded(states).iterrows():
        assert len(changed_columns(TRAIN.iloc[row], new)) == 1
        assert keeps(rules, TRAIN.iloc[row], new)


def test_singles_reach_the_farthest_value_of_each_side_and_every_column() -> None:
    made = Made(TRAIN.iloc[[5]], TRAIN, lambda rows: rows["b"] > 0)
    found = made.decoded(made.proposals.singles(np.array([0])).states)
    own = TRAIN.iloc[5]
    for name in ("a", "b", "c", "day"):
        moved = found.loc[found[name] != own[name], name].dropna()
        assert {TRAIN[name].min(), TRAIN[name].max()} - {own[name]} <= set(moved)
        assert len(moved) <= 2 * module.PER_DIRECTION
    assert set(found["word"]) == set("uvwxyz")
    assert set(found["grade"]) == set(GRADES.categories)


def test_singles_try_the_borders_of_constraints() -> None:
    made = Made(TRAIN.iloc[[5]].assign(c=9.0), TRAIN, lambda rows: rows["b"] > 0, [MaxStep("c", 0.125)])
    found = made.decoded(made.proposals.singles(np.array([0])).states)
    assert {9.0 - 0.125, 9.0 + 0.125} <= set(found["c"])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(list(RULES)))
def test_pairs_join_two_columns_within_what_is_allowed(seed, rules) -> None:
    made = Made(TRAIN.sample(4, random_state=seed).reset_index(drop=True), TRAIN, lambda rows: rows["b"], RULES[rules])
    edits = made.proposals.singles(np.arange(4))
    pairs = made.proposals.pairs(openings(edits, np.random.default_rng(seed).normal(size=len(edits))), 12)
    assert len(pairs.distinct()[0]) == len(pairs)
    assert (pairs.change_counts == 2).all()
    assert (len(pairs) > 0) == (rules != "few")
    for row, new in made.decoded(pairs).iterrows():
        assert keeps(rules, made.rows.iloc[row], new)


def test_pairs_take_the_most_promising_edits_of_each_column_and_direction() -> None:
    made, own = Made(TRAIN.iloc[[5]], TRAIN, lambda rows: rows["b"] > 0), TRAIN.iloc[5]
    edits = made.proposals.singles(np.array([0]))
    slack = np.random.default_rng(1).normal(size=len(edits))
    by_way: dict[tuple[str, bool], list[tuple[float, object]]] = {}
    for worth, (_, new) in zip(slack, made.decoded(edits.states).iterrows(), strict=True):
        (name,) = changed_columns(own, new)
        by_way.setdefault((name, name != "word" and new[name] > own[name]), []).append((worth, new[name]))
    best = [
        (worth, (name, value))
        for (name, _), found in by_way.items()
        for worth, value in sorted(found, reverse=True)[: module.CODES_IN_PAIRS if name == "word" else 1]
    ]
    assert len(by_way["word", False]) > 1
    for partners in (4, 100):
        allowed = {edit for _, edit in sorted(best, reverse=True)[:partners]}
        pairs = made.decoded(made.proposals.pairs(openings(edits, slack), partners))
        found = {frozenset((name, new[name]) for name in changed_columns(own, new)) for _, new in pairs.iterrows()}
        expected = {frozenset({one, other}) for one in allowed for other in allowed if one[0] != other[0]}
        assert found == expected


@pytest.mark.parametrize(("lacks", "hopeful"), [(2.0, True), (1.1, True), (1.0, False), (0.3, False)])
def test_a_pair_is_hopeful_if_what_its_edits_bring_nearly_adds_up_to_what_is_lacking(lacks, hopeful) -> None:
    made = Made(TRAIN.iloc[[5]], TRAIN, lambda rows: rows["b"] > 0)
    edits = made.proposals._edits(np.array([0, 0]), np.array([1, 4]), np.array([3, 0]))
    pairs = made.proposals.pairs(openings(edits, np.array([-0.9, -0.8]), lacks), 5, hopeful=True)
    assert (-1.7 + lacks > -(HOPE + HOPE_OF_WAY * lacks)) == hopeful
    assert len(pairs) == hopeful
    assert len(made.proposals.pairs(openings(edits, np.array([-0.9, -0.8]), lacks), 5)) == 1


def test_one_step_nearer_is_the_value_of_the_grid_before() -> None:
    made = Made(TRAIN.iloc[[5]].assign(b=10), TRAIN, lambda rows: rows["b"] > 0)
    seen = np.sort(TRAIN["b"].unique())
    up, down = seen[seen > 10], seen[seen < 10]
    states = States.joined([made.state({"b": up[3]}), made.state({"b": down[0]}), made.state({"b": up[0]})])
    nearer = made.decoded(made.proposals.one_step_nearer(states).states)
    assert nearer["b"].tolist() == [up[2], down[1]]  # the last one has nothing between it and the factual


def linear(weights: np.ndarray, bar: float):
    return lambda rows: 1 / (1 + np.exp(bar - rows.to_numpy(float) @ weights))


@pytest.mark.parametrize("needed", [3, 5, 7])
def test_climbing_finds_an_answer_that_needs_many_changes_of_a_linear_model(needed) -> None:
    train = pd.DataFrame(np.random.default_rng(0).random((80, 9)).round(3), columns=list("abcdefghi"))
    made = Made(train.head(2) * 0.0, train, linear(np.full(9, 4.0), 4 * (needed - 0.5)))
    edits = made.proposals.singles(np.arange(2))
    begun = edits.states[np.zeros(0, dtype=np.int64)]
    begun = States.joined([begun, made.state({}, 0), made.state({}, 1)])
    found = made.proposals.climbed(begun, edits, made.oracle)
    assert set(found.row.tolist()) == {0, 1}
    assert made.oracle.verdicts(found).valid.all()
    assert found.change_counts.min() == needed


def test_climbing_stops_where_no_more_changes_are_allowed() -> None:
    train = pd.DataFrame(np.random.default_rng(0).random((80, 9)).round(3), columns=list("abcdefghi"))
    made = Made(train.head(1) * 0.0, train, linear(np.full(9, 4.0), 18), [MaxChanges(4)])
    found = made.proposals.climbed(made.state({}), made.proposals.singles(np.array([0])), made.oracle)
    assert len(found) == 0
    assert max((rows.to_numpy() > 0).sum(axis=1).max() for rows in made.asked) == 4


def test_a_state_that_lacks_what_must_change_is_not_complete() -> None:
    made = Made(TRAIN.iloc[[5]].assign(b=39), TRAIN, lambda rows: rows["b"], [Range("b", 0, 20), MaxChanges(2)])
    states = [{"b": 10}, {"word": "u"}, {"b": 10, "c": TRAIN["c"].max()}]
    states += [{"b": 10, "c": TRAIN["c"].max(), "day": TRAIN["day"].max()}]
    complete = made.proposals.complete(States.joined([made.state(values) for values in states]))
    assert complete.tolist() == [True, False, True, False]


def test_what_is_completed_changes_every_cell_that_it_is_said_to_change() -> None:
    train = pd.DataFrame({"x": np.arange(200.0), "y": np.arange(200.0) % 7})
    made = Made(train.iloc[:60], train, lambda rows: np.full(len(rows), 0.1), [IfThen(Changes("x"), Changes("y"))])
    near = States.joined([made.state({"x": own + 1.0}, row) for row, own in enumerate(made.rows["x"])])
    found = made.proposals.completed(near)
    assert set(found.row.tolist()) == set(range(60))
    assert (made.decoded(found)["x"].to_numpy() != made.rows["x"].to_numpy()[found.row.numpy()]).all()


def test_edits_that_break_a_rule_come_with_what_it_asks_for_and_others_stay_as_they_are() -> None:
    rules = [IfThen(Rises("x"), Falls("y")), NotOneOf("z", [3.0])]
    train = pd.DataFrame({"x": np.arange(60.0), "y": np.arange(60.0)[::-1], "z": np.arange(60.0) % 5})
    made = Made(train.iloc[20:25].reset_index(drop=True), train, lambda rows: np.full(len(rows), 0.1), rules)
    oracle = Oracle(made.ask, lambda states: rules_kept(made.table.codec, states))
    edits = made.proposals.singles(np.arange(5))
    mended = made.proposals.mended(edits, oracle.keeps)
    for name in ("row", "feature", "place"):
        assert (getattr(mended, name) == getattr(edits, name)).all()
    assert oracle.keeps(mended.states).all()
    kept = oracle.keeps(edits.states)
    assert (mended.states.keys()[kept] == edits.states.keys()[kept]).all()
    assert (~kept).sum() > 20
    old, new = made.rows.iloc[edits.row].to_numpy(), made.decoded(mended.states).to_numpy()
    assert (new[~kept, 0] > old[~kept, 0]).all()
    assert (new[~kept, 1] < old[~kept, 1]).all()
    assert (new[~kept, 2] == old[~kept, 2]).all()
    at = np.arange(len(edits))
    assert mended.states.edited.numpy()[at, edits.feature].all()
    assert (mended.states.codes.numpy()[at, edits.feature] == edits.place)[kept].all()


def test_what_nothing_mends_stays() -> None:
    train = pd.DataFrame({"x": np.arange(60.0), "y": np.arange(60.0)})
    made = Made(train.head(3), train, lambda rows: np.full(len(rows), 0.1), [IfThen(Rises("x"), Falls("y"))])
    lowest = made.proposals.singles(np.array([0]))  # nothing is below its y
    oracle = Oracle(made.ask, lambda states: rules_kept(made.table.codec, states))
    rises = (lowest.feature == 0) & ~oracle.keeps(lowest.states)
    assert rises.any()
    mended = made.proposals.mended(lowest, oracle.keeps)
    assert (mended.states.keys()[rises] == lowest.states.keys()[rises]).all()


def test_united_states_have_the_changes_of_both_unless_they_contradict_each_other() -> None:
    made = Made(TRAIN.iloc[[5]], TRAIN, lambda rows: rows["b"] > 0)
    one = States.joined([made.state({"b": 3, "word": "u"})] * 3)
    others = States.joined([made.state({"c": 9.0}), made.state({"b": 4, "c": 9.0}), made.state({"b": 3, "word": "u"})])
    found = made.decoded(united(one, others))
    assert found[["b", "word"]].to_numpy().tolist() == [[3, "u"]] * 2
    assert found["c"].tolist() == [9.0, TRAIN["c"].iloc[5]]
