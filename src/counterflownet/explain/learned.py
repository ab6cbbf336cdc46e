"""What an explainer has learned: all that explaining needs, and all that is saved."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from counterflownet.protocols import Classifier
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import RewardSettings, RewardWeights
from counterflownet.reward.terms import Plausibility, Proximity, RewardTerm, Sparsity, Validity, counted_features
from counterflownet.tabular.schema import Schema
from counterflownet.training.history import History
from counterflownet.training.model import FlowModel

WeightedTerm = tuple[RewardTerm, float]


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """A few training rows and what the classifier said of them, to recognise it by."""

    rows: pd.DataFrame
    probabilities: Float[ndarray, "row class"]

    def difference(self, classifier: Classifier) -> float:
        """The largest difference between the probabilities then and now."""
        return float(np.abs(classifier.probabilities(self.rows) - self.probabilities).max())


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """The result of ``fit``."""

    schema: Schema
    reward: Reward
    outlier: LocalOutlierFactor | None
    model: FlowModel
    history: History
    probe: Probe

    @property
    def classes(self) -> tuple[object, ...]:
        return self.reward.classifier.classes


def build_reward(
    classifier: Classifier,
    schema: Schema,
    weights: RewardWeights,
    settings: RewardSettings,
    outlier: LocalOutlierFactor | None,
    own_terms: Sequence[WeightedTerm],
) -> Reward:
    """The reward with all terms that count; validity is always among them, since it is always reported."""
    terms: list[WeightedTerm] = [(Validity(settings.margin), weights.validity)]
    if weights.proximity > 0:
        counted = counted_features(schema, settings.proximity_over)
        terms.append((Proximity(counted, settings.proximity_norm), weights.proximity))
    if weights.plausibility > 0 and outlier is not None:
        terms.append((Plausibility(outlier), weights.plausibility))
    if weights.sparsity > 0:
        terms.append((Sparsity(counted_features(schema, settings.sparsity_over)), weights.sparsity))
    return Reward(classifier, (*terms, *own_terms), settings.temperature)
