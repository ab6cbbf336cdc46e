"""The reward of candidates: rows decoded and classified once, then scored by all terms."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from counterflownet._preferences import Preferences
from counterflownet._states import States
from counterflownet.errors import InvalidInputError
from counterflownet.protocols import Classifier
from counterflownet.reward.candidates import Candidates, EditedRows, Target
from counterflownet.reward.factors import Exponent, Factors, Scores, paid, raised
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import (
    PerChange,
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


@dataclass(frozen=True, slots=True, eq=False)
class Reward:
    """A classifier, weighted terms and a temperature.

    ``preferences`` are those of each row that candidates come from, instead of the weights of the terms, the beta of
    the temperature and a cost of 1; None: these.
    """

    classifier: Classifier
    terms: Sequence[WeightedTerm]
    temperature: Temperature
    preferences: Preferences | None = None

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
        """The reward with all terms; plausibility needs rows to compare with."""
        terms: list[WeightedTerm] = [
            (Validity(settings.margin, settings.missed), weights.validity),
            (Proximity(counted_features(schema, settings.proximity_over), settings.proximity_norm), weights.proximity),
        ]
        if outlier is not None:
            terms.append((Plausibility(outlier), weights.plausibility))
        terms.append((Sparsity(counted_features(schema, settings.sparsity_over)), weights.sparsity))
        return cls(classifier, (*terms, *own_terms), settings.temperature)

    def under(self, preferences: Preferences | None) -> "Reward":
        """The same under the preferences of some rows, which are those that its candidates come from."""
        return replace(self, preferences=preferences)

    def without_margin(self) -> "Reward":
        """The same for answers that are valid: a lead beyond what was asked for is worth nothing to whoever gets them.

        Samples need the margin: it keeps most of them from falling on the wrong side.
        """
        terms = [(Validity() if isinstance(term, Validity) else term, weight) for term, weight in self.terms]
        return replace(self, terms=tuple(terms))

    def candidates(
        self, table: Factuals, states: States, target: Target, confidence: float | None = None
    ) -> Candidates:
        """The states decoded to the rows a user would get, and classified."""
        rows = table.codec.decode(states)
        return Candidates(table, states, target, rows, self.classifier.probabilities(rows), confidence)

    def promise(self, edited: EditedRows, left: Float[ndarray, " candidate"]) -> Float[ndarray, " candidate"]:
        """What fewness and smallness of changes contribute to the logarithm of the reward, before anyone is asked.

        ``left`` is the share of each candidate's way that is expected to be left after it is made as short as it can.
        """
        promise = np.zeros(len(edited))
        costs = None if self.preferences is None else self.preferences.costs.numpy()[edited.row]
        for term, weight in self._active():
            if isinstance(term, PerChange):
                log = paid(term, term.parts(edited), costs)
                promise += raised(log, self._exponent(term, weight, edited)) * (
                    left if isinstance(term, Proximity) else 1.0
                )
        return promise

    def plausible(self, edited: EditedRows) -> Float[ndarray, " candidate"]:
        """What plausibility contributes to the logarithm of the reward, roughly: to compare candidates, not to tell."""
        for term, weight in self._active():
            if isinstance(term, Plausibility):
                return raised(term.log_values(edited, roughly=True), self._exponent(term, weight, edited))
        return np.zeros(len(edited))

    def scores(self, candidates: Candidates) -> Scores:
        """The candidates scored by all terms that anyone gives weight to, and by validity."""
        of_each = None if self.preferences is None else self.preferences[candidates.row]
        return replace(self, terms=self._active()).factors(candidates).scores(of_each)

    def factors(self, candidates: Candidates) -> Factors:
        """What judges the candidates under any preference."""
        terms = [term for term, _ in self.terms]
        logs = {term.name: _checked(term, candidates) for term in terms if not isinstance(term, PerChange)}
        parts = {term.name: term.parts(candidates) for term in terms if isinstance(term, PerChange)}
        return Factors(self.terms, self.temperature, logs, parts, len(candidates))

    def _active(self) -> tuple[WeightedTerm, ...]:
        """The terms that someone gives weight to, and validity, which is always reported."""
        return tuple(
            (term, weight) for term, weight in self.terms if isinstance(term, Validity) or self._counts(term, weight)
        )

    def _counts(self, term: RewardTerm, weight: float) -> bool:
        if self.preferences is None:
            return weight > 0 or not isinstance(term, OURS)
        return bool((self.preferences.exponents(term.name) > 0).any()) or not isinstance(term, OURS)

    def _exponent(self, term: RewardTerm, weight: float, edited: EditedRows) -> Exponent:
        return weight if self.preferences is None else self.preferences.exponents(term.name)[edited.row]


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
