"""Many different, sparse, plausible, actionable counterfactuals for any tabular classifier.

Everything public is imported from here, or from ``counterflownet.errors``, ``.files``, ``.seeds``, ``.tabular``,
``.reward``, ``.classifier`` and ``.datasets``. Names are imported when they are first asked for, so that
``counterflownet --help`` need not wait for torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from counterflownet._version import VERSION as __version__  # noqa: N811 - the name everyone asks for
from counterflownet.errors import CounterFlowNetError

if TYPE_CHECKING:
    from counterflownet.classifier import TorchClassifier, as_classifier
    from counterflownet.explain import CounterFlowNet, Diagnosis, Explanation, Outcome, RowOutcome
    from counterflownet.protocols import Classifier
    from counterflownet.reward import RewardSettings, RewardTerm, RewardWeights, RowTerm, Temperature
    from counterflownet.tabular import (
        Bins,
        Constraint,
        Decreasing,
        Immutable,
        Increasing,
        MaxChanges,
        MaxStep,
        Mutable,
        NotOneOf,
        OneOf,
        Range,
        Schema,
    )
    from counterflownet.training import OBJECTIVES, History, TrainingSettings

_HOMES = {
    "classifier": ("TorchClassifier", "as_classifier"),
    "explain": ("CounterFlowNet", "Diagnosis", "Explanation", "Outcome", "RowOutcome"),
    "protocols": ("Classifier",),
    "reward": ("RewardSettings", "RewardTerm", "RewardWeights", "RowTerm", "Temperature"),
    "tabular": (
        "Bins",
        "Constraint",
        "Decreasing",
        "Immutable",
        "Increasing",
        "MaxChanges",
        "MaxStep",
        "Mutable",
        "NotOneOf",
        "OneOf",
        "Range",
        "Schema",
    ),
    "training": ("OBJECTIVES", "History", "TrainingSettings"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "OBJECTIVES",
    "Bins",
    "Classifier",
    "Constraint",
    "CounterFlowNet",
    "CounterFlowNetError",
    "Decreasing",
    "Diagnosis",
    "Explanation",
    "History",
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
    "RewardTerm",
    "RewardWeights",
    "RowOutcome",
    "RowTerm",
    "Schema",
    "Temperature",
    "TorchClassifier",
    "TrainingSettings",
    "__version__",
    "as_classifier",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'counterflownet' has no attribute {name!r}")
    found = getattr(import_module(f"counterflownet.{_HOME_OF[name]}"), name)
    globals()[name] = found  # asked for once, found at once from then on
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
