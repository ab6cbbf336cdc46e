"""The explanation as HTML: whole, escaped, and standing alone."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from made_up_explanations import FACTUALS, VARIED, explanation, many

from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome
from counterflownet.explain.present import html_fragment, html_page, terminal_text
from counterflownet.explain.present.html_table import VARIATION


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


def test_the_probability_stands_before_and_after_in_list_and_table(answer: Explanation) -> None:
    for text in (html_page(answer, title="Loans"), html_fragment(answer)):
        assert "wanted <b>&#x27;good&#x27;</b> (probability 31 %)" in text
        assert '<small>probability</small><span class="cfn-number">52 %</span>' in text
        factual, first, second = re.findall(r"<tr.*</tr>", text[text.index("<tbody>") :])[:3]
        assert [re.findall(r"<td[^>]*>([\d.]+ %)</td>", line) for line in (factual, first, second)] == [
            ["31 %"],
            ["52 %"],
            ["90 %"],
        ]


def test_the_class_is_told_with_the_probability_that_was_asked_for(answer: Explanation) -> None:
    page = html_page(replace(answer, confidence=0.65), title="Loans")
    assert "wanted <b>&#x27;good&#x27; with 65 % or more</b>" in page


def test_variations_stand_under_the_best_answer_of_their_strategy() -> None:
    for text in (html_page(shown := explanation(FACTUALS, VARIED), title="Loans"), html_fragment(shown)):
        assert re.findall(r'<li value="(\d)"( class="cfn-variation")?>', text) == [
            ("1", ""),
            ("3", VARIATION),
            ("2", ""),
            ("4", VARIATION),
        ]
        table = re.findall(r'<tr( class="cfn-variation")?><th scope="row">(\d)', text)
        assert table == [("", "1"), (VARIATION, "3"), ("", "2"), (VARIATION, "4")]


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


def test_the_fragments_style_reaches_nothing_outside_it() -> None:
    css = files("counterflownet.explain.present").joinpath("html.css").read_text(encoding="utf-8")
    rules = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = [part.strip() for group in re.findall(r"([^{}]+)\{", rules) for part in group.split(",")]
    assert selectors
    assert all(re.match(r"\.cfn\b", selector) for selector in selectors)


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


@pytest.mark.parametrize("row_count", [0, 2])
def test_no_counterfactuals_is_an_answer_in_every_form(row_count: int) -> None:
    shown = explanation(FACTUALS.iloc[:row_count], [])
    assert "0 counterfactuals" in terminal_text(shown)
    for text in (html_fragment(shown), html_page(shown, title="Loans")):
        Balance(text)
        assert "0 counterfactuals" in text
        assert ("no rows to explain" in text) == (row_count == 0)
