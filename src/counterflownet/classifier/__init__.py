"""Any black box as a classifier on the user's own columns."""

from counterflownet.classifier.adapters import as_classifier
from counterflownet.classifier.checks import checked_probabilities
from counterflownet.classifier.torch_module import TorchClassifier

__all__ = ["TorchClassifier", "as_classifier", "checked_probabilities"]
