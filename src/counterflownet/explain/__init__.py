"""From rows to answers: fit, explain, sample, diagnose, save, load."""

from counterflownet.explain.diagnosis import Diagnosis
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome
from counterflownet.explain.oddities import Oddities

__all__ = ["CounterFlowNet", "Diagnosis", "Explanation", "Oddities", "Outcome", "RowOutcome"]
