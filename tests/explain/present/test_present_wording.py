from datetime import date

import numpy as np
import pandas as pd
import pytest

from counterflownet.explain.present.wording import change_texts, class_text, number_text, score_text, value_text


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
