"""What is wanted of answers, and whether every setting and every seed comes up to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """A limit for the worst of some figures: at most (``most``) or at least so much."""

    words: str
    figures: tuple[str, ...]
    limit: float
    most: bool = False

    @property
    def wanted(self) -> str:
        exact = self.limit in (0.0, 1.0)
        return f"{'' if exact else '≤ ' if self.most else '≥ '}{percent(self.limit)}"

    def value(self, result: Result) -> float | None:
        """The worse one of its figures; None if there is nothing that they could be measured on."""
        known = [value for name in self.figures if (value := result["figures"][name]) is not None]
        return (max if self.most else min)(known) if known else None

    def met(self, value: float) -> bool:
        return value <= self.limit if self.most else value >= self.limit

    def worst(self, results: Sequence[Result]) -> tuple[float, Result] | None:
        """The worst value, and the first result that has it."""
        known = [(value, result) for result in results if (value := self.value(result)) is not None]
        if not known:
            return None
        return (max if self.most else min)(known, key=lambda entry: entry[0])


BARS = (
    Bar("valid", ("valid",), 1.0),
    Bar("within the constraints", ("allowed",), 1.0),
    Bar("minimal", ("minimal",), 1.0),
    Bar("loose changes, on either grid", ("loose", "loose_over_values"), 0.01, most=True),
    Bar("dominated", ("dominated",), 0.0, most=True),
    Bar("four strategies among five, where there are four", ("four_shown",), 1.0),
    Bar("rows with an answer, of those that have one", ("found",), 0.995),
    Bar("regret among tight answers, mean of a setting's rows", ("regret_tight",), 0.02, most=True),
    Bar("regret, loose rivals included, mean of a setting's rows", ("regret",), 0.02, most=True),
)


def percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.4g} %"


def decimal(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"
