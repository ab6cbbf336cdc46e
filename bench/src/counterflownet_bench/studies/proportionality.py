"""Are samples proportional to the reward? Each objective after several lengths of training, beside the exact answer."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal, get_args

import numpy as np

from counterflownet import OBJECTIVES, CounterFlowNet, TrainingSettings, __version__
from counterflownet.errors import check_count, check_one_of
from counterflownet.seeds import numpy_generator
from counterflownet_bench.benchmark.presets import preset_of
from counterflownet_bench.benchmark.provenance import rows_digest
from counterflownet_bench.benchmark.roles import constraints_of, reference_of, schema_of
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.datasets.catalogue import card_of
from counterflownet_bench.studies.proportionality_page import chapter
from counterflownet_bench.studies.study import MeasuringStudy

MEASURES = ("effective_share", "spread", "rank_correlation", "total_variation", "noise_floor")
CORRECTED = ("sampled_variation", "corrected_variation")
ConstraintChoice = Literal["protocol", "none"]
CONSTRAINTS: tuple[ConstraintChoice, ...] = get_args(ConstraintChoice)
RewardPreset = Literal["paper", "default", "tuned"]
REWARDS: tuple[RewardPreset, ...] = get_args(RewardPreset)
WIDTH = TrainingSettings().width
POOL = 20  # of so many times the samples the corrected ones are drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One run: a data set, an objective, how many steps it trains, and how wide a network.

    Steps, not minutes: what the machine does beside it must not decide the result. Its processor time is measured.
    """

    dataset: str
    objective: str
    steps: int
    width: int = WIDTH
    constraints: ConstraintChoice = "protocol"
    seed: int = 0
    rows: int = 10
    samples: int = 1_000
    reward: RewardPreset = "tuned"

    def __post_init__(self) -> None:
        card_of(self.dataset)
        check_one_of("objective", self.objective, OBJECTIVES)
        check_one_of("constraints", self.constraints, CONSTRAINTS)
        for name in ("steps", "width", "rows", "samples"):
            check_count(name, getattr(self, name))

    def __str__(self) -> str:
        return f"{self.dataset}, {self.objective}, {self.steps} steps, seed {self.seed}"


def questions(
    datasets: Sequence[str],
    seeds: Sequence[int],
    objectives: Sequence[str],
    steps: Sequence[int],
    **common: Any,
) -> tuple[Question, ...]:
    """Every combination; one seed after the other, so that a run that is stopped has something to compare."""
    return tuple(
        Question(dataset=dataset, seed=seed, objective=objective, steps=limit, **common)
        for dataset, seed, objective, limit in product(datasets, seeds, objectives, steps)
    )


def answered(question: Question, data: BenchmarkData) -> dict[str, Any]:
    """Train as long as the question says, then diagnose.

    On rows of the training table: settings are chosen by this study, and none may be chosen by test rows.
    """
    preset = preset_of(question.reward, data.card.protocol, question.dataset)
    reference = reference_of(data, seed=question.seed)
    changes: dict[str, Any] = {"objective": question.objective, "steps": question.steps, "width": question.width}
    training = replace(preset.training, patience=None, **changes)
    begun = time.process_time()
    explainer = CounterFlowNet(
        reference.classifier,
        schema=schema_of(data.card, data.X_train, preset.bins),
        weights=preset.weights,
        reward=preset.reward,
        training=training,
        seed=question.seed,
    ).fit(data.X_train, progress=False)
    seconds = time.process_time() - begun
    order = numpy_generator(question.seed, "study rows").permutation(len(data.X_train))[: question.rows]
    rows = data.X_train.iloc[np.sort(order)]
    rules = constraints_of(data.card) if question.constraints == "protocol" else []
    found = explainer.diagnose(rows, samples=question.samples, pool=POOL * question.samples, constraints=rules)
    last = explainer.history.moments[-1]
    return {
        "rows": len(found.rows),
        "rows_digest": rows_digest(rows),
        "countable": int(found.rows["total_variation"].notna().sum()),
        "medians": {name: found.rows[name].median() for name in (*MEASURES, *CORRECTED)},
        "reward": last.reward,
        "validity": last.validity,
        "processor_seconds": seconds,
        "version": __version__,
    }


def line(result: Mapping[str, Any]) -> str:
    told, found = result["question"], result["medians"]
    share, distance = found["effective_share"], found["total_variation"]
    exact = "" if distance is None else f", total variation {distance:.3f} (floor {found['noise_floor']:.3f})"
    figures = f"effective samples {share:.1%}{exact}"
    return f"{told['dataset']} {told['objective']} {told['steps']} steps, seed {told['seed']}: {figures}"


STUDY = MeasuringStudy("proportionality", chapter, answered, line)
