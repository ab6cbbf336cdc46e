"""The same seed gives the same result, whatever the number of threads does to the order of sums."""

from collections.abc import Iterator

import pytest
import torch

from counterflownet.training.loop import TrainingRun
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import Trainer
from made_trainer import made_model


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_two_threads_give_the_same_weights_every_time(space, batches, judge) -> None:
    settings = TrainingSettings(steps=2, passes=1, batch_rows=512, patience=None)
    weights = []
    for _ in range(2):
        model = made_model(space, 3, settings, seed=0)
        some = batches(row_count=600, size=512, constrained=0.5)
        TrainingRun(Trainer(model, judge, settings.balance()), some, settings, seed=0).run()
        weights.append(torch.cat([part.detach().flatten() for part in model.parameters()]))
    assert torch.equal(*weights)
