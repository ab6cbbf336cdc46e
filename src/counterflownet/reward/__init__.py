"""What makes a counterfactual good, as a number: terms, their weights, their temperature."""

from counterflownet.reward.neighbours import NeighbourIndex
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import RewardTerm, RowTerm

__all__ = [
    "LocalOutlierFactor",
    "NeighbourIndex",
    "RewardSettings",
    "RewardTerm",
    "RewardWeights",
    "RowTerm",
    "Temperature",
]
