"""Masks at inference beside retraining, seed by seed: what was found, and which differences are more than noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev
from typing import Any

from scipy.stats import t as student

from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.studies.drawing import BY_NAME
from counterflownet_bench.studies.measured_fit import FREE, AnswerKind

Result = Mapping[str, Any]
FREELY, RANDOMLY, RETRAINED = "free", "random", "retrained"
NAMES = {
    RETRAINED: "retrained under the set",
    RANDOMLY: "at inference, random masks in training",
    FREELY: "at inference, no masks in training",
}
SELECTIONS: Mapping[AnswerKind, str] = {
    "raw": "samples as drawn",
    "corrected": "samples corrected",
    "minimal": "minimal answers",
    "selected": "samples selected",
}
DRAWN = tuple(BY_NAME)[:6]  # those that the paper's table has
CHANCE = 0.05  # how often noise alone is to be called a difference, in one of the two directions


@dataclass(frozen=True, slots=True)
class Difference:
    """How much worse masks at inference are than retraining, seed by seed; below 0 they are better."""

    worse: tuple[float, ...]

    @property
    def mean(self) -> float:
        return mean(self.worse)

    @property
    def error(self) -> float | None:
        """The standard error of the mean; nobody knows it from one seed."""
        return stdev(self.worse) / sqrt(len(self.worse)) if len(self.worse) > 1 else None

    def is_clear(self, sign: int) -> bool:
        """Whether it is worse (1) or better (-1) by more than noise: Student's test, since seeds are few."""
        if self.error is None:
            return False
        return sign * self.mean > float(student.ppf(1 - CHANCE / 2, len(self.worse) - 1)) * self.error


@dataclass(frozen=True, slots=True)
class Measured:
    """The results of one data set, in the order of their seeds."""

    dataset: str
    results: tuple[Result, ...]

    @classmethod
    def of(cls, results: Sequence[Result], dataset: str) -> "Measured":
        own = [result for result in results if result["question"]["dataset"] == dataset]
        return cls(dataset, tuple(sorted(own, key=lambda result: int(result["question"]["seed"]))))

    @property
    def sets(self) -> tuple[str, ...]:
        return tuple(sorted({name for result in self.results for name in result["under"]}))  # none, set_1, ...

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(sorted({int(result["question"]["seed"]) for result in self.results}))

    def entries(self, way: str, rules: str, selection: str) -> dict[int, Mapping[str, Any]]:
        """What was found, by seed; without constraints the flow that was never trained under any is the retrained."""
        trained = way if way != RETRAINED else FREELY if rules == FREE.name else rules
        return {
            int(result["question"]["seed"]): result["under"][rules]["found"][selection]
            for result in self.results
            if result["question"]["trained"] == trained and rules in result["under"]
        }

    def values(self, way: str, rules: str, selection: str, column: Column) -> dict[int, float]:
        read = {seed: column.of_result(entry) for seed, entry in self.entries(way, rules, selection).items()}
        return {seed: value for seed, value in read.items() if value is not None}

    def difference(self, way: str, rules: str, selection: str, column: Column) -> Difference | None:
        """Over the seeds that have both."""
        asked, trained = (self.values(name, rules, selection, column) for name in (way, RETRAINED))
        sign = -1.0 if column.higher else 1.0
        worse = tuple(sign * (asked[seed] - trained[seed]) for seed in asked if seed in trained)
        return Difference(worse) if worse else None

    def broken(self) -> tuple[int, int]:
        """How many answers break a constraint of the set they were asked under, and how many answers there are."""
        every = [
            found
            for result in self.results
            for name, entry in result["under"].items()
            if name != FREE.name
            for found in entry["found"].values()
        ]
        return sum(sum(found["violations"].values()) for found in every), sum(found["answers"] for found in every)
