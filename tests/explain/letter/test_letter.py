"""The letter: what was decided, what would have changed it, what was assumed, what is not said."""

import re
from dataclasses import replace
from datetime import date

import pytest

from counterflownet import (
    AnyOf,
    AtLeast,
    AtMost,
    Between,
    Derived,
    Immutable,
    Increasing,
    MaxChanges,
    Not,
    NotOneOf,
    OneOf,
    Range,
)
from counterflownet.errors import InvalidInputError
from counterflownet.explain.present.wording import prediction_text, probability_text

DAY = date(2026, 3, 5)
ASSUMED = [Immutable("age", "city"), Increasing("grade"), Range("income", 10, None), MaxChanges(2)]


@pytest.fixture(scope="module")
def explanation(explainer, rejected):
    return explainer.explain(rejected.head(2), target="good", count=5, constraints=ASSUMED)


@pytest.fixture(scope="module")
def label(explanation):
    return explanation.factuals.index[0]


def written(explanation, label, **how) -> str:
    return explanation.to_letter(row=label, day=DAY, **how)


def test_it_says_what_was_decided_and_how_likely_the_other_was(explanation, label) -> None:
    text = written(explanation, label)
    assert "came to the result “bad”" in text
    assert f"the probability of “good” at {probability_text(float(explanation.probability_before[0]))}" in text


def test_it_shows_the_best_of_up_to_three_strategies(explanation, label) -> None:
    of_row = explanation.numbers_by_row()[0]
    strategies = len(set(explanation.strategy[of_row].tolist()))
    assert written(explanation, label).count("<h3>Way ") == min(3, strategies)


def test_every_change_of_a_way_is_told(explanation, label) -> None:
    text = written(explanation, label)
    for column, _, _ in explanation.changes(int(explanation.numbers_by_row()[0][0])):
        assert f"{column} had been " in text


def test_it_says_what_was_assumed(explanation, label) -> None:
    text = written(explanation, label)
    assert "<li>These were taken as given: age, city.</li>" in text
    assert "<li>These could only have been higher: grade.</li>" in text
    assert "<li>income was kept at 10 or more.</li>" in text
    assert "<li>No way changes more than 2 of your data.</li>" in text


def test_it_says_when_and_by_what_it_was_made(explanation, label, explainer) -> None:
    prints = explainer.fingerprint
    assert f"5 March 2026 · model {prints.model} · explainer {prints.explainer}" in written(explanation, label)


def test_it_speaks_german(explanation, label) -> None:
    text = written(explanation, label, language="de")
    assert '<html lang="de">' in text
    assert "5. März 2026" in text
    assert "Als gegeben galt: age, city." in text


def test_a_template_replaces_texts_and_names(explanation, label, tmp_path) -> None:
    path = tmp_path / "ours.json"
    path.write_text('{"sender": "The Bank\\nMain Street", "class:bad": "refused", "column:income": "monthly income"}')
    text = written(explanation, label, texts=path)
    assert "The Bank<br>Main Street" in text
    assert "came to the result refused" in text
    assert "monthly income was kept at 10 or more" in text


@pytest.mark.parametrize("texts", [{"sendr": "x"}, {"sender": 5}, ["sender"]], ids=repr)
def test_a_template_that_makes_no_sense_is_an_error(explanation, label, texts) -> None:
    with pytest.raises(InvalidInputError, match=r"sender|mapping from names"):
        written(explanation, label, texts=texts)


def test_of_several_rows_one_must_be_named(explanation) -> None:
    with pytest.raises(InvalidInputError, match="name one of these 2"):
        explanation.to_letter()
    with pytest.raises(InvalidInputError, match="unknown row of the explanation"):
        explanation.to_letter(row="nobody")


def test_without_an_answer_it_says_why(explainer, rejected) -> None:
    locked = explainer.explain(rejected.head(1), target="good", constraints=[Immutable(*rejected.columns)])
    text = locked.to_letter(day=DAY)
    assert "No way was found under the assumptions below: nothing is left that could have been different." in text
    assert "The ways above" not in text


def test_where_nothing_was_to_be_changed_it_says_so(explainer, rejected) -> None:
    text = explainer.explain(rejected.head(1), target="bad").to_letter(day=DAY)
    assert "This is the result that was asked about." in text
    assert "Way 1" not in text


def test_what_follows_is_told_apart(explainer, rejected) -> None:
    share = Derived("share", from_=["income"], by=lambda rows: rows["income"] / 100)
    only = [share, OneOf("member", [True, False]), NotOneOf("city", ["rome"]), Immutable("age", "grade", "since")]
    answer = explainer.explain(rejected.head(3), target="good", count=8, constraints=only)
    follows = [number for number in range(len(answer.row)) if list(answer.followed(number))]
    texts = [answer.to_letter(row=label, day=DAY) for label in answer.factuals.index]
    assert follows
    assert any("This would also have made share" in text for text in texts)
    assert all("share follows from income." in text for text in texts)
    assert all("city was kept from being: “rome”." in text for text in texts)


def test_numbers_and_flags_are_words_of_the_language(explainer, rejected) -> None:
    open_to = [Immutable(*(name for name in rejected.columns if name not in {"income", "member"}))]
    answer = explainer.explain(rejected, target="good", constraints=open_to)
    texts = [answer.to_letter(row=label, day=DAY, language="de") for label in answer.factuals.index]
    assert any(re.search(r"income \d+,\d+ statt \d+,\d+ gewesen wäre", text) for text in texts)
    assert not any(re.search(r"True|False|nan", text) for text in texts)


def test_it_is_written_to_a_file_whose_name_says_the_form(explanation, label, tmp_path) -> None:
    for name, start in (("letter.pdf", b"%PDF-"), ("letter.html", b"<!DOCTYPE html>")):
        path = tmp_path / name
        explanation.to_letter(path, row=label)
        assert path.read_bytes().startswith(start)


def test_the_same_answer_is_the_same_letter(explanation, label) -> None:
    first, again = (written(explanation, label, form="pdf") for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("target", "told"),
    [(AnyOf("good", "fair"), "result “good” or “fair”"), (Not("bad"), "result anything but “bad”")],
)
def test_several_classes_are_told_together(explanation, label, target, told) -> None:
    several = replace(explanation, targets=(target,) * len(explanation.factuals))
    assert f"What would have led to the {told}" in written(several, label)


@pytest.mark.parametrize(
    ("target", "told"),
    [(AtLeast(0.61), "0,61 oder mehr"), (AtMost(7), "7 oder weniger"), (Between(1, 2.5), "1 bis 2,5")],
)
def test_of_a_regressor_the_number_is_told_and_no_probability(explanation, label, target, told) -> None:
    numbers = replace(explanation, regression=True, targets=(target,) * len(explanation.factuals))
    text = written(numbers, label, language="de")
    assert f"Was zu einem Ergebnis von {told} geführt hätte" in text
    assert "Wahrscheinlichkeit" not in text
    prediction = prediction_text(float(explanation.probability_before[0]), target).replace(".", ",")
    assert f"ist zum Ergebnis {prediction} gekommen" in text
