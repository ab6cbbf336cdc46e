"""Every metric that was asked for, or an error: a table with silent holes is worse than none."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from counterflownet.errors import unknown_name
from counterflownet_bench.metrics.changes import CHANGE_METRICS, ChangeEvaluation
from counterflownet_bench.metrics.coded import CODED_METRICS, CodedEvaluation
from counterflownet_bench.metrics.mixed import CONVENTIONS, MixedEvaluation
from counterflownet_bench.metrics.mixed_metrics import MIXED_METRICS

Record = TypeVar("Record")


def evaluate_coded(record: CodedEvaluation, names: Sequence[str] = tuple(CODED_METRICS)) -> dict[str, float]:
    """The metrics of Protocol A, in percent."""
    return evaluate(CODED_METRICS, record, names)


def evaluate_mixed(record: MixedEvaluation, names: Sequence[str] = tuple(MIXED_METRICS)) -> dict[str, dict[str, float]]:
    """The metrics of Protocol B under each convention: ``{"range": {...}, "zscore": {...}}``."""
    return {name: evaluate(MIXED_METRICS, record.under(name), names) for name in CONVENTIONS}


def evaluate_changes(record: ChangeEvaluation, names: Sequence[str] = tuple(CHANGE_METRICS)) -> dict[str, float]:
    """Minimality, share of training rows, changes per answer."""
    return evaluate(CHANGE_METRICS, record, names)


def evaluate(
    metrics: Mapping[str, Callable[[Record], float]], record: Record, names: Sequence[str]
) -> dict[str, float]:
    """The named metrics of a record."""
    for name in names:
        if name not in metrics:
            raise unknown_name("metric", name, metrics)
    return {name: metrics[name](record) for name in names}
