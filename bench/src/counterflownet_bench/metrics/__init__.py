"""How good counterfactuals are: one pure function per metric, one table of them per protocol."""

from counterflownet_bench.metrics.answers import Answers, changed_cells, without_copies
from counterflownet_bench.metrics.changes import CHANGE_METRICS, ChangeEvaluation
from counterflownet_bench.metrics.coded import CODED_METRICS, CodedEvaluation
from counterflownet_bench.metrics.cost import Cost, measured
from counterflownet_bench.metrics.evaluation import evaluate, evaluate_changes, evaluate_coded, evaluate_mixed
from counterflownet_bench.metrics.mixed import CONVENTIONS, ConventionEvaluation, MixedEvaluation, Scale
from counterflownet_bench.metrics.mixed_metrics import MIXED_METRICS
from counterflownet_bench.metrics.mixed_space import MixedSpace
from counterflownet_bench.metrics.outlier import OutlierFactor
from counterflownet_bench.metrics.records import ValidityCheck, change_evaluation, coded_evaluation, mixed_evaluation

__all__ = [
    "CHANGE_METRICS",
    "CODED_METRICS",
    "CONVENTIONS",
    "MIXED_METRICS",
    "Answers",
    "ChangeEvaluation",
    "CodedEvaluation",
    "ConventionEvaluation",
    "Cost",
    "MixedEvaluation",
    "MixedSpace",
    "OutlierFactor",
    "Scale",
    "ValidityCheck",
    "change_evaluation",
    "changed_cells",
    "coded_evaluation",
    "evaluate",
    "evaluate_changes",
    "evaluate_coded",
    "evaluate_mixed",
    "measured",
    "mixed_evaluation",
    "without_copies",
]
