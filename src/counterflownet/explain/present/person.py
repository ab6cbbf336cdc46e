"""An explanation in sentences, for the person it concerns."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from counterflownet._printable import printable
from counterflownet.explain import wording
from counterflownet.explain.labels import Labels

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation


def person_text(explanation: "Explanation", labels: Labels, language: str) -> str:
    """What was decided of every row, what was locked, and what would have to change, each in a sentence."""
    written = Person(explanation, labels, language)
    return "\n\n".join("\n".join(written.lines(row)) for row in range(len(explanation.factuals)))


class Person:
    """The sentences about the rows of an explanation, in one language."""

    def __init__(self, explanation: "Explanation", labels: Labels, language: str) -> None:
        self.explanation, self.labels, self.language = explanation, labels, language
        self.numbers = explanation.numbers_by_row()

    def lines(self, row: int) -> Iterator[str]:
        """All that is said of one row."""
        shown = self.explanation
        before = self._probability(shown.probability_before[row])
        predicted, target = (self._label(labels[row]) for labels in (shown.predicted, shown.targets))
        if len(shown.factuals) > 1:
            yield self._phrase("row", "heading", row=_label_text(shown.factuals.index[row]))
        yield self._phrase("row", "decided", predicted=predicted, target=target, before=before)
        yield from self._locked(row)
        if not len(self.numbers[row]):
            name = shown.outcomes[row].outcome.name.lower()
            reason = self._phrase("outcome", name, target=target)
            yield self._phrase("row", "no_answer", reason=reason[:1].lower() + reason[1:])
        for number in self.numbers[row].tolist():
            yield from self._answer(number, target, before)

    def changes(self, number: int) -> Iterator[str]:
        """A sentence for each change of a counterfactual, then for what follows from them."""
        changed = [wording.Change(*one) for one in self.explanation.changes(number)]
        followed = [wording.Change(*one, follows=True) for one in self.explanation.followed(number)]
        return (wording.sentence(one, self.labels, self.language) for one in (*changed, *followed))

    def _answer(self, number: int, target: str, before: str) -> Iterator[str]:
        after = self._probability(self.explanation.probability[number])
        rank = str(self.explanation.rank[number])
        yield ""
        yield f"{self._phrase('row', 'option', rank=rank)}. " + self._phrase(
            "row", "answer", target=target, after=after, before=before
        )
        yield from (f"  - {one}" for one in self.changes(number))

    def _locked(self, row: int) -> Iterator[str]:
        locked = self.explanation.locked
        at = [] if locked is None else np.flatnonzero(locked[row]).tolist()
        if at:
            names = [printable(self.labels.name_of(self.explanation.factuals.columns[place])) for place in at]
            yield self._phrase("row", "locked", columns=wording.enumerated(names, self.language))

    def _phrase(self, section: str, name: str, **parts: str) -> str:
        return wording.phrase(section, name, self.language, **parts)

    def _probability(self, probability: float) -> str:
        return wording.probability(float(probability), self.language, self.explanation.confidence)

    def _label(self, label: Any) -> str:
        return printable(self.labels.class_of(label))


def _label_text(label: Any) -> str:
    return printable(", ".join(map(str, label)) if isinstance(label, tuple) else str(label))
