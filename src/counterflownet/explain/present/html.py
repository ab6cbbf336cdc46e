"""An explanation as HTML: a fragment for notebooks and a page that stands alone, without scripts or outside files."""

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counterflownet.errors import counted
from counterflownet.explain.present.grouping import by_strategy
from counterflownet.explain.present.html_table import VARIATION, Judgement, change, judgements, score, table
from counterflownet.explain.present.wording import (
    before_text,
    oddities_text,
    outcome_counts,
    predicted_text,
    summary_text,
    told_of,
    value_text,
    wanted_text,
)

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

MOST_ROWS = 10  # of a fragment; a page shows all
MOST_COUNTERFACTUALS = 10
WIDE = 12  # columns; in a notebook a wider table waits folded, under the list of its changes

LEGEND = (
    '<footer class="cfn-legend"><span><del>old</del> → <ins>new</ins> a value that was changed</span>'
    '<span><span class="cfn-same">value</span> as in the factual</span>'
    f"<span>{score(0.75, bounded=True)} from 0 to 1, longer is better</span>"
    "<span>indented: a variation of the answer above it, the same columns in the same directions</span></footer>"
)


def html_page(explanation: "Explanation", *, title: str) -> str:
    """A complete document with a card for every factual."""
    cards = _cards(explanation, explanation.numbers_by_row(), most=len(explanation.row), unfolded=True)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_css('html.css')}{_css('html_page.css')}</style>\n</head>\n"
        f'<body class="cfn-page">\n<main class="cfn">\n<h1>{escape(title)}</h1>\n{_summary(explanation)}\n'
        f"{cards}\n{LEGEND}\n</main>\n</body>\n</html>\n"
    )


def html_fragment(explanation: "Explanation") -> str:
    """The first factuals, for a notebook's cell; colours come from the notebook's own theme."""
    rows = explanation.numbers_by_row(MOST_ROWS)
    unfolded = explanation.factuals.shape[1] <= WIDE
    cards = _cards(explanation, rows, most=MOST_COUNTERFACTUALS, unfolded=unfolded)
    return (
        f'<style>\n{_css("html.css")}</style>\n<div class="cfn">\n{_summary(explanation)}\n'
        f"{cards}\n{_left_out(len(explanation.factuals) - len(rows), 'more row')}</div>\n"
    )


@cache
def _css(name: str) -> str:
    return files("counterflownet.explain.present").joinpath(name).read_text(encoding="utf-8")


def _summary(explanation: "Explanation") -> str:
    chips = "".join(
        f'<span class="cfn-chip"><b>{count}</b> {escape(name)}</span>'
        for name, count in outcome_counts(explanation).items()
    )
    odd = f'\n<p class="cfn-note">{escape(oddities_text(explanation))}</p>' if explanation.oddities else ""
    note = f'\n<p class="cfn-note">{escape(explanation.note)}</p>' if explanation.note else ""
    return f'<p class="cfn-summary">{escape(summary_text(explanation))} {chips}</p>{note}{odd}'


def _cards(explanation: "Explanation", rows: Sequence[NDArray[np.int64]], *, most: int, unfolded: bool) -> str:
    judged = judgements(explanation)
    column_count = counted(explanation.factuals.shape[1], "column")
    cards = [
        f'\n<section class="cfn-card">\n{_heading(explanation, position, len(numbers_of_row))}\n'
        f"{_reason(explanation, position)}{_changes(explanation, numbers_of_row[:most], judged[0])}"
        f"{_left_out(len(numbers_of_row) - most, 'more counterfactual')}"
        f"<details{' open' if unfolded else ''}><summary>All {column_count}</summary>\n"
        f"{table(explanation, position, numbers_of_row[:most], judged)}\n</details>\n</section>"
        for position, numbers_of_row in enumerate(rows)
    ]
    return "".join(cards) or '<p class="cfn-note">There were no rows to explain.</p>'


def _heading(explanation: "Explanation", position: int, answer_count: int) -> str:
    return (
        f"<header><h2>row {escape(value_text(explanation.factuals.index[position]))}</h2>"
        f"<p>predicted <b>{escape(predicted_text(explanation, position))}</b>, "
        f"wanted <b>{escape(wanted_text(explanation, position))}</b>{escape(before_text(explanation, position))}</p>"
        f'<span class="cfn-chip"><b>{answer_count}</b> of {explanation.asked}</span></header>'
    )


def _reason(explanation: "Explanation", position: int) -> str:
    outcome = explanation.outcomes[position]
    return "" if outcome.complete else f'<p class="cfn-note">{escape(outcome.reason)}</p>\n'


def _changes(explanation: "Explanation", numbers: NDArray[np.int64], reward: Judgement) -> str:
    """The changes alone, so that a wide table need not be scrolled to find them."""
    items = "".join(
        f'<li value="{explanation.rank[number]}"{VARIATION if variation else ""}>'
        f"<div>{_change_line(explanation, number)}</div>"
        f"{_probability(explanation, number)}{reward.shown(number, label=True)}</li>\n"
        for number, variation in by_strategy(explanation, numbers)
    )
    return f'<ol class="cfn-changes">\n{items}</ol>\n' if items else ""


def _probability(explanation: "Explanation", number: int) -> str:
    text = escape(told_of(explanation, explanation.probability[number], int(explanation.row[number])))
    return f'<span class="cfn-score"><small>{explanation.told}</small><span class="cfn-number">{text}</span></span>'


def _change_line(explanation: "Explanation", number: int) -> str:
    changes = [
        f'<span class="cfn-change">{escape(value_text(column))} {change(old, new)}</span>'
        for column, old, new in explanation.changes(number)
    ]
    changes += [
        f'<span class="cfn-follows">follows: {escape(value_text(column))} {change(old, new)}</span>'
        for column, old, new in explanation.followed(number)
    ]
    verdict = "" if explanation.valid[number] else ' <span class="cfn-chip">not valid</span>'
    return (' <span class="cfn-dot">·</span> '.join(changes) or "no change") + verdict


def _left_out(count: int, thing: str) -> str:
    return f'<p class="cfn-note">… and {counted(count, thing)}; to_html() shows all.</p>\n' if count > 0 else ""
