"""Every method that can be measured, behind one small Protocol."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.benchmark.presets import Preset, Selection
from counterflownet.datasets import DatasetCard
from counterflownet.errors import unknown_name
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.protocols import Classifier
from counterflownet.tabular.constraint import Constraint
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Task:
    """What a method may know: training rows without labels, the classifier, columns, constraints and the seed."""

    card: DatasetCard
    train: pd.DataFrame
    classifier: Classifier
    schema: Schema
    constraints: Sequence[Constraint]
    seed: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Given:
    """What a method answers: rows, the position of each one's factual, its rank from 1, and how many rows went how."""

    counterfactuals: pd.DataFrame
    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    outcomes: Mapping[str, int]


class FittedMethod(Protocol):
    """A method that is ready to answer."""

    @property
    def training(self) -> Mapping[str, Any]:
        """How the fit went, as far as there is something to tell: steps, minutes, why it ended."""
        ...

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: Selection) -> Given:
        """At most ``count`` counterfactuals of each row; a place without an answer is left out, never filled."""
        ...


class Method(Protocol):
    """What our method and every other one have in common, and all that the benchmark uses."""

    def settings(self) -> dict[str, Any]:
        """Everything that decides the answers but data and seed, as JSON knows it."""
        ...

    def fit(self, task: Task) -> FittedMethod:
        """The method after whatever it does before the first question."""
        ...


@dataclass(frozen=True, slots=True)
class CounterFlowNetMethod:
    """Our own method under a preset."""

    preset: Preset

    def settings(self) -> dict[str, Any]:
        return self.preset.to_json()

    def fit(self, task: Task) -> "FittedCounterFlowNet":
        explainer = CounterFlowNet(
            task.classifier,
            schema=task.schema,
            weights=self.preset.weights,
            reward=self.preset.reward,
            training=self.preset.training,
            seed=task.seed,
        ).fit(task.train, minutes=self.preset.minutes, progress=False)
        return FittedCounterFlowNet(explainer, task.constraints, self.preset)


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

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: Selection) -> Given:
        asked: dict[str, Any] = {"target": list(targets), "constraints": self.constraints, "progress": False}
        if selection == "raw":
            found = self.explainer.sample(rows, samples=count, **asked)
        else:
            found = self.explainer.explain(
                rows,
                count=count,
                samples=max(self.preset.samples, count),
                diversity=self.preset.diversity,
                minimal=selection == "minimal",
                **asked,
            )
        outcomes = Counter(outcome.outcome.name.lower() for outcome in found.outcomes)
        return Given(counterfactuals=found.counterfactuals, row=found.row, rank=found.rank, outcomes=outcomes)


OURS = "counterflownet"
METHODS: Mapping[str, Callable[[Preset], Method]] = MappingProxyType({OURS: CounterFlowNetMethod})


def check_method(name: str) -> None:
    """An error that lists the names, unless this is one."""
    if name not in METHODS:
        raise unknown_name("method", name, METHODS)


def method_of(name: str, preset: Preset) -> Method:
    """The method of that name under a preset."""
    check_method(name)
    return METHODS[name](preset)
