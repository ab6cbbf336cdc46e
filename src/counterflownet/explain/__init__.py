"""From rows to answers: fit, explain, sample, diagnose, save, load."""

from counterflownet.explain.diagnosis import Diagnosis
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome

__all__ = ["CounterFlowNet", "Diagnosis", "Explanation", "Outcome", "RowOutcome"]
