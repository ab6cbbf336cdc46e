"""The reward of candidates: the decoded rows, asked of the classifier once, judged by all terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet.protocols import Classifier
from counterflownet.reward.settings import Temperature
from counterflownet.reward.terms import Candidates, Proximity, RewardTerm, Sparsity
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.geometry import Geometry

PER_CHANGE = (Proximity, Sparsity)  # their logarithms are sums over changes, and never infinite


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """How candidates were judged: ``reward`` in [0, 1], ``log_reward`` after temperature, each term's value."""

    rows: pd.DataFrame
    valid: Bool[ndarray, " candidate"]
    reward: Float[ndarray, " candidate"]
    log_reward: Float[ndarray, " candidate"]
    terms: Mapping[str, Float[ndarray, " candidate"]]


@dataclass(frozen=True, slots=True, eq=False)
class Reward:
    """A classifier, weighted terms and a temperature."""

    classifier: Classifier
    terms: Sequence[tuple[RewardTerm, float]]
    temperature: Temperature

    def scores(
        self,
        factuals: "Factuals",
        row: Int[ndarray, " candidate"],
        codes: Int[ndarray, "candidate feature"],
        changed: Bool[ndarray, "candidate feature"],
        target: Int[ndarray, " candidate"],
        probabilities: Float[ndarray, "candidate class"] | None = None,
    ) -> Scores:
        """The scores of factuals after edits, computed on the decoded rows a user would get.

        The classifier is not asked again if its ``probabilities`` for them are known.
        """
        rows = factuals.codec.decode(row, codes, changed)
        if probabilities is None:
            probabilities = self.classifier.probabilities(rows)
        candidates = Candidates(factuals.codec, factuals.geometry, row, codes, changed, target, rows, probabilities)
        logs = {term.name: _checked(term, candidates) for term, _ in self.terms}
        reward = np.exp(self._weighted(logs, len(row)))
        values = {name: np.exp(log) for name, log in logs.items()}
        return Scores(rows, candidates.valid, reward, self._tempered(reward, logs), values)

    def _tempered(self, reward: Float[ndarray, " candidate"], logs: Mapping[str, ndarray]) -> ndarray:
        """The logarithm of the reward that candidates are sampled in proportion to.

        Under a power, what counts changes has no floor. Were all rows of low reward alike, a wide table would have so
        many of them, with every column changed, that together they outweighed the few good ones.
        """
        temperature = self.temperature
        if temperature.kind == "exponential":
            return np.asarray(temperature.beta * np.maximum(reward, temperature.floor))
        least = np.log(temperature.floor)
        floored = {
            term.name: logs[term.name] if isinstance(term, PER_CHANGE) else np.maximum(logs[term.name], least)
            for term, _ in self.terms
        }
        return temperature.beta * self._weighted(floored, len(reward))

    def _weighted(self, logs: Mapping[str, ndarray], count: int) -> ndarray:
        # 0 * -inf is NaN: a term that is switched off must not be asked for its logarithm.
        return sum((weight * logs[term.name] for term, weight in self.terms if weight > 0), np.zeros(count))


@dataclass(frozen=True, slots=True, eq=False)
class Factuals:
    """Rows that can be edited and judged."""

    codec: Codec
    geometry: Geometry

    @classmethod
    def of(cls, codec: Codec) -> "Factuals":
        return cls(codec, Geometry(codec))


def _checked(term: RewardTerm, candidates: Candidates) -> Float[ndarray, " candidate"]:
    try:
        logs = np.asarray(term.log_values(candidates), dtype=np.float64)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInputError(
            f"the reward term {term.name!r} failed: {type(error).__name__}: {error}. "
            "It must give one number in [0, 1] for each candidate."
        ) from error
    if logs.shape != (len(candidates.row),):
        raise InvalidInputError(
            f"the reward term {term.name!r} gave values of shape {logs.shape} for {len(candidates.row)} candidates; "
            "it must give one number for each."
        )
    if np.isnan(logs).any() or (logs > 1e-9).any():
        wrong = logs[np.isnan(logs) | (logs > 1e-9)][0]
        raise InvalidInputError(
            f"the reward term {term.name!r} gave a value of {np.exp(wrong):g}; values must lie in [0, 1]."
        )
    return np.minimum(logs, 0.0)
