"""One factual and its counterfactuals as an HTML table: what changed stands out, what did not steps back."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from counterflownet.explain.present.grouping import by_strategy
from counterflownet.explain.present.wording import score_text, told_change, told_of, value_text

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

SAME = ' class="cfn-same"'
VARIATION = ' class="cfn-variation"'  # changes the same columns in the same directions as an answer above it


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The reward or one of its terms, for all counterfactuals."""

    name: str
    values: NDArray[np.float64]
    bounded: bool  # bars can show it: a user's own term may have any scale

    def shown(self, number: int, *, label: bool = False) -> str:
        return score(float(self.values[number]), bounded=self.bounded, label=self.name if label else "")


def judgements(explanation: "Explanation") -> list[Judgement]:
    """The reward first, then its terms."""
    columns = [("reward", explanation.reward), *explanation.terms.items()]
    return [Judgement(name, values, bool(((values >= 0) & (values <= 1)).all())) for name, values in columns]


def table(explanation: "Explanation", position: int, numbers: NDArray[np.int64], judged: Sequence[Judgement]) -> str:
    """All columns: the factual first, then each counterfactual with its reward and the reward's terms."""
    label = escape(value_text(explanation.factuals.index[position]))
    judged = judged if len(numbers) else []
    return (
        f'<div class="cfn-scroll" tabindex="0" role="region" aria-label="row {label}">\n<table class="cfn-table">\n'
        f"<thead>{_header(explanation, numbers, judged)}</thead>\n"
        f"<tbody>\n{_body(explanation, position, numbers, judged)}</tbody>\n</table>\n</div>"
    )


def score(value: float, *, bounded: bool, label: str = "") -> str:
    """A number, with a small bar before it if it lies between 0 and 1."""
    text = f'<span class="cfn-number">{score_text(value)}</span>'
    before = f"<small>{escape(label)}</small>" if label else ""
    bar = f'<span class="cfn-bar"><i style="width:{100 * value:.0f}%"></i></span>' if bounded else ""
    return f'<span class="cfn-score">{before}{bar}{text}</span>'


def change(old_value: Any, new_value: Any) -> str:
    """What a value was, and what it became."""
    old, new = told_change(old_value, new_value)
    return f"<del>{escape(old)}</del> → <ins>{escape(new)}</ins>"


def _header(explanation: "Explanation", numbers: NDArray[np.int64], judged: Sequence[Judgement]) -> str:
    moved = explanation.changed if explanation.follows is None else explanation.changed | explanation.follows
    touched = np.logical_or.reduce(moved[numbers], axis=0)
    cells = [
        f'<th scope="col"{"" if some else SAME}>{escape(value_text(column))}</th>'
        for column, some in zip(explanation.factuals.columns, touched, strict=True)
    ]
    names = [explanation.told, *(judgement.name for judgement in judged)]
    cells += [f'<th scope="col" class="cfn-judged">{escape(name)}</th>' for name in names]
    return f"<tr><th></th>{''.join(cells)}</tr>"


def _body(explanation: "Explanation", position: int, numbers: NDArray[np.int64], judged: Sequence[Judgement]) -> str:
    # Tuples, because a frame's row as a Series would turn its integers into floats.
    factual = next(explanation.factuals.iloc[[position]].itertuples(index=False, name=None))
    cells = "".join(f"<td>{escape(value_text(value))}</td>" for value in factual)
    before = _told(explanation, explanation.probability_before[position], position)
    first = f'<tr class="cfn-factual"><th scope="row">factual</th>{cells}{before}{"<td></td>" * len(judged)}</tr>\n'
    ordered = list(by_strategy(explanation, numbers))
    answers = explanation.counterfactuals.iloc[[number for number, _ in ordered]].itertuples(index=False, name=None)
    return first + "".join(
        f'<tr{VARIATION if variation else ""}><th scope="row">{explanation.rank[number]}</th>'
        f"{_cells(factual, values, _classes(explanation, number))}"
        f"{_told(explanation, explanation.probability[number], position)}{_scores(judged, number)}</tr>\n"
        for (number, variation), values in zip(ordered, answers, strict=True)
    )


def _told(explanation: "Explanation", told: float, position: int) -> str:
    return f'<td class="cfn-judged">{escape(told_of(explanation, told, position))}</td>'


def _classes(explanation: "Explanation", number: int) -> list[str]:
    """How each cell is marked: as changed, as following from changes, or not at all."""
    follows = np.zeros_like(explanation.changed) if explanation.follows is None else explanation.follows
    marks = zip(explanation.changed[number], follows[number], strict=True)
    return ["cfn-changed" if changed else "cfn-follows" if follows else "" for changed, follows in marks]


def _cells(factual: tuple[Any, ...], values: tuple[Any, ...], classes: Sequence[str]) -> str:
    return "".join(
        f'<td class="{mark}">{change(old, new)}</td>' if mark else f"<td{SAME}>{escape(value_text(new))}</td>"
        for old, new, mark in zip(factual, values, classes, strict=True)
    )


def _scores(judged: Sequence[Judgement], number: int) -> str:
    return "".join(f'<td class="cfn-judged">{judgement.shown(number)}</td>' for judgement in judged)
