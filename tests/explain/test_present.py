import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.resources import files
from io import BytesIO, StringIO, TextIOWrapper

import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import MissingExtraError
from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome
from counterflownet.explain.present import figure, html_fragment, html_page, terminal_text

ESCAPE = "\x1b["
FACTUALS = pd.DataFrame(
    {"months": [36, 24], "checking_account": ["< 0 DM", "none"], "ratio": [0.5, 0.25]}, index=[17, 18]
)


def explanation(
    factuals: pd.DataFrame, changes: list[tuple[int, dict[str, object]]], *, asked: int = 1, **others: object
) -> Explanation:
    """One counterfactual per (row, new values), as ``explain`` would return it."""
    row = np.array([row for row, _ in changes], dtype=np.int64)
    found = factuals.iloc[row].reset_index(drop=True)
    for number, (_, values) in enumerate(changes):
        for column, value in values.items():
            found.loc[number, column] = value
    rank = pd.Series(row).groupby(row).cumcount().to_numpy(np.int64) + 1
    changed = np.array([[column in values for column in factuals.columns] for _, values in changes], dtype=np.bool_)
    counts = np.bincount(row, minlength=len(factuals))
    kinds = [
        Outcome.COMPLETE if count >= asked else Outcome.PARTIAL if count else Outcome.NONE_VALID for count in counts
    ]
    fields: dict[str, object] = {
        "valid": np.ones(len(row), dtype=np.bool_),
        "reward": np.linspace(0.9, 0.5, len(row)),
        "terms": {"validity": np.ones(len(row)), "proximity": np.linspace(0.8, 0.4, len(row))},
        "targets": ("good",) * len(factuals),
        "predicted": ("bad",) * len(factuals),
        "outcomes": tuple(RowOutcome(kind) for kind in kinds),
    }
    changed = changed.reshape(len(row), factuals.shape[1])
    return Explanation(
        factuals=factuals, counterfactuals=found, row=row, rank=rank, changed=changed, asked=asked, **(fields | others)
    )


@pytest.fixture
def answer() -> Explanation:
    return explanation(FACTUALS, [(0, {"months": 12, "checking_account": "none"}), (0, {"months": 6})], asked=2)


def many(row_count: int, per_row: int) -> Explanation:
    factuals = pd.DataFrame({"months": range(100, 100 + row_count)})
    return explanation(factuals, [(row, {"months": new}) for row in range(row_count) for new in range(per_row)])


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def use_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    # Called in the test and not a fixture: pytest gives each phase of a test a stdout of its own.
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", Terminal())


class Balance(HTMLParser):
    """Fails on a tag that is not closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


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
    assert text.count("... and 3 more counterfactuals (to_frame() has all)") == 5
    assert text.endswith("... and 40 more rows (to_frame() has all counterfactuals)")


def test_many_changes_go_under_each_other_and_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "74")
    names = [f"column_{number}" for number in range(9)]
    shown = explanation(pd.DataFrame(1, columns=names, index=[0]), [(0, dict.fromkeys(names, 2))])
    lines = terminal_text(shown).split("\n")
    assert max(map(len, lines)) <= 74
    assert len([line for line in lines if "column_" in line]) == 5
    assert all(f"{name}: 1 -> 2" in "\n".join(lines) for name in names)


def test_a_counterfactual_that_is_not_valid_is_called_so(answer: Explanation) -> None:
    shown = explanation(FACTUALS, [(0, {"months": 6})], valid=np.array([False]))
    for form in (terminal_text, html_fragment):
        assert "not valid" in form(shown)
        assert "not valid" not in form(answer)


def test_a_reason_with_its_detail_is_shown_in_every_text() -> None:
    outcome = RowOutcome(Outcome.CONTRADICTION, "age <3 & >4")
    shown = explanation(FACTUALS.iloc[:1], [], outcomes=(outcome,))
    assert outcome.reason in terminal_text(shown)
    assert "exclude each other in this row: age &lt;3 &amp; &gt;4" in html_fragment(shown)


def test_everything_a_user_can_name_is_escaped() -> None:
    evil = "<script>alert('\"&')</script>"
    factuals = pd.DataFrame({evil: [evil], "other": [1]}, index=[evil])
    shown = explanation(
        factuals,
        [(0, {evil: evil + "!"})],
        terms={evil: np.array([0.5])},
        targets=(evil,),
        predicted=(evil,),
        outcomes=(RowOutcome(Outcome.PARTIAL, evil),),
    )
    for text in (html_fragment(shown), html_page(shown, title=evil)):
        assert "<script" not in text
        assert text.count("&lt;script&gt;") >= 10
        Balance(text)


def test_the_page_stands_alone(answer: Explanation) -> None:
    page = html_page(answer, title="Loans")
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>Loans</title>" in page
    assert "2 counterfactuals for 2 rows, 2 asked for each" in page
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r"https?:|src=|@import|url\(|<link|<script|\son\w+=", page)


def test_changed_cells_show_old_and_new_and_the_others_step_back(answer: Explanation) -> None:
    page = html_page(answer, title="Loans")
    assert '<td class="cfn-changed"><del>36</del> → <ins>12</ins></td>' in page
    assert '<td class="cfn-changed"><del>&lt; 0 DM</del> → <ins>none</ins></td>' in page
    assert page.count('<td class="cfn-changed">') == 3
    assert page.count('<td class="cfn-same">') == 3
    assert "<td>0.5</td>" in page  # the factual


def test_the_changes_are_listed_above_the_table(answer: Explanation) -> None:
    page = html_page(answer, title="Loans")
    listed = page[page.index("<ol") : page.index("</ol>")]
    assert page.index("</ol>") < page.index("<table")
    assert listed.count("<li") == 2
    assert "months <del>36</del> → <ins>12</ins>" in listed


def test_reward_terms_have_bars_only_between_zero_and_one() -> None:
    terms = {"share": np.array([0.25]), "cost": np.array([250.0])}
    page = html_page(explanation(FACTUALS, [(0, {"months": 6})], terms=terms), title="Loans")
    assert '<th scope="col" class="cfn-judged">cost</th>' in page
    assert 'style="width:25%"' in page
    assert '<span class="cfn-score"><span class="cfn-number">250</span>' in page


def test_a_fragment_shows_ten_factuals_and_a_page_all() -> None:
    shown = many(12, 11)
    fragment, page = html_fragment(shown), html_page(shown, title="Loans")
    assert fragment.count("<section") == 10
    assert "… and 2 more rows; to_html() shows all." in fragment
    assert fragment.count("… and 1 more counterfactual; to_html() shows all.") == 10
    assert page.count("<section") == 12
    assert page.count("<li") == 12 * 11
    assert "more row" not in page


def test_a_wide_table_is_folded_in_a_notebook_and_open_on_a_page() -> None:
    wide = explanation(pd.DataFrame({f"c{number}": [0] for number in range(30)}), [(0, {"c29": 1})])
    assert "<details><summary>All 30 columns" in html_fragment(wide)
    assert "<details open>" in html_page(wide, title="Loans")


@pytest.mark.parametrize("row_count", [0, 2])
def test_no_counterfactuals_is_an_answer_in_every_form(row_count: int) -> None:
    shown = explanation(FACTUALS.iloc[:row_count], [])
    assert "0 counterfactuals" in terminal_text(shown)
    for text in (html_fragment(shown), html_page(shown, title="Loans")):
        Balance(text)
        assert "0 counterfactuals" in text
        assert ("no rows to explain" in text) == (row_count == 0)


def test_counterfactuals_in_any_order_find_their_factual() -> None:
    shown = explanation(FACTUALS, [(1, {"months": 3}), (0, {"months": 6}), (1, {"months": 4})])
    text = terminal_text(shown)
    assert re.findall(r"row \d+|-> \d", text) == ["row 17", "-> 6", "row 18", "-> 3", "-> 4"]


def test_the_fragments_style_reaches_nothing_outside_it() -> None:
    css = files("counterflownet.explain.present").joinpath("html.css").read_text(encoding="utf-8")
    rules = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = [part.strip() for group in re.findall(r"([^{}]+)\{", rules) for part in group.split(",")]
    assert selectors
    assert all(re.match(r"\.cfn\b", selector) for selector in selectors)


def test_the_figure_names_what_is_changed_most_first_and_which_way_is_better() -> None:
    shown = explanation(FACTUALS, [(0, {"months": 6}), (0, {"months": 5, "ratio": 0.1}), (1, {"months": 3})])
    left, right = figure(shown).axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["months", "ratio"]
    assert [bar.get_width() for bar in left.patches] == pytest.approx([100, 100 / 3])
    assert "%" in left.get_xlabel()
    assert right.get_xlabel() == "changed columns (fewer is better)"
    assert right.get_ylabel() == "reward (higher is better)"


def test_the_points_of_the_figure_stay_near_their_count_and_do_not_depend_on_chance() -> None:
    first, second = (figure(many(3, 30)).axes[1].collections[0].get_offsets() for _ in range(2))
    assert len(first) == 90
    assert np.array_equal(first, second)
    assert np.abs(first[:, 0] - 1).max() <= 0.25


def test_the_figure_shows_at_most_fifteen_columns() -> None:
    names = [f"c{number}" for number in range(20)]
    left, _ = figure(explanation(pd.DataFrame(0, columns=names, index=[0]), [(0, dict.fromkeys(names, 1))])).axes
    assert len(left.patches) == 15
    assert left.get_title(loc="left") == "What is changed (top 15 of 20)"


@pytest.mark.parametrize("column", ["$ per month", r"$\frac{$", "x" * 80])
def test_a_figure_can_be_drawn_whatever_a_column_is_called(column: str) -> None:
    drawn = figure(explanation(pd.DataFrame({column: [1]}), [(0, {column: 2})]))
    target = BytesIO()
    drawn.savefig(target)
    assert target.getvalue().startswith(b"\x89PNG")


def test_an_empty_figure_says_so() -> None:
    drawn = figure(explanation(FACTUALS, []))
    assert [text.get_text() for text in drawn.texts] == ["No counterfactuals to show\n(rows: 2 none valid)"]


def test_a_missing_matplotlib_names_the_command_that_installs_it(
    answer: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(MissingExtraError, match=r"pip install 'counterflownet\[plot\]'"):
        answer.plot()


def test_importing_costs_no_matplotlib() -> None:
    code = "import sys, counterflownet.explain.explanation; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603 (our own code)
