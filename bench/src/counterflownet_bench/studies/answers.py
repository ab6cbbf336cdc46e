"""How good are the answers that users see? Judged by exhaustive search on decoded rows, without the library's help."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterflownet import __version__
from counterflownet.errors import check_count, check_one_of, check_positive
from counterflownet_bench.benchmark.provenance import rows_digest
from counterflownet_bench.datasets.folder import DATA_VARIABLE
from counterflownet_bench.studies.answers_asked import FitSettings, fitted
from counterflownet_bench.studies.answers_classifiers import CLASSIFIERS
from counterflownet_bench.studies.answers_measured import measured
from counterflownet_bench.studies.answers_page import chapter
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_tables import (
    BREAST_CANCER,
    PARTS,
    REALISTIC,
    AnswersTable,
    PartName,
    breast_cancer,
    table_from,
)
from counterflownet_bench.studies.study import Found, MeasuringStudy

BUNDLED = ("german_credit", BREAST_CANCER)
DATASETS = (
    "german_credit",
    "adult_protocol_b",
    "bank_marketing",
    "credit_default",
    "give_me_some_credit",
    BREAST_CANCER,
)
USUAL: Mapping[str, tuple[str, ...]] = {
    BREAST_CANCER: ("linear",),
    "credit_default": ("network", "boosted_trees"),
}  # where there are fewer than all classifiers
ROWS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One explainer of one classifier, asked about some rows with or without constraints."""

    dataset: str
    classifier: str
    constrained: bool = False
    seed: int = 0
    part: PartName = "test"
    rows: int = ROWS
    minutes: float | None = None

    def __post_init__(self) -> None:
        check_one_of("dataset", self.dataset, DATASETS)
        check_one_of("classifier", self.classifier, tuple(CLASSIFIERS))
        check_one_of("part", self.part, PARTS)
        check_count("rows", self.rows)
        if self.constrained:
            check_one_of("dataset", self.dataset, tuple(REALISTIC))
        if self.minutes is not None:
            check_positive("minutes", self.minutes, "Leave it out for no time limit.")

    def __str__(self) -> str:
        return f"{self.dataset}, {self.classifier}{', constrained' if self.constrained else ''}, seed {self.seed}"

    def rules(self) -> Rules:
        return REALISTIC[self.dataset] if self.constrained else Rules()

    def fit_settings(self, table: AnswersTable) -> FitSettings:
        return FitSettings(
            dataset=self.dataset,
            train_count=len(table.train.X),
            classifier=self.classifier,
            seed=self.seed,
            part=self.part,
            minutes=self.minutes,
            table=table,
        )


def usual_datasets(data: str | Path | None = None) -> tuple[str, ...]:
    """All of them where there is a folder with data sets, else those that need none."""
    return DATASETS if data or os.environ.get(DATA_VARIABLE) else BUNDLED


def questions(
    datasets: Sequence[str], classifiers: Sequence[str] | None, seeds: Sequence[int], **common: Any
) -> tuple[Question, ...]:
    """Every combination, free and, where there are realistic constraints, under them; fits of a seed together."""
    return tuple(
        Question(dataset=dataset, classifier=classifier, constrained=constrained, seed=seed, **common)
        for dataset in datasets
        for seed in seeds
        for classifier in classifiers or USUAL.get(dataset, tuple(CLASSIFIERS))
        for constrained in ((False, True) if dataset in REALISTIC else (False,))
    )


def answered(question: Question, table: AnswersTable) -> Found:
    fit = fitted(question.fit_settings(table))
    rows = fit.rows(question.rows, question.seed)
    found = measured(fit, rows, question.rules(), question.seed)
    found["seconds"]["fit"] = fit.seconds
    return found | {"rows_digest": rows_digest(rows), "accuracy": fit.accuracy, "version": __version__}


def line(result: Mapping[str, Any]) -> str:
    told, found = result["question"], result["figures"]
    shares = ((name, found[name]) for name in ("loose", "dominated", "four_shown", "found", "regret"))
    text = ", ".join(f"{name} {'n/a' if value is None else f'{value:.1%}'}" for name, value in shares)
    rules = " constrained" if told["constrained"] else ""
    return f"{told['dataset']} {told['classifier']}{rules} seed {told['seed']}, {result['rows']} rows: {text}"


@dataclass(frozen=True, slots=True)
class AnswersStudy(MeasuringStudy):
    """A study that also asks about a table of scikit-learn's."""

    def loaded(self, question: Any, data: str | Path | None) -> Any:
        if question.dataset == BREAST_CANCER:
            return breast_cancer()
        return table_from(MeasuringStudy.loaded(self, question, data))


STUDY = AnswersStudy("answers", chapter, answered, line)
