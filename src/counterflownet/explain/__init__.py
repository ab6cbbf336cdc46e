"""From rows to answers: fit, explain, sample, diagnose, save, load."""

from counterflownet.explain.diagnosis import Diagnosis
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome
from counterflownet.explain.oddities import Oddities
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, By, Not

__all__ = [
    "AnyOf",
    "AtLeast",
    "AtMost",
    "Between",
    "By",
    "CounterFlowNet",
    "Diagnosis",
    "Explanation",
    "Not",
    "Oddities",
    "Outcome",
    "RowOutcome",
]
