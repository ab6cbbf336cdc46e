"""Edited rows as a reward sees them: as codes first, then decoded once and classified once."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.reward.goals import TINY, Goals, on_its_side
from counterflownet.tabular.factuals import Factuals

Target = Int[ndarray, " candidate"] | Goals


@dataclass(frozen=True, eq=False)
class EditedRows:
    """Edited rows as codes and places, with what can be said of them before they are decoded and classified."""

    table: Factuals
    states: States

    def __len__(self) -> int:
        return len(self.states)

    @property
    def row(self) -> Int[ndarray, " candidate"]:
        """The index of each candidate's factual."""
        return self.states.row.numpy()

    @property
    def changed(self) -> Bool[ndarray, "candidate feature"]:
        """Which features each candidate changes."""
        return self.states.edited.numpy()

    @cached_property
    def factuals(self) -> pd.DataFrame:
        """The factual of each candidate."""
        return self.table.codec.rows.take(self.row).reset_index(drop=True)

    @cached_property
    def distances(self) -> Float[ndarray, "candidate feature"]:
        """How far each feature moved, on the scale of the table."""
        return self.table.distances(self.states)

    @cached_property
    def vectors(self) -> Float[ndarray, "candidate dimension"]:
        """The candidates as standardised, one-hot vectors."""
        return self.table.edited_vectors(self.states)


@dataclass(frozen=True, eq=False)
class Candidates(EditedRows):
    """Edited rows with everything a reward term may need; expensive parts are computed on first use.

    ``rows`` are the decoded rows, which a user would get, ``probabilities`` what the classifier says of them, and
    ``target`` is the number of the class wanted for each, with the ``confidence`` asked for; or a goal of another kind.
    """

    target: Target
    rows: pd.DataFrame
    probabilities: Float[ndarray, "candidate class"]
    confidence: float | None = None

    def __getitem__(self, chosen: Int[ndarray, " chosen"]) -> "Candidates":
        """The candidates with these indices; nothing is decoded or classified again."""
        return replace(
            self,
            states=self.states[chosen],
            target=self.target[chosen],
            rows=self.rows.take(chosen).reset_index(drop=True),
            probabilities=self.probabilities[chosen],
        )

    def copied(self) -> "Candidates":
        """The same in memory of its own, for functions that may write into what they are given."""
        return replace(
            self,
            states=States(self.states.row.clone(), self.states.codes.clone(), self.states.edited.clone()),
            target=self.target.copy() if isinstance(self.target, ndarray) else self.target,
            rows=self.rows.copy(),
            probabilities=self.probabilities.copy(),
        )

    @cached_property
    def lead(self) -> Float[ndarray, " candidate"]:
        """The probability of the target class minus that of the strongest other class."""
        return lead_of(self.probabilities, self.target)

    @property
    def probability(self) -> Float[ndarray, " candidate"]:
        """The probability of the target class; of a regressor, the prediction."""
        if not isinstance(self.target, ndarray):
            return self.target.told(self.probabilities)
        return self.probabilities[np.arange(len(self)), self.target]

    @property
    def slack(self) -> Float[ndarray, " candidate"]:
        """By how much a candidate is on the right side of what makes it valid, or on the wrong one if negative.

        In log-odds, which tell rows apart that the classifier is sure about.
        """
        if not isinstance(self.target, ndarray):
            return self.target.slack(self.probabilities)
        return slack_of_target(self.probabilities, self.target, self.confidence, self.valid)

    @cached_property
    def valid(self) -> Bool[ndarray, " candidate"]:
        """Whether the target class is more probable than every other class, and as probable as was asked for."""
        if not isinstance(self.target, ndarray):
            return self.target.valid(self.probabilities)
        return _reached(self.lead, self.probability, self.confidence)


def lead_of(probabilities: Float[ndarray, "row output"], target: Target) -> Float[ndarray, " row"]:
    """How far each target leads, of whatever kind it is."""
    return lead_of_target(probabilities, target) if isinstance(target, ndarray) else target.lead(probabilities)


def slack_of_target(
    probabilities: Float[ndarray, "row class"],
    target: Int[ndarray, " row"],
    confidence: float | None,
    valid: Bool[ndarray, " row"],
) -> Float[ndarray, " row"]:
    """In log-odds, how far the target leads, or is above ``confidence`` if that is less."""
    wanted = np.log(np.maximum(probabilities[np.arange(len(target)), target], TINY))
    ahead = wanted - np.log(np.maximum(_strongest_other(probabilities, target), TINY))
    if confidence is not None:
        odds = wanted - np.log(np.maximum(_sum_of_others(probabilities, target), TINY))
        ahead = np.minimum(ahead, odds - (np.log(max(confidence, TINY)) - np.log(max(1.0 - confidence, TINY))))
    return on_its_side(ahead, valid)  # logarithms are rounded


def reached(
    probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"], confidence: float | None
) -> Bool[ndarray, " row"]:
    """Whether the target is more probable than every other class, and as probable as was asked for."""
    probability = probabilities[np.arange(len(target)), target]
    return _reached(lead_of_target(probabilities, target), probability, confidence)


def _reached(lead: ndarray, probability: ndarray, confidence: float | None) -> Bool[ndarray, " row"]:
    return lead > 0 if confidence is None else (lead > 0) & (probability >= confidence)


def lead_of_target(probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"]) -> Float[ndarray, " row"]:
    """The probability of the target minus that of the strongest other class: valid means above 0."""
    return probabilities[np.arange(len(target)), target] - _strongest_other(probabilities, target)


def _strongest_other(probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"]) -> ndarray:
    at = np.arange(len(target))
    if probabilities.shape[1] == 2:
        return probabilities[at, 1 - target]
    others = probabilities.copy()
    others[at, target] = -np.inf
    return others.max(axis=1)


def _sum_of_others(probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"]) -> ndarray:
    others = probabilities.copy()
    others[np.arange(len(target)), target] = 0.0
    return others.sum(axis=1)
