"""Many different, sparse, plausible, actionable counterfactuals for any tabular classifier."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from counterflownet._version import VERSION as __version__  # noqa: N811 - the name everyone asks for
from counterflownet.errors import CounterFlowNetError

if TYPE_CHECKING:
    from counterflownet.classifier import TorchClassifier, as_classifier
    from counterflownet.explain import (
        AnyOf,
        AtLeast,
        AtMost,
        Between,
        By,
        CounterFlowNet,
        Diagnosis,
        Explanation,
        Not,
        Oddities,
        Outcome,
        RowOutcome,
    )
    from counterflownet.protocols import Classifier
    from counterflownet.reward import RewardSettings, RewardTerm, RewardWeights, RowTerm, Temperature
    from counterflownet.tabular import (
        Above,
        Below,
        Bins,
        Changes,
        Condition,
        Constraint,
        Decreasing,
        Derived,
        Equals,
        Falls,
        FallsBy,
        IfThen,
        Immutable,
        Increasing,
        LessEqual,
        MaxChanges,
        MaxStep,
        Mutable,
        NotOneOf,
        OneHot,
        OneOf,
        Range,
        Rises,
        RisesBy,
        Rule,
        Schema,
        Stays,
        Suggestion,
        Suggestions,
        Together,
        read_rules,
        suggest_rules,
        write_rules,
    )
    from counterflownet.training import OBJECTIVES, History, TrainingSettings

__all__ = [
    "OBJECTIVES",
    "Above",
    "AnyOf",
    "AtLeast",
    "AtMost",
    "Below",
    "Between",
    "Bins",
    "By",
    "Changes",
    "Classifier",
    "Condition",
    "Constraint",
    "CounterFlowNet",
    "CounterFlowNetError",
    "Decreasing",
    "Derived",
    "Diagnosis",
    "Equals",
    "Explanation",
    "Falls",
    "FallsBy",
    "History",
    "IfThen",
    "Immutable",
    "Increasing",
    "LessEqual",
    "MaxChanges",
    "MaxStep",
    "Mutable",
    "Not",
    "NotOneOf",
    "Oddities",
    "OneHot",
    "OneOf",
    "Outcome",
    "Range",
    "RewardSettings",
    "RewardTerm",
    "RewardWeights",
    "Rises",
    "RisesBy",
    "RowOutcome",
    "RowTerm",
    "Rule",
    "Schema",
    "Stays",
    "Suggestion",
    "Suggestions",
    "Temperature",
    "Together",
    "TorchClassifier",
    "TrainingSettings",
    "__version__",
    "as_classifier",
    "read_rules",
    "suggest_rules",
    "write_rules",
]


_HOMES = ("protocols", "tabular", "classifier", "reward", "training", "explain")  # imported when needed: help is quick


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"counterflownet.{home}")
            if hasattr(module, name):
                globals()[name] = getattr(module, name)  # found at once from then on
                return globals()[name]
    raise AttributeError(f"module 'counterflownet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
