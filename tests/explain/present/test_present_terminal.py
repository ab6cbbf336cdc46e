"""The text of an explanation, in a terminal and in a pipe."""

import re
import sys
from io import BytesIO, StringIO, TextIOWrapper

import pandas as pd
import pytest
from made_up_explanations import FACTUALS, explanation, many

from counterflownet.explain.explanation import Explanation
from counterflownet.explain.present import terminal_text

ESCAPE = "\x1b["


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def use_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    # Called in the test and not a fixture: pytest gives each phase of a test a stdout of its own.
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", Terminal())


def test_the_terminal_shows_a_readable_answer(answer: Explanation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert terminal_text(answer).split("\n") == [
        "Explanation: 2 counterfactuals for 2 rows, 2 asked for each",
        "outcomes: 1 complete, 1 none valid",
        "row 17: predicted 'bad', wanted 'good'",
        "  1.  months: 36 -> 12; checking_account: < 0 DM -> none  reward 0.900",
        "  2.  months: 36 -> 6                                     reward 0.500",
        "row 18: predicted 'bad', wanted 'good'",
        "  no valid counterfactual was sampled; try more samples, or loosen the constraints",
    ]


def test_a_pipe_gets_no_terminal_codes(answer: Explanation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", StringIO())
    assert repr(answer).isascii()
    assert ESCAPE not in repr(answer)


def test_a_terminal_gets_colours(answer: Explanation, monkeypatch: pytest.MonkeyPatch) -> None:
    use_terminal(monkeypatch)
    assert f"{ESCAPE}36mmonths{ESCAPE}0m" in repr(answer)
    assert f"{ESCAPE}1;32m12{ESCAPE}0m" in repr(answer)


def test_no_color_wins_over_a_terminal(answer: Explanation, monkeypatch: pytest.MonkeyPatch) -> None:
    use_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE not in repr(answer)


def test_a_program_without_stdout_can_still_ask_for_the_text(
    answer: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert "row 17" in repr(answer)


def test_what_stdout_cannot_encode_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = explanation(pd.DataFrame({"città": ["Zürich"]}), [(0, {"città": "東京"})])
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), encoding="ascii"))
    assert "citt\\xe0: Z\\xfcrich -> \\u6771\\u4eac" in repr(shown)


def test_the_terminal_says_how_much_is_left_out() -> None:
    text = terminal_text(many(45, 8))
    assert text.count("\nrow ") == 5
    assert text.count("reward") == 25
    assert text.count("\n  ... and 3 more counterfactuals (to_frame() has all)\n") == 5
    assert text.endswith("... and 40 more rows (to_frame() has all counterfactuals)")


def test_many_changes_go_under_each_other_and_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "74")
    names = [f"column_{number}" for number in range(9)]
    shown = explanation(pd.DataFrame(1, columns=names, index=[0]), [(0, dict.fromkeys(names, 2))])
    lines = terminal_text(shown).split("\n")
    assert max(map(len, lines)) <= 74
    assert len([line for line in lines if "column_" in line]) == 5
    assert all(f"{name}: 1 -> 2" in "\n".join(lines) for name in names)


def test_counterfactuals_in_any_order_find_their_factual() -> None:
    shown = explanation(FACTUALS, [(1, {"months": 3}), (0, {"months": 6}), (1, {"months": 4})])
    text = terminal_text(shown)
    assert re.findall(r"row \d+|-> \d", text) == ["row 17", "-> 6", "row 18", "-> 3", "-> 4"]
