"""An explanation in sentences, for the person it concerns."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from counterflownet._printable import printable
from counterflownet.explain import wording
from counterflownet.explain.labels import Labels
from counterflownet.explain.present.wording import prediction_text
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, ClassesTarget
from counterflownet.explain.texts import texts

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
        before, target = self._told(shown.probability_before[row], row), self._target(shown.targets[row])
        if len(shown.factuals) > 1:
            yield self._phrase("row", "heading", row=_label_text(shown.factuals.index[row]))
        yield self._decided(row, target, before)
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
        after = self._told(self.explanation.probability[number], int(self.explanation.row[number]))
        reached = "reached" if self.explanation.regression else "answer"
        rank = str(self.explanation.rank[number])
        yield ""
        parts = {"target": target, "after": after, "before": before, "prediction": self._prediction()}
        yield f"{self._phrase('row', 'option', rank=rank)}. {self._phrase('row', reached, **parts)}"
        yield from (f"  - {one}" for one in self.changes(number))

    def _decided(self, row: int, target: str, before: str) -> str:
        if self.explanation.regression:
            return self._phrase("row", "predicted", target=target, before=before, prediction=self._prediction())
        predicted = self._label(self.explanation.predicted[row])
        return self._phrase("row", "decided", predicted=predicted, target=target, before=before)

    def _target(self, target: Any) -> str:
        """What was asked for: a class, several, or where a prediction is to lie."""
        if isinstance(target, ClassesTarget):
            labels = wording.enumerated([self._label(label) for label in target.classes], self.language, "or")
            return self._part("any_of" if isinstance(target, AnyOf) else "not", classes=labels)
        if not isinstance(target, (Between, AtLeast, AtMost)):
            return self._label(target)
        told = self.labels.prediction
        ends = {end: wording.number(getattr(target, end), self.language, told) for end in ("low", "high")}
        name = {Between: "between", AtLeast: "at_least", AtMost: "at_most"}[type(target)]
        return self._part(name, **ends)

    def _part(self, name: str, **parts: str) -> str:
        return texts(self.language)["target"][name].format(**parts)

    def _locked(self, row: int) -> Iterator[str]:
        locked = self.explanation.locked
        at = [] if locked is None else np.flatnonzero(locked[row]).tolist()
        if at:
            names = [printable(self.labels.name_of(self.explanation.factuals.columns[place])) for place in at]
            yield self._phrase("row", "locked", columns=wording.enumerated(names, self.language))

    def _phrase(self, section: str, name: str, **parts: str) -> str:
        return wording.phrase(section, name, self.language, **parts)

    def _told(self, told: float, row: int) -> str:
        if self.explanation.regression:
            text = prediction_text(float(told), self.explanation.targets[row], grouped=False)
            return wording.number(told, self.language, self.labels.prediction, text)
        return wording.probability(float(told), self.language, self.explanation.confidence)

    def _prediction(self) -> str:
        """What the model's number is called."""
        return printable(self.labels.prediction.label) or texts(self.language)["values"]["prediction"]

    def _label(self, label: Any) -> str:
        return printable(self.labels.class_of(label))


def _label_text(label: Any) -> str:
    return printable(", ".join(map(str, label)) if isinstance(label, tuple) else str(label))
