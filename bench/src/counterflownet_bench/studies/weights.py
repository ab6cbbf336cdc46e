"""What do the weights of the reward buy? A grid over plausibility and proximity, beside other methods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from counterflownet import RewardWeights
from counterflownet_bench.benchmark.presets import Preset
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.studies.measured_fit import FitQuestion, MeasuredFit
from counterflownet_bench.studies.study import Found, MeasuringStudy
from counterflownet_bench.studies.weights_page import chapter

GRID = (0.0, 0.4, 0.8)
SPARSITY = 0.4  # in the paper's figure; its appendix says 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(FitQuestion):
    """One fit with these weights; validity has weight 1."""

    plausibility: float
    proximity: float
    sparsity: float = SPARSITY

    def __post_init__(self) -> None:
        FitQuestion.__post_init__(self)
        self.weighted()  # weights that make no sense are an error at once

    def weighted(self) -> Preset:
        """The preset with these weights instead of its own."""
        weights = RewardWeights(
            validity=1.0, plausibility=self.plausibility, proximity=self.proximity, sparsity=self.sparsity
        )
        return replace(self.settings(), weights=weights)

    def __str__(self) -> str:
        return f"{self.dataset}, plausibility {self.plausibility:g}, proximity {self.proximity:g}, seed {self.seed}"


def questions(
    datasets: Sequence[str],
    seeds: Sequence[int],
    plausibility: Sequence[float],
    proximity: Sequence[float],
    **common: Any,
) -> tuple[Question, ...]:
    """Every combination; one seed after the other, so that a run that is stopped has a whole grid."""
    return tuple(
        Question(dataset=dataset, seed=seed, plausibility=plausible, proximity=near, **common)
        for dataset, seed, plausible, near in product(datasets, seeds, plausibility, proximity)
    )


def answered(question: Question, data: BenchmarkData) -> Found:
    fit = MeasuredFit.begin(question, data, question.weighted())
    return {"found": fit.found(question.count)} | fit.facts()


def line(result: Mapping[str, Any]) -> str:
    told, metrics = result["question"], result["found"]["selected"]["metrics"]["zscore"]
    return (
        f"{told['dataset']} plausibility {told['plausibility']:g} proximity {told['proximity']:g}, "
        f"seed {told['seed']}: valid {_text(metrics['validity'])}, distance {_text(metrics['proximity_continuous'])}, "
        f"log LOF {_text(metrics['lof'])}, diversity {_text(metrics['diversity'])} (fit {result['seconds']:.0f} s)"
    )


def _text(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


STUDY = MeasuringStudy("weights", chapter, answered, line)
