"""A run looks at every direction, on rows it does not learn from."""

import time

import pytest
import torch

from counterflownet.training import loop
from counterflownet.training.watch import Watch


def test_every_direction_is_told_with_its_labels_rows_and_samples(watched_training) -> None:
    found = watched_training(row_count=900).run(progress=False).directions
    assert [(one.predicted, one.target) for one in found] == [(a, b) for a in "abc" for b in "abc" if a != b]
    assert all((one.samples, one.held_out) == (333, True) for one in found)
    assert all(10 <= one.rows <= 20 for one in found)


def test_rows_of_a_small_table_are_measured_although_they_are_learned_from(watched_training) -> None:
    found = watched_training(row_count=60).run(progress=False).directions
    assert all(not one.held_out for one in found)
    assert sum(one.rows for one in found) == 2 * 60


def test_validity_is_the_share_of_samples_that_are_in_the_target_class(watched_training) -> None:
    run = watched_training(row_count=900)
    random = run.watch(run.trainer.model.policy)
    assert all(0.05 < one.validity < 0.6 for one in random)  # the first feature is changed or not

    def half(batch, states) -> torch.Tensor:
        assert (states.row == torch.arange(333)).all()  # one end for each trajectory
        return torch.arange(len(states)) < 111

    told = Watch(run.watch.directions, run.watch.batches, half, run.watch.classes, seed=0)(run.trainer.model.policy)
    assert [one.validity for one in told] == pytest.approx([1 / 3] * 6)


def test_looking_again_finds_the_same_and_learning_more_finds_more(watched_training) -> None:
    run = watched_training(row_count=900, steps=60, learning_rate=0.02)
    before = run.watch(run.trainer.model.policy)
    assert run.watch(run.trainer.model.policy) == before
    after = run.run(progress=False).directions
    assert all(one.validity > other.validity for one, other in zip(after, before, strict=True))


def test_looking_changes_nothing_in_what_is_learned(watched_training) -> None:
    looked, blind = watched_training(), watched_training()
    blind.watch = None
    looked.run(progress=False)
    blind.run(progress=False)
    assert looked.history.rewards() == blind.history.rewards()
    assert blind.history.directions == ()


def test_a_run_looks_now_and_then_and_at_its_end(watched_training, monkeypatch) -> None:
    monkeypatch.setattr(loop, "CHECK_EVERY", 8)
    history = watched_training(steps=22, window=4).run(progress=False)
    assert [check.step for check in history.checks] == [8, 16, 22]
    assert history.directions == history.checks[-1].directions


@pytest.mark.parametrize("steps", [16, 17])
def test_a_run_looks_once_at_the_same_step(watched_training, monkeypatch, steps) -> None:
    monkeypatch.setattr(loop, "CHECK_EVERY", 4)
    history = watched_training(steps=steps, window=8).run(progress=False)
    assert [check.step for check in history.checks] == [8, 16, 17][: steps - 14]


def test_the_time_it_takes_to_look_counts(watched_training, monkeypatch) -> None:
    run = watched_training(steps=4)
    measure = Watch._measured

    def slow(watch, policy, number, way):
        time.sleep(0.01)
        return measure(watch, policy, number, way)

    monkeypatch.setattr(Watch, "_measured", slow)
    run.run(progress=False)
    assert run.seconds >= run.history.moments[-1].seconds + 6 * 0.01
