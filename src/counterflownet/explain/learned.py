"""What an explainer has learned: all that explaining needs, and all that is saved."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from counterflownet.explain.settings import ExplainerSettings
from counterflownet.flow.model import FlowModel
from counterflownet.protocols import Classifier
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.seeds import derived_seed
from counterflownet.tabular.schema import Schema
from counterflownet.training.history import History


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


def untrained_model(schema: Schema, class_count: int, settings: ExplainerSettings) -> FlowModel:
    """The networks as training begins with them, or for saved weights to be put into."""
    training = settings.training
    return FlowModel(
        schema.space,
        class_count,
        width=training.width,
        seed=derived_seed(settings.seed, "model"),
        with_log_flow=training.balance().learns_log_flow,
    )
