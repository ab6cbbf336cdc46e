"""The reward of candidates: rows decoded and classified once, then scored by all terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.errors import InvalidInputError
from counterflownet.protocols import Classifier
from counterflownet.reward.candidates import Candidates, EditedRows
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import (
    Plausibility,
    Proximity,
    RewardTerm,
    Sparsity,
    Validity,
    WeightedTerm,
    counted_features,
)
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.schema import Schema

OURS = (Validity, Proximity, Plausibility, Sparsity)
PER_CHANGE = (Proximity, Sparsity)  # their logarithms are sums over changes, never infinite


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
class Reward:
    """A classifier, weighted terms and a temperature."""

    classifier: Classifier
    terms: Sequence[WeightedTerm]
    temperature: Temperature

    @classmethod
    def build(
        cls,
        classifier: Classifier,
        schema: Schema,
        weights: RewardWeights,
        settings: RewardSettings,
        outlier: LocalOutlierFactor | None,
        own_terms: Sequence[WeightedTerm],
    ) -> "Reward":
        """The reward with all terms of nonzero weight, and validity, which is always reported."""
        terms: list[WeightedTerm] = [(Validity(settings.margin, settings.missed), weights.validity)]
        if weights.proximity > 0:
            counted = counted_features(schema, settings.proximity_over)
            terms.append((Proximity(counted, settings.proximity_norm), weights.proximity))
        if weights.plausibility > 0 and outlier is not None:
            terms.append((Plausibility(outlier), weights.plausibility))
        if weights.sparsity > 0:
            terms.append((Sparsity(counted_features(schema, settings.sparsity_over)), weights.sparsity))
        return cls(classifier, (*terms, *own_terms), settings.temperature)

    def without_margin(self) -> "Reward":
        """The same for answers that are valid: a lead beyond what was asked for is worth nothing to whoever gets them.

        Samples need the margin: it keeps most of them from falling on the wrong side.
        """
        terms = [(Validity() if isinstance(term, Validity) else term, weight) for term, weight in self.terms]
        return replace(self, terms=tuple(terms))

    def candidates(
        self, table: Factuals, states: States, target: Int[ndarray, " state"], confidence: float | None = None
    ) -> Candidates:
        """The states decoded to the rows a user would get, and classified."""
        rows = table.codec.decode(states)
        return Candidates(table, states, target, rows, self.classifier.probabilities(rows), confidence)

    def promise(self, edited: EditedRows, left: Float[ndarray, " candidate"]) -> Float[ndarray, " candidate"]:
        """What fewness and smallness of changes contribute to the logarithm of the reward, before anyone is asked.

        ``left`` is the share of each candidate's way that is expected to be left after it is made as short as it can.
        """
        promise = np.zeros(len(edited))
        for term, weight in self.terms:
            if isinstance(term, PER_CHANGE):
                promise += weight * term.log_values(edited) * (left if isinstance(term, Proximity) else 1.0)
        return promise

    def plausible(self, edited: EditedRows) -> Float[ndarray, " candidate"]:
        """What plausibility contributes to the logarithm of the reward."""
        logs = [weight * term.log_values(edited) for term, weight in self.terms if isinstance(term, Plausibility)]
        return logs[0] if logs else np.zeros(len(edited))

    def scores(self, candidates: Candidates) -> Scores:
        """The candidates scored by all terms."""
        logs = {term.name: _checked(term, candidates) for term, _ in self.terms}
        reward = np.exp(self._weighted(logs, len(candidates)))
        values = {name: np.exp(log) for name, log in logs.items()}
        return Scores(reward, self._tempered(reward, logs), values)

    def _tempered(self, reward: Float[ndarray, " candidate"], logs: Mapping[str, ndarray]) -> ndarray:
        """The logarithm of the reward that candidates are sampled in proportion to.

        Under a power, proximity and sparsity have no floor. With one, all bad rows would count the same, and a wide
        table has so many of them that together they would outweigh the few good ones.
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
        # 0 * -inf is NaN: leave out terms that are switched off.
        return sum((weight * logs[term.name] for term, weight in self.terms if weight > 0), np.zeros(count))


def _checked(term: RewardTerm, candidates: Candidates) -> Float[ndarray, " candidate"]:
    try:
        given = candidates if isinstance(term, OURS) else candidates.copied()
        logs = np.asarray(term.log_values(given), dtype=np.float64)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInputError(
            f"the reward term {term.name!r} failed: {type(error).__name__}: {error}. "
            "It must return one number in [0, 1] per candidate."
        ) from error
    if logs.shape != (len(candidates),):
        raise InvalidInputError(
            f"the reward term {term.name!r} returned shape {logs.shape} for {len(candidates)} candidates; "
            "it must return one number per candidate."
        )
    wrong = np.exp(logs[np.isnan(logs) | (logs > 1e-9)])
    if len(wrong):
        raise InvalidInputError(
            f"the reward term {term.name!r} returned a value of {wrong[0]:g}; values must lie in [0, 1]."
        )
    return np.minimum(logs, 0.0)
