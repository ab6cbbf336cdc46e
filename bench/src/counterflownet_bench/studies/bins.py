"""How many bins should a number be cut into? The same explainer with coarse and with fine ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from counterflownet.errors import check_count
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.studies.bins_page import chapter
from counterflownet_bench.studies.measured_fit import FitQuestion, MeasuredFit
from counterflownet_bench.studies.study import Found, MeasuringStudy

COUNTS = (4, 8, 16, 32, 64, 128)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(FitQuestion):
    """One fit with so many bins of equal width for every number."""

    bins: int

    def __post_init__(self) -> None:
        FitQuestion.__post_init__(self)  # super() does not know itself in a class with slots
        check_count("bins", self.bins, least=2)

    def __str__(self) -> str:
        return f"{self.dataset}, {self.bins} bins, seed {self.seed}"


def questions(
    datasets: Sequence[str], seeds: Sequence[int], bins: Sequence[int], **common: Any
) -> tuple[Question, ...]:
    """Every number of bins; one seed after the other, so that a run that is stopped has something to compare."""
    return tuple(
        Question(dataset=dataset, seed=seed, bins=count, **common)
        for dataset, seed, count in product(datasets, seeds, bins)
    )


def answered(question: Question, data: BenchmarkData) -> Found:
    preset = question.settings()
    fit = MeasuredFit.begin(question, data, replace(preset, bins=replace(preset.bins, count=question.bins)))
    return {"found": fit.found(question.count)} | fit.facts()


def line(result: Mapping[str, Any]) -> str:
    told, found = result["question"], result["found"]
    shares = ", ".join(f"{name} {found[name]['metrics']['zscore']['validity']:.1%}" for name in found)
    return f"{told['dataset']} {told['bins']} bins, seed {told['seed']}: valid {shares} (fit {result['seconds']:.0f} s)"


STUDY = MeasuringStudy("bins", chapter, answered, line)
