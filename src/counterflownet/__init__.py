"""Many different, sparse, plausible, actionable counterfactuals for any tabular classifier."""

from counterflownet.classifier import TorchClassifier, as_classifier
from counterflownet.errors import CounterFlowNetError
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation, Outcome
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import RowTerm
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.constraint import (
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)
from counterflownet.tabular.schema import Schema
from counterflownet.training.settings import TrainingSettings
from counterflownet.version import VERSION as __version__  # noqa: N811 - the name everyone asks for

__all__ = [
    "Bins",
    "CounterFlowNet",
    "CounterFlowNetError",
    "Decreasing",
    "Explanation",
    "Immutable",
    "Increasing",
    "MaxChanges",
    "MaxStep",
    "Mutable",
    "NotOneOf",
    "OneOf",
    "Outcome",
    "Range",
    "RewardSettings",
    "RewardWeights",
    "RowTerm",
    "Schema",
    "Temperature",
    "TorchClassifier",
    "TrainingSettings",
    "__version__",
    "as_classifier",
]
