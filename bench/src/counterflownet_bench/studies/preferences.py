"""Which front does one fit span? One fit asked under several preferences, beside fits dedicated to each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from counterflownet import RewardWeights
from counterflownet.errors import check_one_of
from counterflownet_bench.baselines.method import Given
from counterflownet_bench.benchmark.methods import given_by
from counterflownet_bench.benchmark.presets import Preset
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.studies.measured_fit import FitQuestion, MeasuredFit
from counterflownet_bench.studies.preferences_page import ANY, ONE, PREFERENCES, chapter
from counterflownet_bench.studies.study import Found, MeasuringStudy

DATASETS = ("adult_protocol_b", "credit_default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(FitQuestion):
    """One fit: for the usual preference, for any, or dedicated to one of them by its name."""

    fit: str = ONE

    def __post_init__(self) -> None:
        FitQuestion.__post_init__(self)
        check_one_of("fit", self.fit, (ONE, ANY, *PREFERENCES))

    @property
    def asked(self) -> tuple[str, ...]:
        """The preferences that the fit is asked under."""
        return (self.fit,) if self.dedicated else tuple(PREFERENCES)

    @property
    def dedicated(self) -> bool:
        """Whether the fit is for one of the preferences alone."""
        return self.fit in PREFERENCES

    def preset_of_fit(self) -> Preset:
        """The preset, with the weights of the preference, or with training for any of them."""
        preset = self.settings()
        preset = replace(preset, training=replace(preset.training, preferences=self.fit == ANY))
        return replace(preset, weights=RewardWeights(**PREFERENCES[self.fit])) if self.dedicated else preset

    def __str__(self) -> str:
        return f"{self.dataset}, fit for {self.fit}, seed {self.seed}"


def questions(
    datasets: Sequence[str], seeds: Sequence[int], fits: Sequence[str], **common: Any
) -> tuple[Question, ...]:
    """Every fit of every data set; one seed after the other, so that a run that is stopped has fits to compare."""
    return tuple(
        Question(dataset=dataset, seed=seed, fit=fit, **common) for dataset, seed, fit in product(datasets, seeds, fits)
    )


def answered(question: Question, data: BenchmarkData) -> Found:
    fit = MeasuredFit.begin(question, data, question.preset_of_fit())
    found = {name: _found(fit, question, name) for name in question.asked}
    return {"found": found} | fit.facts()


def _found(fit: MeasuredFit, question: Question, name: str) -> dict[str, Any]:
    """Samples and selected answers under one preference, as Protocol B measures them."""
    scoring, rows = fit.scoring, fit.scoring.rows
    told: dict[str, Any] = {
        "target": [scoring.classifier.classes[number] for number in scoring.target],
        "weights": None if question.dedicated else RewardWeights(**PREFERENCES[name]),
        "progress": False,
    }
    selecting = fit.preset.selection_settings() | {"samples": max(fit.preset.samples, question.count)}
    given: dict[str, Given] = {
        "raw": given_by(fit.explainer.sample(rows, samples=question.count, **told)),
        "selected": given_by(fit.explainer.explain(rows, count=question.count, **selecting, **told)),
    }
    return {way: {"metrics": scoring.metrics(scoring.answers(one, question.count))} for way, one in given.items()}


def line(result: Mapping[str, Any]) -> str:
    told = result["question"]
    figures = [
        f"{name}: log LOF {_text(of['raw']['metrics']['zscore']['lof'])}, "
        f"distance {_text(of['raw']['metrics']['zscore']['proximity_continuous'])}"
        for name, of in result["found"].items()
    ]
    asked = f"{told['dataset']} fit for {told['fit']}, seed {told['seed']}"
    return f"{asked}: {'; '.join(figures)} (fit {result['seconds']:.0f} s)"


def _text(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


STUDY = MeasuringStudy("preferences", chapter, answered, line)
