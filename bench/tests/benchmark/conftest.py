"""A method that needs no time, and cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.benchmark import methods
from counterflownet_bench.benchmark.cell import Cell
from counterflownet_bench.benchmark.presets import Preset


@dataclass
class Neighbour:
    """Answers with training rows of the class that is wanted, which break any rule; notes how often it is fitted."""

    preset: Preset
    fits: list[Task]
    train: pd.DataFrame = field(default_factory=pd.DataFrame)
    predicted: Any = ()
    classes: Sequence[Any] = ()

    training: dict[str, Any] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        return {"neighbour": self.preset.training.steps}

    def fit(self, task: Task) -> "Neighbour":
        self.fits.append(task)
        self.train, self.classes = task.train, task.classifier.classes
        self.predicted = task.classifier.probabilities(task.train).argmax(axis=1)
        return self

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:
        places = [np.flatnonzero(self.predicted == self.classes.index(target))[:count] for target in targets]
        found = self.train.take(np.concatenate(places)).reset_index(drop=True)
        row = np.repeat(np.arange(len(rows)), count)
        rank = np.tile(np.arange(1, count + 1), len(rows))
        return Given(counterfactuals=found, row=row, rank=rank, outcomes={"complete": len(rows)})


@pytest.fixture
def fits() -> list[Task]:
    """What the quick method was fitted on so far."""
    return []


@pytest.fixture
def register(monkeypatch) -> Callable[..., None]:
    """Puts methods into the catalogue for one test."""

    def registered(**made: Callable[[Preset], Any]) -> None:
        monkeypatch.setattr(methods, "METHODS", MappingProxyType({**methods.METHODS, **made}))

    return registered


@pytest.fixture
def quick(register, fits) -> str:
    """The name of the quick method."""
    register(neighbour=lambda preset: Neighbour(preset, fits))
    return "neighbour"


@pytest.fixture
def german() -> Callable[..., Cell]:
    """Cells of German Credit."""
    return lambda **changes: Cell(
        **{"protocol": "a", "dataset": "german_credit", "method": "counterflownet", "instances": 10} | changes
    )
