"""Must constraints be known in training? Masks at inference beside a flow that was trained under them.

Three ways to train. ``"set_1"`` and so on: under the constraints of that set in every step, and under no others, which
is what the paper calls retrained. ``"free"``: never under any constraint; asked under a set, it is the paper's masking
at inference. ``"random"``: as the library trains by itself, a share of the rows (``TrainingSettings.constrained``)
under random constraints, each row under its own, so that the policy has learned what to do when doors are closed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from counterflownet import TrainingSettings
from counterflownet.errors import InvalidInputError, check_one_of
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.datasets.card import ConstraintSet
from counterflownet_bench.datasets.catalogue import card_of
from counterflownet_bench.studies.constraints_measured import FREELY, RANDOMLY, SELECTIONS
from counterflownet_bench.studies.constraints_page import chapter
from counterflownet_bench.studies.measured_fit import FREE, FitQuestion, MeasuredFit
from counterflownet_bench.studies.study import Found, MeasuringStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(FitQuestion):
    """One fit, trained ``"free"``, ``"random"`` or under a set; the first two are asked under every set."""

    trained: str

    def __post_init__(self) -> None:
        FitQuestion.__post_init__(self)
        check_one_of("trained", self.trained, ways(self.dataset))

    def __str__(self) -> str:
        return f"{self.dataset}, trained {self.trained}, seed {self.seed}"


def ways(dataset: str) -> tuple[str, ...]:
    """How a flow can be trained for this data set."""
    own = card_of(dataset).constraint_sets
    if not own:
        raise InvalidInputError(f"the paper has no constraint sets for {dataset}; adult_protocol_b has three.")
    return (FREELY, RANDOMLY, *(rules.name for rules in own))


def questions(datasets: Sequence[str], seeds: Sequence[int], **common: Any) -> tuple[Question, ...]:
    """Every way to train; one seed after the other, so that a run that is stopped has something to compare."""
    return tuple(
        Question(dataset=dataset, seed=seed, trained=way, **common)
        for dataset in datasets
        for seed in seeds
        for way in ways(dataset)
    )


def answered(question: Question, data: BenchmarkData) -> Found:
    preset = question.settings()
    training = replace(preset.training, constrained=_share(question, preset.training))
    always = FREE if question.trained in {FREELY, RANDOMLY} else data.card.constraint_set(question.trained)
    fit = MeasuredFit.begin(question, data, replace(preset, training=training), always)
    sets = (FREE, *data.card.constraint_sets) if always == FREE else (always,)
    found = {rules.name: fit.found(question.count, rules, tuple(SELECTIONS)) for rules in sets}
    under = {rules.name: _told(rules) | {"found": found[rules.name]} for rules in sets}
    return {"under": under} | fit.facts()


def _share(question: Question, training: TrainingSettings) -> float:
    return training.constrained if question.trained == RANDOMLY else 0.0


def _told(rules: ConstraintSet) -> Found:
    return {"immutable": rules.immutable, "increasing": rules.increasing}


def line(result: Mapping[str, Any]) -> str:
    told = result["question"]
    shares = [
        f"{name} {entry['found']['raw']['metrics']['zscore']['validity']:.1%}"
        for name, entry in result["under"].items()
    ]
    broken = sum(
        sum(found["violations"].values()) for entry in result["under"].values() for found in entry["found"].values()
    )
    return (
        f"{told['dataset']} trained {told['trained']}, seed {told['seed']}: raw samples valid under {', '.join(shares)}"
        f"; {broken} answers break a constraint (fit {result['seconds']:.0f} s)"
    )


STUDY = MeasuringStudy("constraints", chapter, answered, line)
