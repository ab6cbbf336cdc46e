"""What a letter says, before it has a form: sections of sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from counterflownet._version import VERSION
from counterflownet.explain.letter.sentences import Sentences
from counterflownet.explain.letter.texts import Texts
from counterflownet.explain.present.wording import value_text

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

MOST_WAYS = 3


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, paragraphs, and ways or points below them."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    points: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """All that is written, in order; empty text is left out."""

    language: str
    title: str
    sender: str
    head: tuple[str, ...]
    salutation: str
    sections: tuple[Section, ...]
    closing: str
    origin: str
    page: str
    day: date


def letter_of(explanation: "Explanation", position: int, texts: Texts, day: date) -> Letter:
    """The letter about one row."""
    writer = _Writer(explanation, position, texts)
    words, prints = writer.words, explanation.origin.fingerprint
    label = value_text(explanation.factuals.index[position])
    return Letter(
        language=texts.language,
        title=texts("title"),
        sender=texts("sender"),
        head=(words.day(day), texts("reference", reference=label)),
        salutation=texts("salutation"),
        sections=tuple(writer.sections()),
        closing=texts("closing"),
        origin=texts(
            "origin",
            date=words.day(day),
            model=prints.model or "-",
            explainer=prints.explainer or "-",
            version=VERSION,
        ),
        page=texts("page"),
        day=day,
    )


class _Writer:
    def __init__(self, explanation: "Explanation", position: int, texts: Texts) -> None:
        self.explanation, self.position, self.texts = explanation, position, texts
        self.words = Sentences(texts)
        self.wanted = explanation.targets[position]
        self.target = self.words.target(self.wanted)
        self.kind = "_number" if explanation.regression else ""

    def sections(self) -> Iterator[Section]:
        outcome = self.explanation.outcomes[self.position].outcome.name
        yield self._decided(already=outcome == "ALREADY_TARGET")
        if outcome != "ALREADY_TARGET":
            yield self._ways()
        assumed = self.words.assumptions(
            self.explanation.origin.assumed(self.explanation.factuals.index[self.position])
        )
        yield Section(self.texts("assumed_heading"), points=tuple(assumed or [self.texts("assumed_nothing")]))
        limits = self.texts("limits").splitlines()
        shown = [self.texts("limits_ways")] if self._best_of_strategies() else []
        yield Section(self.texts("limits_heading"), points=(*limits[:1], *shown, *limits[1:]))

    def _decided(self, *, already: bool) -> Section:
        predicted = self.words.label(self.explanation.predicted[self.position])
        number = self._number(self.explanation.probability_before[self.position])
        name = ("decided_already" if already else "decided") + self.kind
        told = self.texts(name, predicted=predicted, target=self.target, **number)
        return Section(self.texts("decided_heading"), (told,))

    def _ways(self) -> Section:
        numbers = self._best_of_strategies()
        heading = self.texts(f"ways_heading{self.kind}", target=self.target)
        if not numbers:
            return Section(heading, (self.texts("none", reason=self._reason()),))
        told = self.texts("ways_one") if len(numbers) == 1 else self.texts("ways_some", count=len(numbers))
        ways = [
            (self.texts("way_heading", number=place), self._way(number))
            for place, number in enumerate(numbers, start=1)
        ]
        return Section(heading, (told, *self._least()), tuple(ways))

    def _best_of_strategies(self) -> list[int]:
        """The first valid answer of each strategy: variations of one would say the same again."""
        found: dict[int, int] = {}
        for number in self.explanation.numbers_by_row()[self.position].tolist():
            if self.explanation.valid[number]:
                found.setdefault(int(self.explanation.strategy[number]), number)
        return list(found.values())[:MOST_WAYS]

    def _way(self, number: int) -> str:
        changes = [self.words.change(*change) for change in self.explanation.changes(number)]
        follows = [self.words.change(*change, "follows") for change in self.explanation.followed(number)]
        reached = self._number(self.explanation.probability[number])
        told = self.texts(f"way{self.kind}", changes=self.words.joined(changes), target=self.target, **reached)
        return " ".join([told, *follows])

    def _least(self) -> list[str]:
        least = self.explanation.confidence
        if least is None:
            return []
        return [self.texts("least", target=self.target, confidence=self.words.probability(least, least))]

    def _reason(self) -> str:
        return self.texts(f"reason_{self.explanation.outcomes[self.position].outcome.name.lower()}")

    def _number(self, told: float) -> dict[str, str]:
        """The probability of what was asked for, or the number of a regressor, under its name."""
        if self.explanation.regression:
            return {"prediction": self.words.prediction(told, self.wanted)}
        return {"probability": self.words.probability(float(told), self.explanation.confidence)}
