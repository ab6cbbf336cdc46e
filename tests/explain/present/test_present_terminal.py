"""The text of an explanation, in a terminal and in a pipe."""

import re
import sys
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper

import numpy as np
import pandas as pd
import pytest
from made_up_explanations import FACTUALS, VARIED, explanation, many

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
        "row 17: predicted 'bad', wanted 'good' (probability 31 %)",
        "  1.  months: 36 -> 12; checking_account: < 0 DM -> none  52 %  reward 0.900",
        "  2.  months: 36 -> 6                                     90 %  reward 0.500",
        "row 18: predicted 'bad', wanted 'good' (probability 4 %)",
        "  no valid counterfactual was found; loosen any constraints, or allow more time (seconds=)",
    ]


def test_variations_stand_under_the_best_answer_of_their_strategy_and_keep_their_ranks(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    text = terminal_text(explanation(FACTUALS, VARIED, asked=4))
    assert [line.split()[0] for line in text.split("\n")[3:7]] == ["1.", "3.", "2.", "4."]
    assert [("~" in line) for line in text.split("\n")[3:7]] == [False, True, False, True]


def test_a_variation_of_many_changes_is_indented_on_every_line(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "74")
    names = [f"column_{number}" for number in range(5)]
    changes = [(0, dict.fromkeys(names, 2)), (0, dict.fromkeys(names, 3))]
    lines = terminal_text(explanation(pd.DataFrame(1, columns=names, index=[0]), changes)).split("\n")
    assert [re.search(r"column|~", line).start() for line in lines if "column" in line] == [6, 6, 6, 6, 8, 8]


def test_the_probability_that_was_asked_for_is_told_with_the_class(answer: Explanation) -> None:
    text = terminal_text(replace(answer, confidence=0.65))
    assert "row 17: predicted 'bad', wanted 'good' with 65 % or more (probability 31 %)" in text


def test_an_answer_never_looks_as_if_it_missed_what_was_asked_for(answer: Explanation) -> None:
    near = replace(answer, probability=np.array([0.5004, 0.4996]))
    assert re.findall(r"([\d.]+ %)  reward", terminal_text(near)) == ["50.04 %", "49.96 %"]


def test_probabilities_of_any_length_stand_under_each_other(answer: Explanation) -> None:
    lines = terminal_text(replace(answer, probability=np.array([0.5004, 0.8]))).split("\n")
    assert len({line.index(" %") for line in lines if "reward" in line}) == 1


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
