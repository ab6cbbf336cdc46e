"""Edited rows as a reward sees them: decoded once, classified once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.tabular.factuals import Factuals


@dataclass(frozen=True, eq=False)
class Candidates:
    """Edited rows with everything a reward term may need; expensive parts are computed on first use.

    ``rows`` are the decoded rows, which a user would get, ``probabilities`` what the classifier says of them, and
    ``target`` is the number of the class wanted for each.
    """

    table: Factuals
    states: States
    target: Int[ndarray, " candidate"]
    rows: pd.DataFrame
    probabilities: Float[ndarray, "candidate class"]

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, chosen: Int[ndarray, " chosen"]) -> "Candidates":
        """The candidates with these indices; nothing is decoded or classified again."""
        rows = self.rows.take(chosen).reset_index(drop=True)
        return Candidates(self.table, self.states[chosen], self.target[chosen], rows, self.probabilities[chosen])

    def copied(self) -> "Candidates":
        """The same in memory of its own, for functions that may write into what they are given."""
        states = States(self.states.row.clone(), self.states.codes.clone(), self.states.edited.clone())
        return Candidates(self.table, states, self.target.copy(), self.rows.copy(), self.probabilities.copy())

    @classmethod
    def joined(cls, parts: Sequence["Candidates"]) -> "Candidates":
        """The candidates of all parts, which must share their factuals, concatenated."""
        parts = [part for part in parts if len(part)] or parts[:1]
        if len(parts) == 1:
            return parts[0]
        states = States.joined([part.states for part in parts])
        rows = pd.concat([part.rows for part in parts], ignore_index=True)
        target = np.concatenate([part.target for part in parts])
        probabilities = np.concatenate([part.probabilities for part in parts])
        return cls(parts[0].table, states, target, rows, probabilities)

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
        """How far each feature moved, as a share of its range."""
        return self.table.distances(self.states)

    @cached_property
    def vectors(self) -> Float[ndarray, "candidate dimension"]:
        """The candidates as standardised, one-hot vectors."""
        return self.table.edited_vectors(self.states)

    @cached_property
    def lead(self) -> Float[ndarray, " candidate"]:
        """The probability of the target class minus that of the strongest other class."""
        return lead_of_target(self.probabilities, self.target)

    @property
    def valid(self) -> Bool[ndarray, " candidate"]:
        """Whether the target class is more probable than every other class."""
        return self.lead > 0


def lead_of_target(probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"]) -> Float[ndarray, " row"]:
    """The probability of the target minus that of the strongest other class: valid means above 0."""
    at = np.arange(len(target))
    others = probabilities.copy()
    others[at, target] = -np.inf
    return probabilities[at, target] - others.max(axis=1)
