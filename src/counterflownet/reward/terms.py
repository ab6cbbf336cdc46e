"""The factors of a reward: each scores candidates with the logarithm of a value in [0, 1]."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from numpy import ndarray

from counterflownet.reward.candidates import Candidates, EditedRows
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.tabular.schema import Schema

Over = Literal["all", "ordered", "numeric", "categorical"]


@runtime_checkable
class RewardTerm(Protocol):
    """One factor of a reward."""

    @property
    def name(self) -> str:
        """Its column in the results."""

    def log_values(self, candidates: Candidates) -> Float[ndarray, " candidate"]:
        """Logarithms of one value in [0, 1] per candidate."""


WeightedTerm = tuple[RewardTerm, float]
Parts = Float[ndarray, "candidate feature"]  # what each change of a candidate adds to a term, before costs


@dataclass(frozen=True, slots=True)
class Validity:
    """Paper, eq. reward_validity: how far the target class leads; ``margin`` asks for more than a narrow lead.

    Rows that are not valid keep the share ``missed``, so that many near misses do not outweigh a few that are (ours;
    the paper's reward has none of it: 1).
    """

    margin: float = 0.0
    missed: float = 1.0
    name: str = "validity"

    def log_values(self, candidates: Candidates) -> Float[ndarray, " candidate"]:
        lead = np.clip(1.0 + candidates.lead - self.margin, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            return np.log(np.where(candidates.valid, lead, lead * self.missed))


@dataclass(frozen=True, slots=True, eq=False)
class Proximity:
    """Paper, eq. reward_proximity: minus the distance to the factual, over the features that ``counted`` flags."""

    counted: Bool[ndarray, " feature"]
    norm: float = 1.0
    name: str = "proximity"

    def log_values(self, candidates: EditedRows) -> Float[ndarray, " candidate"]:
        return self.log_sums(self.parts(candidates))

    def parts(self, candidates: EditedRows) -> Parts:
        """The distance of every change that counts."""
        return np.where(self.counted, candidates.distances, 0.0)  # not left out: a norm of nothing may be undefined

    def log_sums(self, parts: Parts) -> Float[ndarray, " candidate"]:
        return -np.linalg.norm(parts, ord=self.norm, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Plausibility:
    """Paper, eq. reward_plausibility: minus how much more of an outlier a candidate is than its neighbours."""

    outlier: LocalOutlierFactor
    name: str = "plausibility"

    def log_values(self, candidates: EditedRows, *, roughly: bool = False) -> Float[ndarray, " candidate"]:
        return np.minimum(0.0, 1.0 - self.outlier(candidates.vectors, roughly=roughly))


@dataclass(frozen=True, slots=True, eq=False)
class Sparsity:
    """Paper, eq. reward_sparsity: minus the number of changes beyond the first, over the features counted."""

    counted: Bool[ndarray, " feature"]
    name: str = "sparsity"

    def log_values(self, candidates: EditedRows) -> Float[ndarray, " candidate"]:
        return self.log_sums(self.parts(candidates))

    def parts(self, candidates: EditedRows) -> Parts:
        """1 for every change that counts."""
        return (candidates.changed & self.counted).astype(np.float64)

    def log_sums(self, parts: Parts) -> Float[ndarray, " candidate"]:
        return -np.maximum(parts.sum(axis=1) - 1.0, 0.0)


PerChange = Proximity | Sparsity  # their logarithms are sums over changes, never infinite


@dataclass(frozen=True, slots=True)
class RowTerm:
    """A reward term of your own.

    Attributes:
        name: Its column in the results.
        value: A function of two frames, decoded candidates and their factuals, that returns values in [0, 1].
    """

    name: str
    value: Callable[[pd.DataFrame, pd.DataFrame], ndarray]

    def log_values(self, candidates: Candidates) -> ndarray:  # the reward checks what a user's function returns
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.asarray(self.value(candidates.rows, candidates.factuals), dtype=np.float64))
        return np.asarray(logs)


def counted_features(schema: Schema, over: Over) -> Bool[ndarray, " feature"]:
    """Which features a term counts."""
    numeric = np.array([feature.numeric for feature in schema])
    ordered = np.array([feature.has_order for feature in schema])
    return {"all": np.ones_like(numeric), "ordered": ordered, "numeric": numeric, "categorical": ~numeric}[over]
