from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from counterflownet import AtLeast
from counterflownet.explain.present.wording import (
    change_texts,
    class_text,
    number_text,
    prediction_text,
    probability_text,
    score_text,
    value_text,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1200.0, "1200"),
        (0.333333, "0.3333"),
        (123456.78, "123456.8"),
        (0.99999, "0.99999"),
        (1.00000000001, "1.00000000001"),
        (-0.00001234, "-1.234e-05"),
        (1e20, "1e+20"),
        (np.float32(0.1), "0.1"),
        (np.int64(7), "7"),
        (True, "True"),
        (np.False_, "False"),
        (float("nan"), "missing"),
        (None, "missing"),
        (pd.NA, "missing"),
        (pd.NaT, "missing"),
        (float("inf"), "inf"),
        (pd.Timestamp("2024-03-01"), "2024-03-01"),
        (pd.Timestamp("2024-03-01 14:30"), "2024-03-01 14:30:00"),
        (np.datetime64("2024-03-01"), "2024-03-01"),
        (date(2024, 3, 1), "2024-03-01"),
        ("plain words", "plain words"),
        ("missing", "'missing'"),
        ("", "''"),
        (" x", "' x'"),
        (("a", 1.0), "(a, 1)"),
        ("x" * 100, "x" * 57 + "..."),
    ],
)
def test_values_are_written_short_and_never_misleading(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("old", "new"), [(0.33331, 0.33332), (1.0, 1.00000001), (1e20, 1.00000001e20), ("x" * 99, "x" * 98), ("1", 1)]
)
def test_a_change_is_never_written_as_two_equal_texts(old: object, new: object) -> None:
    first, second = change_texts(old, new)
    assert first != second


def test_terminal_codes_line_breaks_and_reversed_writing_in_a_value_are_made_visible() -> None:
    assert value_text("a\x1b[31m\nb\u202ec") == "a\\x1b[31m\\nb\\u202ec"


def test_classes_that_are_strings_are_quoted() -> None:
    assert (class_text("1"), class_text(np.str_("1")), class_text(np.int64(1))) == ("'1'", "'1'", "1")


def test_scores_have_three_places_unless_these_would_lie() -> None:
    texts = [score_text(value) for value in (0.69, 1.0, 0.0, 0.99996, 0.00012, -3.5)]
    assert texts == ["0.690", "1.000", "0.000", "0.99996", "0.00012", "-3.5"]


def test_a_fraction_keeps_all_digits_of_its_whole_part() -> None:
    assert number_text(9876543.21) == "9876543.2"


@pytest.mark.parametrize(
    ("probability", "least", "text"),
    [
        (0.31, None, "31 %"),
        (0.5, None, "50 %"),
        (0.5004, None, "50.04 %"),
        (0.4996, None, "49.96 %"),
        (0.496, None, "49.6 %"),
        (0.5000000000000001, None, "50.00000000000001 %"),
        (0.0, None, "0 %"),
        (1.0, None, "100 %"),
        (0.00002, None, "< 0.1 %"),
        (0.99998, None, "> 99.9 %"),
        (0.004, None, "0.4 %"),
        (0.9968, None, "99.7 %"),
        (0.6004, 0.6, "60 %"),
        (0.5996, 0.6, "59.96 %"),
        (0.57, 0.57, "57 %"),
        (0.8, 0.801, "80 %"),
        (0.803, 0.801, "80.3 %"),
        (0.99985, 0.9999, "99.985 %"),
        (0.0001, 0.0001, "0.01 %"),
    ],
)
def test_a_probability_has_as_many_digits_as_show_what_it_reached(probability, least, text) -> None:
    assert probability_text(probability, least) == text


@given(st.floats(0, 1), st.one_of(st.none(), st.integers(0, 1000).map(lambda thousandth: thousandth / 1000)))
@example(1e-200, 0.0)
@example(1e-300, 0.001)
@example(0.49999999999999994, None)
@example(0.5, 0.5)
def test_a_probability_never_looks_as_if_it_were_on_the_other_side_of_a_bar(probability, least) -> None:
    text = probability_text(probability, least)
    if text[0] in "<>":
        assert abs(probability - round(probability)) < 0.001
        return
    shown = float(text.removesuffix(" %")) / 100
    assert abs(shown - probability) <= 0.005 + 1e-12
    assert (shown > 0.5, shown < 0.5) == (probability > 0.5, probability < 0.5)
    assert (shown == 0, shown == 1) == (probability == 0, probability == 1)
    if least is not None:
        assert (shown >= least - 1e-15) == (probability >= least - 1e-15)


@pytest.mark.parametrize(
    ("prediction", "told"),
    [
        (251_872.95, "251,873"),
        (249_999.7, "249,999.7"),  # not 250,000, which would do
        (250_000.4, "250,000"),
        (-12_345.6, "-12,346"),
        (9_999.96, "9999.96"),
        (3e20, "3e+20"),
    ],
)
def test_a_large_prediction_is_told_whole_unless_that_would_reach_the_target(prediction: float, told: str) -> None:
    assert prediction_text(prediction, AtLeast(250_000)) == told
