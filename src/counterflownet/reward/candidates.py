"""Edited rows as a reward sees them: decoded once, asked of the classifier once."""

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
    """Edited rows with all that a reward term may want to know of them; costly parts are made when first asked for.

    Attributes:
        table: The factuals they began as.
        states: Which factual each began as, its codes, and which features were changed.
        target: The number of the class wanted for each.
        rows: The decoded rows: what a user would get.
        probabilities: What the classifier says of these rows.
    """

    table: Factuals
    states: States
    target: Int[ndarray, " candidate"]
    rows: pd.DataFrame
    probabilities: Float[ndarray, "candidate class"]

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, chosen: Int[ndarray, " chosen"]) -> "Candidates":
        """The candidates of these numbers; nothing is decoded or asked again."""
        rows = self.rows.take(chosen).reset_index(drop=True)
        return Candidates(self.table, self.states[chosen], self.target[chosen], rows, self.probabilities[chosen])

    @classmethod
    def joined(cls, parts: Sequence["Candidates"]) -> "Candidates":
        """The candidates of all parts, which must be of the same factuals, one part after the other."""
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
        """The number of the factual that each candidate began as."""
        return self.states.row.numpy()

    @property
    def changed(self) -> Bool[ndarray, "candidate feature"]:
        """Which features each candidate changes."""
        return self.states.edited.numpy()

    @cached_property
    def factuals(self) -> pd.DataFrame:
        """The row that each candidate began as."""
        return self.table.codec.repeated(self.row)

    @cached_property
    def distances(self) -> Float[ndarray, "candidate feature"]:
        """How far each feature was moved, 1 being its whole range."""
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
        """Whether the classifier puts the candidate in its target class, and no other class is as probable."""
        return self.lead > 0


def lead_of_target(probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"]) -> Float[ndarray, " row"]:
    """How far the target's probability is above that of the strongest other class: valid means above 0."""
    at = np.arange(len(target))
    others = probabilities.copy()
    others[at, target] = -np.inf
    return probabilities[at, target] - others.max(axis=1)
