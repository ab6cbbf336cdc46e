"""A small space of codes, a reward that is quickly asked, and training runs on both."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from counterflownet._space import CodeSpace
from counterflownet.training.batches import FactualBatches
from counterflownet.training.checkpoint import Origin
from counterflownet.training.directions import Directions
from counterflownet.training.loop import TrainingRun
from counterflownet.training.order import DirectionOrder, TableOrder
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import StateRewards
from counterflownet.training.watch import Watch
from made_trainer import made_trainer

SMALL = CodeSpace((3, 4, 2))
SETTINGS = {"steps": 12, "window": 4, "batch_rows": 16, "passes": 2, "width": 16, "patience": None}


@pytest.fixture
def space() -> CodeSpace:
    return SMALL


@pytest.fixture
def batches() -> Callable[..., FactualBatches]:
    """Batches of some rows; three classes."""

    def made(row_count: int = 20, size: int = 16, **options) -> FactualBatches:
        draw = np.random.default_rng(0)
        codes = np.stack([draw.integers(0, count, row_count) for count in SMALL.code_counts], axis=1)
        told = {"predicted": draw.integers(0, 3, row_count), "class_count": 3, "seed": 0, **options}
        rows, seed = np.arange(row_count), told.pop("seed")
        order = TableOrder(rows, told.pop("predicted"), told.pop("class_count"), size, seed)
        return FactualBatches(space=SMALL, codes=codes, order=order, seed=seed, **told)

    return made


def share_changed(_batch, states) -> StateRewards:
    """A reward that is the share of features that were changed, so that there is something to learn."""
    reward = states.edited.float().mean(dim=1)
    return StateRewards(4 * reward, reward, reward > 0.5)


@pytest.fixture
def judge() -> Callable[..., StateRewards]:
    return share_changed


@pytest.fixture
def training(batches) -> Callable[..., TrainingRun]:
    """A run that has not begun."""

    def made(judge=share_changed, seed: int = 0, origin: Origin | None = None, **options) -> TrainingRun:
        settings = TrainingSettings(**{**SETTINGS, **options})
        trainer = made_trainer(SMALL, 3, settings, judge, seed)
        told = {"seed": seed, "origin": origin or Origin()}
        return TrainingRun(trainer, batches(size=settings.batch_rows), settings, **told)

    return made


def reaches_target(batch, states) -> torch.Tensor:
    """A classifier that reads the class off the first feature."""
    return states.codes[:, 0] == batch.questions.target[states.row]


def rewarded_at_target(batch, states) -> StateRewards:
    valid = reaches_target(batch, states)
    reward = 0.1 + 0.9 * valid.float()
    return StateRewards(8 * reward.log(), reward, valid)


@pytest.fixture
def watched_training(batches) -> Callable[..., TrainingRun]:
    """A run that looks at its directions, of which there are six; its rows have the class of their first feature."""

    def made(judge=rewarded_at_target, seed: int = 0, row_count: int = 60, **options) -> TrainingRun:
        settings = TrainingSettings(**{**SETTINGS, **options})
        plain = batches(row_count)
        directions = Directions.of(plain.codes[:, 0], 3, seed)
        balanced = replace(plain, order=DirectionOrder(directions, settings.batch_rows, seed))
        watch = Watch(directions, balanced, reaches_target, ["a", "b", "c"], seed=seed)
        return TrainingRun(made_trainer(SMALL, 3, settings, judge, seed), balanced, settings, seed=seed, watch=watch)

    return made
