"""``suggest_rules``: what a user reads, pastes and gives to explain; no row breaks it, and nothing is said twice."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet import (
    Derived,
    Immutable,
    Increasing,
    LessEqual,
    OneHot,
    Schema,
    Suggestion,
    Together,
    suggest_rules,
)
from counterflownet.errors import InvalidInputError

DRAW = np.random.default_rng(0)
COUNT = 500
CITY = DRAW.integers(0, 8, COUNT)
TOTAL = DRAW.integers(1, 30, COUNT)
GROSS = DRAW.random(COUNT)
PEOPLE = pd.DataFrame(
    {
        "city": [f"c{number}" for number in CITY],
        "city_number": CITY,
        "good": DRAW.binomial(TOTAL, 0.7),
        "total": TOTAL,
        "red": CITY % 3 == 0,
        "green": CITY % 3 == 1,
        "gross": GROSS,
        "net": np.sqrt(GROSS),
        "age": DRAW.integers(20, 70, COUNT),
        "sex": DRAW.choice(["f", "m"], COUNT),
    }
)


def lines(frame: pd.DataFrame) -> list[str]:
    return [suggestion.code for suggestion in suggest_rules(frame)]


def test_every_kind_of_rule_is_suggested() -> None:
    kinds = {type(rule) for rule in suggest_rules(PEOPLE).rules}
    assert kinds == {Derived, LessEqual, Together, Increasing, Immutable}
    flags = pd.get_dummies(PEOPLE[["good"]].assign(colour=DRAW.choice(["r", "g", "b"], COUNT)))
    assert [type(rule) for rule in suggest_rules(flags).rules] == [OneHot]


def test_the_lines_can_be_pasted() -> None:
    names = {"Derived": Derived, "LessEqual": LessEqual, "Together": Together, "X": PEOPLE}
    names |= {"Increasing": Increasing, "Immutable": Immutable}
    found = suggest_rules(PEOPLE)
    pasted = eval(repr(found), names)  # noqa: S307 - our own text, as a user pastes it
    assert list(map(repr, pasted)) == list(map(repr, found.rules))


def test_a_sequence_with_support_and_sentence() -> None:
    found = suggest_rules(PEOPLE)
    first = found[0]
    assert isinstance(first, Suggestion)
    assert (len(found), next(iter(found)), found[:1]) == (len(found.rules), first, (first,))
    assert first.code == "Derived.lookup('city_number', 'city', X)"
    assert first.support == COUNT - 8
    assert first.sentence == "each value of 'city' has its own value of 'city_number'; 492 rows repeat it"


def test_a_notebook_shows_a_table_in_which_nothing_acts() -> None:
    shown = suggest_rules(PEOPLE.rename(columns={"sex": "sex <b>"}))._repr_html_()
    assert "<code>Immutable(&#x27;sex &lt;b&gt;&#x27;)</code>" in shown
    assert "by its name" in shown
    assert shown.count("<tr>") == 1 + len(suggest_rules(PEOPLE))


def test_a_table_without_rules_says_so() -> None:
    found = suggest_rules(PEOPLE[["total"]])
    assert (found.rules, repr(found)) == ([], "[]  # no rules suggested by 500 rows of 1 column")


def test_the_heading_counts_rules_and_columns() -> None:
    one, two = (suggest_rules(PEOPLE[names]).heading for names in (["sex"], ["age", "sex"]))
    assert one == "1 rule suggested by 500 rows of 1 column"
    assert two == "2 rules suggested by 500 rows of 2 columns"


def test_what_follows_from_a_column_needs_no_other_rule_about_the_two() -> None:
    score = DRAW.integers(0, 20, COUNT)
    frame = pd.DataFrame({"low": score, "high": score + 1, "noise": TOTAL})
    assert lines(frame) == ["Derived.lookup('high', 'low', X)"]


def test_flags_that_follow_from_a_word_are_not_told_as_a_group_again() -> None:
    colour = pd.Series(DRAW.choice(["r", "g", "b"], COUNT), name="colour")
    told = lines(pd.concat([colour, pd.get_dummies(colour)], axis=1))
    assert told == [f"Derived.lookup('{name}', 'colour', X)" for name in "bgr"]


def test_two_flags_of_which_one_is_set_are_a_group_and_no_lookup() -> None:
    assert lines(pd.get_dummies(pd.Series(DRAW.choice(["rent", "own"], COUNT)))) == ["OneHot('own', 'rent')"]


def test_flags_that_nobody_can_change_are_no_group_besides() -> None:
    told = lines(pd.get_dummies(PEOPLE[["sex"]]))
    assert told == ["Immutable('sex_f')", "Immutable('sex_m')"]


def test_what_people_cannot_change_does_not_follow_from_what_they_can() -> None:
    frame = pd.DataFrame({"city": PEOPLE["city"], "race": [f"r{number // 2}" for number in CITY]})
    assert lines(frame) == ["Immutable('race')"]


def test_a_group_of_ages_follows_from_the_age_and_is_not_fixed_besides() -> None:
    decade = [f"{age // 10}0s" for age in PEOPLE["age"]]
    told = lines(pd.DataFrame({"age": PEOPLE["age"], "age_group": decade}).sample(2_000, replace=True, random_state=0))
    assert told == ["Derived.lookup('age_group', 'age', X)", "Increasing('age')"]


def test_the_schema_that_is_given_is_used() -> None:
    frame = PEOPLE[["city", "age"]].assign(age_class=np.where(PEOPLE["age"] < 40, "young", "old"))
    ordered = Schema.infer(frame, orders={"age_class": ["young", "old"]})
    assert "Immutable('age_class')" in lines(frame[["age_class"]])
    assert repr(suggest_rules(frame[["age_class"]], schema=Schema(ordered.features[2:])).rules) == (
        "[Increasing('age_class')]"
    )


@pytest.mark.parametrize("schema", [{"a": 1}, "infer"])
@pytest.mark.usefixtures("without_annotations")
def test_what_is_no_schema_is_refused(schema) -> None:
    with pytest.raises(InvalidInputError, match=r"schema must be a Schema, such as Schema.infer\(X\)"):
        suggest_rules(PEOPLE, schema=schema)


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_no_row_breaks_what_is_suggested(seed: int) -> None:
    draw = np.random.default_rng(seed)
    hidden = draw.integers(0, draw.integers(2, 30), 200)
    makers = (
        lambda: hidden // draw.integers(1, 4),
        lambda: hidden + draw.integers(0, 2, 200),
        lambda: [f"w{number % 5}" for number in hidden],
        lambda: draw.random(200) < 0.5,
        lambda: np.where(draw.random(200) < 0.1, np.nan, hidden * 1.5),
    )
    frame = pd.DataFrame({f"c{number}": makers[number % 5]() for number in range(8)}).sample(frac=1, random_state=seed)
    schema = Schema.infer(frame)
    for rule in suggest_rules(frame).rules:
        others = frame.sample(frac=1, random_state=seed + 1)
        assert rule.kept(schema, others, frame).all()


def test_a_wide_table_takes_seconds_and_says_what_was_not_compared() -> None:
    wide = pd.DataFrame(DRAW.integers(0, 40, (3_000, 260)), columns=[f"c{number}" for number in range(260)])
    begun = time.process_time()  # not the clock on the wall: other processes may keep the machine busy
    found = suggest_rules(wide.assign(c250=wide["c249"]))
    assert time.process_time() - begun < 60
    assert "only the first 200 columns were compared" in repr(found)
    assert found.rules == []
