"""How a run spends its time: rates by steps or by the clock, and other numbers to draw from in every step."""

from collections.abc import Callable
from contextlib import contextmanager

import numpy as np
import pytest
import torch

from counterflownet.training.loop import TrainingRun
from counterflownet.training.repair import Repair
from counterflownet.training.step import Trainer

Seen = list[tuple[float, np.ndarray]]


class Enough(Exception):  # noqa: N818 - no error: what was to be seen was seen
    pass


@pytest.fixture
def first_steps(monkeypatch) -> Callable[..., Seen]:
    """What the first steps of a run explore with, and the keys they draw by."""

    def of(run: TrainingRun, count: int, **limits: float) -> Seen:
        seen: Seen = []
        collect = Trainer.collect

        def watched(trainer, batch, keys, exploration, **how):
            if len(seen) == count:
                raise Enough
            seen.append((exploration, keys.copy()))
            return collect(trainer, batch, keys, exploration, **how)

        monkeypatch.setattr(Trainer, "collect", watched)
        with pytest.raises(Enough):
            run.run(progress=False, **limits)
        monkeypatch.setattr(Trainer, "collect", collect)
        return seen

    return of


@pytest.mark.parametrize(("seconds", "left"), [(0.0, 1.0), (5.0, 1.0), (7.0, 53 / 60), (30.0, 0.5), (50.0, 1 / 6)])
def test_the_clock_decides_only_where_it_runs_well_ahead_of_the_steps(training, first_steps, seconds, left) -> None:
    run = training(steps=1_000, exploration=1.0)
    run.seconds = seconds  # as if this much of the minute were over
    ((exploration, _),) = first_steps(run, 1, minutes=1.0)
    assert exploration == pytest.approx(left, abs=1e-6)


def test_a_minute_has_sixty_seconds(training) -> None:
    ends = {}
    for seconds in (0.0, 60.5):
        run = training(steps=2)
        run.seconds = seconds
        ends[seconds] = run.run(minutes=1.0, progress=False).ended
    assert ends == {0.0: "step limit", 60.5: "time limit"}


def test_every_step_and_every_seed_draws_by_keys_of_its_own(training, first_steps) -> None:
    keys = [keys for seed in (0, 1) for _, keys in first_steps(training(seed=seed, steps=9), 4)]
    assert len(np.unique(np.concatenate(keys))) == 8 * len(keys[0])


def test_one_step_at_the_usual_rate_moves_no_weight_far(training) -> None:
    run = training(steps=1, passes=1)
    before = torch.nn.utils.parameters_to_vector(run.trainer.model.parameters()).detach().clone()
    run.run(progress=False)
    moved = torch.nn.utils.parameters_to_vector(run.trainer.model.parameters()) - before
    assert 0 < moved.abs().max() < 0.02


def test_no_time_is_spent_before_the_first_step(training) -> None:
    run = training(steps=1)
    assert (run.step, run.seconds, len(run.history.moments)) == (0, 0.0, 0)


def test_the_residual_that_is_told_is_the_mean_size_of_all(training, batches) -> None:
    trainer = training().trainer
    seen = trainer.collect(batches()(0), np.arange(16, dtype=np.uint64), 0.5)
    with torch.no_grad():
        residual = trainer.objective.imbalance(trainer.model, seen.passage).residual
    assert trainer.loss(seen).residual == pytest.approx(residual.abs().mean().item())
    assert residual.abs().mean() > 0


def test_progress_shows_each_step_when_it_is_made_and_how_much_of_the_run_is_over(training, monkeypatch) -> None:
    shown: list[tuple[float, int]] = []

    @contextmanager
    def watched(**_: object):
        yield lambda fraction, moment, **_: shown.append((fraction, moment.step))

    monkeypatch.setattr("counterflownet.training.loop.training_progress", watched)
    training(steps=9, window=4).run()
    assert shown == [(pytest.approx(step / 9), step) for step in range(1, 10)]


def test_the_share_of_a_repair_that_is_over_counts_from_where_it_began() -> None:
    repair = Repair(began=16, length=4, limit=32)
    assert [repair.share(step) for step in (16, 20, 32)] == [0.0, 0.25, 1.0]
