"""The paper's reward (eqs. reward_composite to reward_sparsity) of edited rows, after its temperature."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet import Classifier, RewardSettings, RewardWeights
from counterflownet.reward import LocalOutlierFactor
from counterflownet_bench.as_published.reading import Reading
from counterflownet_bench.vectors import VectorSpace


@dataclass(frozen=True, slots=True, eq=False)
class PublishedReward:
    """Everything that the reward of a row follows from. ``outliers`` are by target; the key -1 is for all of them."""

    classifier: Classifier
    weights: RewardWeights
    settings: RewardSettings
    reading: Reading
    units: Mapping[str, float]
    sparse: Bool[ndarray, " feature"]
    """Which features count for sparsity."""
    space: VectorSpace
    outliers: Mapping[int, LocalOutlierFactor]

    def value(
        self,
        rows: pd.DataFrame,
        factuals: pd.DataFrame,
        changed: Bool[ndarray, "row feature"],
        target: Int[ndarray, " row"],
    ) -> tuple[Float[ndarray, " row"], Bool[ndarray, " row"]]:
        """The composite reward, from 0 to 1, and which rows are valid."""
        lead = _lead(self.classifier.probabilities(rows), target)
        validity = np.clip(1.0 + lead - self.settings.margin, 0.0, 1.0)
        moved = sum((np.abs(_cells(rows, n) - _cells(factuals, n)) / unit for n, unit in self.units.items()), start=0.0)
        extra = np.maximum((changed & self.sparse).sum(axis=1) - 1.0, 0.0)
        weights = self.weights
        logs = -weights.proximity * moved - weights.sparsity * extra
        if weights.plausibility > 0:
            logs = logs + weights.plausibility * np.minimum(0.0, 1.0 - self._outlier_factors(rows, target))
        return validity**weights.validity * np.exp(logs), lead > 0

    def log_tempered(self, value: Float[ndarray, " row"]) -> Float[ndarray, " row"]:
        """The logarithm of what samples are to be proportional to."""
        temperature = self.settings.temperature
        kept = np.maximum(value, temperature.floor)
        return temperature.beta * (kept if self.reading.temperature == "exponential" else np.log(kept))

    def _outlier_factors(self, rows: pd.DataFrame, target: Int[ndarray, " row"]) -> Float[ndarray, " row"]:
        vectors = self.space.encode(rows).astype(np.float32)
        if -1 in self.outliers:
            return self.outliers[-1](vectors)
        factors = np.ones(len(rows))
        for number, outlier in self.outliers.items():
            factors[target == number] = outlier(vectors[target == number])
        return factors


def units(train: pd.DataFrame, names: Sequence[str], reading: Reading) -> dict[str, float]:
    """What counts as a distance of one in each number; a constant column has the unit 1."""
    found = {}
    for name in names:
        cells = _cells(train, name)
        found[name] = float(np.ptp(cells) if reading.distance == "range" else cells.std()) or 1.0
    return found


def _cells(rows: pd.DataFrame, name: str) -> Float[ndarray, " row"]:
    return rows[name].to_numpy(dtype=np.float64)


def _lead(probabilities: Float[ndarray, "row class"], target: Int[ndarray, " row"]) -> Float[ndarray, " row"]:
    at, others = np.arange(len(target)), probabilities.copy()
    others[at, target] = -np.inf
    return probabilities[at, target] - others.max(axis=1)
