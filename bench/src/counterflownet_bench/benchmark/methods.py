"""Every method that can be measured, by its name."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import pandas as pd

from counterflownet import Classifier, Constraint, CounterFlowNet, Explanation, Schema
from counterflownet.errors import unknown_name
from counterflownet_bench.as_published.method import AsPublished
from counterflownet_bench.baselines.cchvae import Cchvae
from counterflownet_bench.baselines.copa import Copa
from counterflownet_bench.baselines.dice import DiceMethod
from counterflownet_bench.baselines.dicoflex import DiCoFlex, DiCoFlexTraining
from counterflownet_bench.baselines.face import Face
from counterflownet_bench.baselines.growing_spheres import GrowingSpheres
from counterflownet_bench.baselines.l2c import L2C
from counterflownet_bench.baselines.mcce import Mcce
from counterflownet_bench.baselines.method import Given, Method, Task
from counterflownet_bench.baselines.nearest_unlike import NearestUnlike
from counterflownet_bench.baselines.nice import Nice
from counterflownet_bench.baselines.ppcef import Ppcef
from counterflownet_bench.baselines.random_search import RandomSearch
from counterflownet_bench.baselines.revise import Revise
from counterflownet_bench.baselines.wachter import Wachter
from counterflownet_bench.benchmark.presets import Preset, library_defaults
from counterflownet_bench.benchmark.provenance import code_digests, digest_of
from counterflownet_bench.benchmark.roles import recipe_of
from counterflownet_bench.datasets.catalogue import card_of
from counterflownet_bench.references.reference import LogisticSettings


@dataclass(frozen=True, slots=True)
class CounterFlowNetMethod:
    """Our own method under a preset."""

    preset: Preset

    def settings(self) -> dict[str, Any]:
        return self.preset.to_json()

    def fit(self, task: Task) -> "FittedCounterFlowNet":
        explainer = fitted_explainer(self.preset, task.classifier, task.schema, task.train, seed=task.seed)
        return FittedCounterFlowNet(explainer, task.constraints, self.preset)


def fitted_explainer(
    preset: Preset,
    classifier: Classifier,
    schema: Schema,
    train: pd.DataFrame,
    *,
    seed: int,
    constraints: Sequence[Constraint] = (),
) -> CounterFlowNet:
    """An explainer that was trained as the preset says; ``constraints`` hold in every step of it."""
    explainer = CounterFlowNet(
        classifier,
        schema=schema,
        weights=preset.weights,
        reward=preset.reward,
        training=preset.training,
        seed=seed,
    )
    return explainer.fit(train, constraints=constraints, minutes=preset.minutes, progress=False)


@dataclass(frozen=True, slots=True, eq=False)
class FittedCounterFlowNet:
    """An explainer, the protocol's constraints, and the preset, which says how answers are selected."""

    explainer: CounterFlowNet
    constraints: Sequence[Constraint]
    preset: Preset

    @property
    def training(self) -> Mapping[str, Any]:
        history = self.explainer.history
        last = history.moments[-1]
        return {"steps": last.step, "minutes": last.seconds / 60, "ended": history.ended, "reward": last.reward}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:
        asked: dict[str, Any] = {"target": list(targets), "constraints": self.constraints, "progress": False}
        if selection == "raw":
            found = self.explainer.sample(rows, samples=count, **asked)
        else:
            found = self.explainer.explain(
                rows,
                count=count,
                minimal=selection == "minimal",
                **self.preset.selection_settings() | {"samples": max(self.preset.samples, count)},
                **asked,
            )
        return given_by(found)


def given_by(found: Explanation) -> Given:
    """An explanation as every method gives its answers."""
    outcomes = Counter(outcome.outcome.name.lower() for outcome in found.outcomes)
    return Given(counterfactuals=found.counterfactuals, row=found.row, rank=found.rank, outcomes=outcomes)


def _as_published(preset: Preset) -> AsPublished | None:
    """The paper's method, if the preset is a reading of the paper."""
    if preset.reading is None:
        return None
    return AsPublished(
        weights=preset.weights, reward=preset.reward, reading=preset.reading, steps=preset.training.steps
    )


OURS = "counterflownet"
# All pairs of the published code, and its patience; many times the work of the pairs that "dicoflex" learns from.
PUBLISHED_PAIRS = DiCoFlexTraining(epochs=10_000, groups=256, pairs=32, patience=50)
EVERY_ROW = 10**9
METHODS: Mapping[str, Callable[[Preset], Method]] = MappingProxyType(
    {
        OURS: lambda preset: _as_published(preset) or CounterFlowNetMethod(preset),
        "l2c": lambda _: L2C(),
        "dice-random": lambda _: DiceMethod("random"),
        "dice-genetic": lambda _: DiceMethod("genetic"),
        # As they are, and with dice-ml's search for fewer changes. Never by halving, which leaves answers invalid.
        "dice-kdtree": lambda _: DiceMethod("kdtree", sparsity_search="none"),
        "dice-kdtree-searched": lambda _: DiceMethod("kdtree", seconds_per_row=60.0),
        "copa": lambda _: Copa(),
        "mcce": lambda _: Mcce(),
        # No shell beyond 500 held anything valid where it was looked, and a row without an answer costs half a minute.
        "cchvae": lambda _: Cchvae(most_rounds=500),
        # Until its patience is at an end: on most tables the first hundred epochs are not enough.
        "dicoflex": lambda _: DiCoFlex(training=DiCoFlexTraining(epochs=1_000)),
        "dicoflex-published": lambda _: DiCoFlex(norms=(0.01, 2.0), factuals=EVERY_ROW, training=PUBLISHED_PAIRS),
        "wachter": lambda _: Wachter(),
        "face": lambda _: Face(),
        "revise": lambda _: Revise(),
        "nice": lambda _: Nice(),
        "growing-spheres": lambda _: GrowingSpheres(),
        "ppcef": lambda _: Ppcef(),
        "nearest-unlike": lambda _: NearestUnlike(),
        "random-search": lambda _: RandomSearch(),
    }
)


@cache
def method_digests() -> Mapping[str, str]:
    """For each method but ours a checksum of the code that decides its results."""
    anything = library_defaults()
    return {name: digest_of(type(make(anything)).__module__) for name, make in METHODS.items() if name != OURS}


def all_digests() -> Mapping[str, str]:
    """Checksums of the code that decides results, by part and by method."""
    return {**code_digests(), **method_digests()}


LINEAR_ONLY = frozenset({"copa"})
ENDLESS: frozenset[str] = frozenset({"credit_default"})  # bench/results/dice_search.jsonl


def refusal(method: str, dataset: str) -> str | None:
    """Why a method does not claim to explain a data set's classifier; None if it does."""
    if method in LINEAR_ONLY and not isinstance(recipe_of(card_of(dataset)), LogisticSettings):
        return "it explains linear classifiers only, and this one is a network"
    if method == "dice-kdtree-searched" and dataset in ENDLESS:
        return "its search does not end within a minute for a row (bench/scripts/dice_search.py)"
    return None


def check_method(name: str) -> None:
    """An error that lists the names, unless this is one."""
    if name not in METHODS:
        raise unknown_name("method", name, METHODS)


def method_of(name: str, preset: Preset) -> Method:
    """The method of that name under a preset."""
    check_method(name)
    return METHODS[name](preset)
