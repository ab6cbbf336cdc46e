"""A small space of codes, a reward that is quickly asked, and training runs on both."""

from collections.abc import Callable

import numpy as np
import pytest

from counterflownet._space import CodeSpace
from counterflownet.training.batches import FactualBatches
from counterflownet.training.loop import Training
from counterflownet.training.model import FlowModel
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import Judged, Trainer

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
        return FactualBatches(space=SMALL, codes=codes, size=size, **told)

    return made


def share_changed(_batch, states) -> Judged:
    """A reward that is the share of features that were changed, so that there is something to learn."""
    reward = states.edited.float().mean(dim=1)
    return Judged(4 * reward, reward, reward > 0.5)


@pytest.fixture
def judge() -> Callable[..., Judged]:
    return share_changed


@pytest.fixture
def training(batches) -> Callable[..., Training]:
    """A run that has not begun."""

    def made(judge=share_changed, seed: int = 0, fingerprint: str = "", **options) -> Training:
        settings = TrainingSettings(**{**SETTINGS, **options})
        trainer = Trainer(FlowModel(SMALL, 3, settings, seed), judge, settings)
        return Training(trainer, batches(size=settings.batch_rows), seed=seed, fingerprint=fingerprint)

    return made
