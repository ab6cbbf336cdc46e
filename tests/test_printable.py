"""What a file holds cannot act in a terminal."""

import pytest

from counterflownet._printable import printable


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\r\tc\x00\x7f", r"a\nb\r\tc\x00\x7f"),
        ("invoice\u202egnp.exe", r"invoice\u202egnp.exe"),
        ("\u2066x\u2069\u200b\ufeff", r"\u2066x\u2069\u200b\ufeff"),
        ("one\u2028two\u2029three\x85", r"one\u2028two\u2029three\x85"),
        ("\udc9b", r"\udc9b"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_would_act_or_hide_is_shown(given, shown):
    assert printable(given) == shown


@pytest.mark.parametrize(
    "text", ["", ">= 200 DM", "naïve café 東京 и", "1\u00a0000 €", "ideographic\u3000space", "C:\\new"]
)
def test_what_people_read_stays(text):
    assert printable(text) == text
