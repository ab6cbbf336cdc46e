"""What do answers look like? A few rows, drawn by the seed, with a few counterfactuals each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from counterflownet.errors import InvalidInputError, check_count
from counterflownet.seeds import numpy_generator
from counterflownet_bench.benchmark.provenance import rows_digest
from counterflownet_bench.benchmark.roles import reference_of
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.studies.examples_page import chapter
from counterflownet_bench.studies.measured_fit import FitQuestion, MeasuredFit
from counterflownet_bench.studies.study import Found, MeasuringStudy

DATASETS = ("adult_protocol_b", "give_me_some_credit")  # those of the paper
ROWS, ANSWERS = 2, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(FitQuestion):
    """One fit, asked about ``rows`` test rows of the class that nobody wants, for ``count`` answers each."""

    rows: int = ROWS
    count: int = ANSWERS

    def __post_init__(self) -> None:
        FitQuestion.__post_init__(self)
        check_count("rows", self.rows)

    def __str__(self) -> str:
        return f"{self.dataset}, {self.rows} rows, seed {self.seed}"


def questions(datasets: Sequence[str], **common: Any) -> tuple[Question, ...]:
    return tuple(Question(dataset=dataset, **common) for dataset in datasets)


def answered(question: Question, data: BenchmarkData) -> Found:
    chosen = data.X_test.iloc[drawn_rows(question, data)]
    preset = replace(question.settings(), diversity_over="changed")  # few answers, to be read by people
    fit = MeasuredFit.begin(question, data, preset)
    explanation = fit.explainer.explain(
        chosen,
        target=data.card.desirable,
        count=question.count,
        progress=False,
        **preset.selection_settings(),
    )
    found = {"examples": explanation.to_dict()["rows"]}
    return found | fit.facts() | {"rows_digest": rows_digest(chosen)}


def drawn_rows(question: Question, data: BenchmarkData) -> list[int]:
    """The first rows, in an order that follows from the seed alone, that are not predicted to be what is wanted."""
    classifier = reference_of(data, seed=question.seed).classifier
    wanted = classifier.classes.index(data.card.desirable)
    order = numpy_generator(question.seed, "examples").permutation(len(data.X_test))
    unwanted = order[classifier.predicted(data.X_test)[order] != wanted]
    if len(unwanted) < question.rows:
        raise InvalidInputError(
            f"only {len(unwanted)} test rows of {question.dataset} are predicted another class than "
            f"{data.card.desirable!r}; ask for fewer than {question.rows} rows."
        )
    return [int(row) for row in np.sort(unwanted[: question.rows])]


def line(result: Mapping[str, Any]) -> str:
    counts = [len(example["counterfactuals"]) for example in result["examples"]]
    told = result["question"]
    return f"{told['dataset']}: {' + '.join(map(str, counts))} answers (fit {result['seconds']:.0f} s)"


STUDY = MeasuringStudy("examples", chapter, answered, line)
