"""How good counterfactuals are: one pure function per metric, one table of them per protocol."""

from counterflownet.metrics.answers import Answers, changed_cells, without_copies
from counterflownet.metrics.changes import CHANGE_METRICS, ChangeEvaluation
from counterflownet.metrics.coded import CODED_METRICS, CodedEvaluation
from counterflownet.metrics.cost import Cost, measured
from counterflownet.metrics.evaluation import evaluate, evaluate_changes, evaluate_coded, evaluate_mixed
from counterflownet.metrics.mixed import CONVENTIONS, ConventionEvaluation, MixedEvaluation, Scale
from counterflownet.metrics.mixed_metrics import MIXED_METRICS
from counterflownet.metrics.mixed_space import MixedSpace
from counterflownet.metrics.outlier import OutlierFactor, local_outlier_factors
from counterflownet.metrics.records import Judge, change_evaluation, coded_evaluation, mixed_evaluation

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
    "Judge",
    "MixedEvaluation",
    "MixedSpace",
    "OutlierFactor",
    "Scale",
    "change_evaluation",
    "changed_cells",
    "coded_evaluation",
    "evaluate",
    "evaluate_changes",
    "evaluate_coded",
    "evaluate_mixed",
    "local_outlier_factors",
    "measured",
    "mixed_evaluation",
    "without_copies",
]
