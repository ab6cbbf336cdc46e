"""A run looks at every direction, on rows it does not learn from."""

import time
from dataclasses import replace

import numpy as np
import pytest
import torch

from counterflownet.errors import InvalidInputError
from counterflownet.training import loop
from counterflownet.training import watch as watch_module
from counterflownet.training.directions import Directions
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


def test_rows_are_missed_whose_sample_is_not_valid_and_only_of_weak_directions(watched_training) -> None:
    run = watched_training(row_count=900)

    def odd(batch, states) -> torch.Tensor:
        return batch.source[states.row] % 2 == 1

    watch = Watch(run.watch.directions, run.watch.batches, odd, run.watch.classes, seed=0)
    missed = watch.missed(run.trainer.model.policy, [False, True, False, False, True, False], turn=1)
    assert sorted(missed) == [1, 4]
    for number, rows in missed.items():
        learned = watch.directions.all[number].learned
        assert sorted(rows) == sorted(learned[learned % 2 == 0])


def test_spare_rows_are_looked_at_and_learned_from_where_they_are_missed(watched_training) -> None:
    watch = watched_training(row_count=900).watch
    way = watch.directions.all[2]
    half = len(way.learned) // 2
    spare = replace(way, learned=way.learned[:half], spare=way.learned[half:])
    ways = tuple(spare if number == 2 else one for number, one in enumerate(watch.directions))
    never = replace(
        watch,
        directions=Directions(ways, watch.directions.learned),
        valid_of=lambda _, states: torch.zeros(len(states)) > 0,
    )
    policy = watched_training(row_count=900).trainer.model.policy
    missed = never.missed(policy, [number == 2 for number in range(len(ways))], turn=0)
    assert sorted(missed[2].tolist()) == sorted(way.learned.tolist())
    assert not np.isin(never.batches.order(0).source, spare.spare).all()
    chosen = never.leaning({2: spare.spare}, 24).order(0)
    assert np.isin(chosen.source, spare.spare).sum() >= 12


def test_of_many_rows_others_are_looked_at_each_turn(watched_training, monkeypatch) -> None:
    monkeypatch.setattr(watch_module, "MOST_LOOKED", 20)
    monkeypatch.setattr(watch_module, "LOOKED_AT_ONCE", 7)
    run = watched_training(row_count=900)
    never = Watch(
        run.watch.directions, run.watch.batches, lambda _, states: torch.zeros(len(states)) > 0, "abc", seed=0
    )
    turns = [never.missed(run.trainer.model.policy, [True] + [False] * 5, turn)[0] for turn in range(2)]
    assert [len(set(rows.tolist())) for rows in turns] == [20, 20]
    assert not set(turns[0].tolist()) & set(turns[1].tolist())


def test_half_of_a_batch_leans_towards_missed_rows(watched_training) -> None:
    watch = watched_training(row_count=900).watch
    way = watch.directions.all[2]
    few = way.learned[:5]
    chosen = watch.leaning({2: few, 3: way.learned[:0]}, 24).order(7)
    missed = np.isin(chosen.source, few) & (chosen.target == way.target)
    assert 12 <= missed.sum() <= 14  # a row may come among all rows as well
    assert len(np.unique(np.stack(chosen)[:, ~missed][1])) == 3  # the other half is of every direction


def test_without_missed_rows_batches_are_as_they_were(watched_training) -> None:
    watch = watched_training(row_count=900).watch
    leaning = watch.leaning({}, watch.batches.order.size).order
    for one, other in zip(leaning(3), watch.batches.order(3), strict=True):
        assert (one == other).all()


def test_rows_that_a_direction_does_not_have_cannot_be_missed(watched_training) -> None:
    watch = watched_training(row_count=900).watch
    foreign = watch.directions.all[2].learned[:3]
    with pytest.raises(InvalidInputError, match="only have missed rows that it is learned from"):
        watch.leaning({0: foreign}, 24)


@pytest.mark.filterwarnings("ignore::counterflownet.errors.WeakDirectionWarning")
def test_each_round_of_a_repair_looks_for_what_is_missed_when_it_begins(watched_training, monkeypatch) -> None:
    run, looked_at = watched_training(steps=16, window=4, repair=1.0), []
    missed = Watch.missed

    def noted(watch, policy, weak, turn):
        looked_at.append((run.step, turn))
        return missed(watch, policy, weak, turn)

    monkeypatch.setattr(Watch, "missed", noted)
    run.run(progress=False)
    assert looked_at == [(check.step, turn) for turn, check in enumerate(run.history.checks[:-1], start=1)]
    assert len(looked_at) > 1
