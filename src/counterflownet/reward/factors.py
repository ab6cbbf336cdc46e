"""What judges candidates whatever is preferred, so that their rewards under another preference cost next to nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._preferences import Preferences
from counterflownet.reward.settings import Temperature
from counterflownet.reward.terms import Parts, PerChange, WeightedTerm

Logs = Float[ndarray, " candidate"]
Exponent = float | Float[ndarray, " candidate"]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of candidates: ``reward`` in [0, 1], ``log_reward`` after temperature, each term's value."""

    reward: Float[ndarray, " candidate"]
    log_reward: Float[ndarray, " candidate"]
    terms: Mapping[str, Float[ndarray, " candidate"]]

    def __getitem__(self, chosen: Int[ndarray, " chosen"]) -> "Scores":
        terms = {name: values[chosen] for name, values in self.terms.items()}
        return Scores(self.reward[chosen], self.log_reward[chosen], terms)


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """The logarithm of every term; of terms that are sums over changes, what each change adds.

    ``terms`` come with the exponents of the fit, ``temperature`` with its beta.
    """

    terms: Sequence[WeightedTerm]
    temperature: Temperature
    logs: Mapping[str, Logs]
    parts: Mapping[str, Parts]
    count: int

    def __len__(self) -> int:
        return self.count

    def scores(self, preferences: Preferences | None = None) -> Scores:
        """The scores under one preference for each candidate, or under that of the fit."""
        logs = self._logs(preferences)
        exponents = self._exponents(preferences)
        reward = np.exp(self._weighted(logs, exponents))
        values = {name: np.exp(log) for name, log in logs.items()}
        return Scores(reward, self._tempered(reward, logs, exponents, preferences), values)

    def __getitem__(self, chosen: Int[ndarray, " chosen"]) -> "Factors":
        logs = {name: values[chosen] for name, values in self.logs.items()}
        parts = {name: parts[chosen] for name, parts in self.parts.items()}
        return replace(self, logs=logs, parts=parts, count=len(chosen))

    @classmethod
    def joined(cls, pieces: Sequence["Factors"]) -> "Factors":
        """The factors of all pieces, one after the other."""
        logs = {name: np.concatenate([piece.logs[name] for piece in pieces]) for name in pieces[0].logs}
        parts = {name: np.concatenate([piece.parts[name] for piece in pieces]) for name in pieces[0].parts}
        return replace(pieces[0], logs=logs, parts=parts, count=sum(map(len, pieces)))

    def _logs(self, preferences: Preferences | None) -> dict[str, Logs]:
        costs = None if preferences is None else preferences.costs.numpy()
        return {
            term.name: paid(term, self.parts[term.name], costs) if isinstance(term, PerChange) else self.logs[term.name]
            for term, _ in self.terms
        }

    def _exponents(self, preferences: Preferences | None) -> dict[str, Exponent]:
        if preferences is None:
            return {term.name: weight for term, weight in self.terms}
        return {term.name: preferences.exponents(term.name) for term, _ in self.terms}

    def _tempered(
        self, reward: Logs, logs: Mapping[str, Logs], exponents: Mapping[str, Exponent], preferences: Preferences | None
    ) -> Logs:
        """The logarithm of the reward that candidates are sampled in proportion to.

        Under a power, proximity and sparsity have no floor. With one, all bad rows would count the same, and a wide
        table has so many of them that together they would outweigh the few good ones.
        """
        beta = self.temperature.beta if preferences is None else preferences.beta.numpy()
        if self.temperature.kind == "exponential":
            return np.asarray(beta * np.maximum(reward, self.temperature.floor))
        least = np.log(self.temperature.floor)
        floored = {name: log if name in self.parts else np.maximum(log, least) for name, log in logs.items()}
        return beta * self._weighted(floored, exponents)

    def _weighted(self, logs: Mapping[str, Logs], exponents: Mapping[str, Exponent]) -> Logs:
        return sum((raised(log, exponents[name]) for name, log in logs.items()), np.zeros(self.count))


def paid(term: PerChange, parts: Parts, costs: Float[ndarray, "candidate feature"] | None) -> Logs:
    """The logarithm of a term whose parts are multiplied by what the columns cost."""
    return term.log_sums(parts if costs is None else parts * costs)


def raised(log: Logs, exponent: Exponent) -> Logs:
    """The logarithm of a value to a power; 0 where the term is switched off, even if its value is 0."""
    if isinstance(exponent, float | int):
        return exponent * log if exponent > 0 else np.zeros_like(log)
    with np.errstate(invalid="ignore"):
        return np.where(exponent > 0, exponent * log, 0.0)
