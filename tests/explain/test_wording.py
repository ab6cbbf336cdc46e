from datetime import date

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet.explain.labels import Labels
from counterflownet.explain.texts import languages, texts
from counterflownet.explain.wording import Change, enumerated, phrase, probability, sentence, value

LOAN = Labels.of(
    {"amount": {"label": "the loan", "unit": "EUR"}, "job": {"values": {"s": "skilled"}}, "zip": "post code"}
)


@pytest.mark.parametrize(
    ("change", "english", "german"),
    [
        (
            Change("amount", 6000, 12500),
            "The loan rises from 6,000 EUR to 12,500 EUR.",
            "The loan steigt von 6.000 EUR auf 12.500 EUR.",
        ),
        (Change("job", "u", "s"), "Job changes from u to skilled.", "Job ändert sich von u zu skilled."),
        (
            Change("BusinessTravel", "Travel_Often", "Never"),
            "Business travel changes from Travel Often to Never.",
            "Business travel ändert sich von Travel Often zu Never.",
        ),
        (Change("size", "a_b", "a b"), "Size changes from a_b to a b.", "Size ändert sich von a_b zu a b."),
        (Change("year", 2024, 1999), "Year falls from 2024 to 1999.", "Year sinkt von 2024 auf 1999."),
        (Change("ratio", 0.5, 0.25), "Ratio falls from 0.5 to 0.25.", "Ratio sinkt von 0,5 auf 0,25."),
        (Change("own_car", False, True), "Own car changes from no to yes.", "Own car ändert sich von nein zu ja."),
        (Change("job", None, "s"), "Job, which is unknown, becomes skilled.", "Job, bisher unbekannt, wird skilled."),
        (
            Change("due", date(2024, 1, 31), date(2024, 3, 1)),
            "Due moves from 2024-01-31 to 2024-03-01, which is later.",
            "Due verschiebt sich von 31.01.2024 auf 01.03.2024, also nach hinten.",
        ),
        (
            Change("rate", 3, 4, follows=True),
            "It follows by itself: Rate rises from 3 to 4.",
            "Daraus ergibt sich von selbst: Rate steigt von 3 auf 4.",
        ),
    ],
)
def test_a_change_is_a_sentence_in_every_language(change: Change, english: str, german: str) -> None:
    assert sentence(change, LOAN) == english
    assert sentence(change, LOAN, "de") == german


def test_all_languages_have_the_same_entries() -> None:
    entries = [{(section, name) for section, names in texts(one).items() for name in names} for one in languages()]
    assert {"en", "de"} <= set(languages())
    assert all(names == entries[0] for names in entries)


def test_all_languages_fill_in_the_same_parts() -> None:
    for section, names in texts("en").items():
        for name, pattern in names.items():
            parts = [
                {part for part in ("column", "old", "new", "target", "before") if f"{{{part}}}" in each}
                for each in (pattern, *(texts(one)[section][name] for one in languages()))
            ]
            assert all(part == parts[0] for part in parts), (section, name)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_two_different_numbers_never_read_the_same(old: float, new: float) -> None:
    if old != new:
        told = sentence(Change("x", old, new), language="de")
        before, after = told.removesuffix(".").split(" von ")[1].split(" auf ")
        assert before != after


def test_two_moments_of_one_second_are_told_apart() -> None:
    early, late = pd.Timestamp("2024-01-01 10:00:00.1"), pd.Timestamp("2024-01-01 10:00:00.2")
    assert ".1" in sentence(Change("at", early, late), language="de")


def test_a_column_of_names_has_no_separators() -> None:
    labels = Labels.of({"zip": {"separator": False}, "pay": {"unit": "EUR"}})
    assert value(10115, "zip", labels) == "10115"
    assert value(10115.5, "pay", labels, "de") == "10.115,5 EUR"


def test_probabilities_lists_and_phrases_follow_the_language() -> None:
    assert probability(0.4996, "de") == "49,96 %"
    assert enumerated(["a", "b", "c"], "de") == "a, b und c"
    assert enumerated(["a"]) == "a"
    assert phrase("row", "locked", "de", columns="Alter") == "Nicht geändert werden durfte: Alter."


def test_an_unknown_language_names_those_there_are() -> None:
    with pytest.raises(InvalidInputError, match=r"unknown language 'fr'.*Allowed: de, en"):
        sentence(Change("x", 1, 2), language="fr")
