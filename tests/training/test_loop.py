"""Limits, rates, progress, and runs that are stopped and gone on with."""

import time
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

from counterflownet.errors import SavedFileError
from counterflownet.files import read_tensors, write_tensors
from counterflownet.training.checkpoint import KIND, VERSION, Origin, load_checkpoint
from counterflownet.training.loop import TrainingRun
from counterflownet.training.step import StateRewards, Trainer

OBJECTIVES = ["trajectory", "detailed", "subtrajectory", "stateflow"]


class Interrupted(Exception):  # noqa: N818 - no error: somebody pulled the plug
    pass


def stopping(judge, at: int):
    """A judge that fails when asked for the ``at``-th time."""
    asked = 0

    def judged(batch, states) -> StateRewards:
        nonlocal asked
        asked += 1
        if asked == at:
            raise Interrupted
        return judge(batch, states)

    return judged


def flat(_batch, states) -> StateRewards:
    half = torch.full((len(states),), 0.5)
    return StateRewards(half, half, half > 1)


def numbers(run: TrainingRun) -> list[dict[str, float]]:
    """Everything in the history but the time, which no two runs share."""
    return [{**asdict(moment), "seconds": 0.0} for moment in run.history.moments]


def assert_same(one: TrainingRun, other: TrainingRun) -> None:
    """Bit for bit the same networks, and the same history."""
    left, right = one.trainer.model.state_dict(), other.trainer.model.state_dict()
    assert left.keys() == right.keys()
    assert all(torch.equal(left[name], right[name]) for name in left)
    assert numbers(one) == numbers(other)
    assert one.history.ended == other.history.ended


def test_training_ends_at_the_step_limit(training) -> None:
    history = training(steps=10, window=4).run()
    assert history.ended == "step limit"
    assert history.to_frame()["step"].tolist() == [4, 8, 10]


def test_training_ends_at_the_time_limit_after_at_least_one_step(training) -> None:
    history = training(steps=1000).run(minutes=1e-9)
    assert history.ended == "time limit"
    assert history.to_frame()["step"].tolist() == [1]


def test_a_time_limit_that_is_not_reached_changes_nothing(training) -> None:
    limited, free = training(), training()
    limited.seconds = 0.05 * 60 * 60.0  # preparation took a part of the time, as in a fit
    limited.run(minutes=60.0)
    free.run()
    assert limited.history.rewards() == free.history.rewards()
    assert all(
        torch.equal(one, other)
        for one, other in zip(limited.trainer.model.parameters(), free.trainer.model.parameters(), strict=True)
    )


def test_a_time_limit_that_is_not_reached_changes_the_end_only(training) -> None:
    assert training(steps=5).run(minutes=60.0).ended == "step limit"


def test_training_ends_on_a_plateau(training) -> None:
    history = training(flat, steps=100, window=2, patience=3).run()
    assert history.ended == "plateau"
    assert history.moments[-1].step == 8  # three windows without progress after the first


def test_without_patience_there_is_no_plateau(training) -> None:
    assert training(flat, steps=20, window=2, patience=None).run().ended == "step limit"


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_learns(training, objective) -> None:
    history = training(objective=objective, steps=60, window=12, learning_rate=0.02).run()
    residuals, rewards = history.to_frame()["residual"], history.rewards()
    assert residuals.iloc[-1] < residuals.iloc[0] / 2
    assert rewards[-1] > rewards[0]


def test_the_rates_fall_to_their_final_share(training) -> None:
    run = training(objective="trajectory", steps=10, learning_rate=0.01, final_rate=0.1, log_flow_rate=5.0)
    run.run()
    policy, log_flow = (group["lr"] for group in run.optimizer.param_groups)
    assert policy == pytest.approx(0.01 * (0.1 + 0.1 * 0.9))  # a tenth of the run was left in the last step
    assert log_flow == pytest.approx(5 * policy)


def test_the_history_tells_what_was_seen_before_each_step_in_its_place(training, monkeypatch) -> None:
    run, seen, begun = training(steps=3, window=1, passes=2), [], time.perf_counter()
    loss = Trainer.loss
    monkeypatch.setattr(Trainer, "loss", lambda trainer, given: seen.append(loss(trainer, given)) or seen[-1])
    moments = run.run(progress=False).moments
    assert len(seen) == 3 * 2  # every batch is learned from twice
    assert [moment.step for moment in moments] == [1, 2, 3]
    assert 0 < moments[0].seconds < moments[1].seconds < moments[2].seconds < time.perf_counter() - begun
    for name in ("loss", "residual", "reward", "validity", "changes"):
        assert [getattr(moment, name) for moment in moments] == pytest.approx(
            [float(torch.as_tensor(getattr(result, name)).detach()) for result in seen[::2]]
        )


def test_rates_and_exploration_fall_evenly_from_all_to_their_last_share(training, monkeypatch) -> None:
    run, seen = training(steps=4, window=4, final_rate=0.2, exploration=0.5, learning_rate=0.01), []
    collect = Trainer.collect

    def watched(trainer, batch, keys, exploration, **how):
        seen.append((run.optimizer.param_groups[0]["lr"], exploration))
        return collect(trainer, batch, keys, exploration, **how)

    monkeypatch.setattr(Trainer, "collect", watched)
    run.run(progress=False)
    assert [rate for rate, _ in seen] == pytest.approx([0.01, 0.008, 0.006, 0.004])
    assert [share for _, share in seen] == pytest.approx([0.5, 0.375, 0.25, 0.125])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_same_seed_gives_the_same_networks(training, objective) -> None:
    runs = [training(objective=objective, seed=3) for _ in range(2)]
    for run in runs:
        run.run()
    assert_same(*runs)


def test_another_seed_gives_another_run(training) -> None:
    one, other = training(seed=3), training(seed=4)
    assert one.run().rewards() != other.run().rewards()


def test_no_gradients_are_left_behind(training) -> None:
    run = training()
    run.run()
    assert all(weight.grad is None for weight in run.trainer.model.parameters())


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("at", [2, 5, 9])
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(training, judge, tmp_path, objective, at) -> None:
    whole, path = training(objective=objective), tmp_path / "run"
    whole.run()
    with pytest.raises(Interrupted):
        training(stopping(judge, at), objective=objective).run(checkpoint=path)
    assert path.exists() == (at > 4)  # one window of four steps
    resumed = training(objective=objective)
    resumed.run(checkpoint=path)
    assert_same(whole, resumed)


def test_a_run_can_be_stopped_again_and_again(training, judge, tmp_path) -> None:
    whole = training()
    whole.run()
    for _ in range(3):
        with pytest.raises(Interrupted):
            training(stopping(judge, 5)).run(checkpoint=tmp_path / "run")
        if load_checkpoint(tmp_path / "run", Origin()).step == 8:
            break
    resumed = training()
    resumed.run(checkpoint=tmp_path / "run")
    assert_same(whole, resumed)


def test_going_on_redoes_only_what_was_not_saved(training, judge, tmp_path) -> None:
    with pytest.raises(Interrupted):
        training(stopping(judge, 10)).run(checkpoint=tmp_path / "run")
    with pytest.raises(Interrupted):
        training(stopping(judge, 4)).run(checkpoint=tmp_path / "run")  # steps 9 to 12: four times asked
    asked = training(stopping(judge, 5))
    assert asked.run(checkpoint=tmp_path / "run").moments[-1].step == 12


def test_a_plateau_is_found_after_going_on_too(training, tmp_path) -> None:
    settings = {"steps": 100, "window": 2, "patience": 3}
    whole, resumed = training(flat, **settings), training(flat, **settings)
    whole.run()
    with pytest.raises(Interrupted):
        training(stopping(flat, 6), **settings).run(checkpoint=tmp_path / "run")
    resumed.run(checkpoint=tmp_path / "run")
    assert_same(whole, resumed)


def test_a_finished_run_is_not_trained_further(training, judge, tmp_path) -> None:
    whole = training()
    whole.run(checkpoint=tmp_path / "run")
    again = training(stopping(judge, 1))
    again.run(checkpoint=tmp_path / "run")
    assert_same(whole, again)


def test_time_spent_before_the_stop_counts(training, judge, tmp_path) -> None:
    with pytest.raises(Interrupted):
        training(stopping(judge, 6)).run(checkpoint=tmp_path / "run")
    history = training(stopping(judge, 1)).run(checkpoint=tmp_path / "run", minutes=1e-9)
    assert history.ended == "time limit"
    assert history.moments[-1].step == 4


def test_a_checkpoint_of_another_run_is_refused(training, tmp_path) -> None:
    training(origin=Origin("one")).run(checkpoint=tmp_path / "run")
    with pytest.raises(SavedFileError, match=r"another table, another classifier, other settings.*delete it"):
        training(origin=Origin("other")).run(checkpoint=tmp_path / "run")


@pytest.mark.parametrize(
    "edits",
    [
        {"optimizer/0/exp_avg": torch.zeros(1)},
        {"optimizer/0/exp_avg_sq": torch.zeros(0)},
        {"optimizer/0/step": torch.zeros(3)},
        {"optimizer/0/max_exp_avg_sq": torch.zeros(1)},
        {"optimizer/999/step": torch.zeros(())},
        {"model/policy.trunk.bias": torch.zeros(3)},
        {"model/policy.trunk.bias": torch.full((16,), torch.nan)},
        {"model/policy.more": torch.zeros(3)},
    ],
    ids=str,
)
def test_a_checkpoint_with_a_tensor_that_does_not_fit_is_an_error_of_ours(training, tmp_path, edits) -> None:
    training().run(checkpoint=tmp_path / "run")
    header, tensors = read_tensors(tmp_path / "run", kind=KIND, version=VERSION)
    write_tensors(tmp_path / "run", header, tensors | edits)
    with pytest.raises(
        SavedFileError, match=r"run' (lacks a part or holds a wrong one|is damaged).*or delete it and make it again"
    ):
        training().run(checkpoint=tmp_path / "run")


def test_a_checkpoint_beyond_the_last_step_is_an_error_of_ours(training, tmp_path) -> None:
    training(steps=12).run(checkpoint=tmp_path / "run")
    with pytest.raises(SavedFileError, match="lacks a part or holds a wrong one"):
        training(steps=8).run(checkpoint=tmp_path / "run")


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(training, tmp_path, monkeypatch) -> None:
    path = tmp_path / "run"
    replace, calls = Path.replace, []

    def fails_the_second_time(self, target) -> Path:
        calls.append(target)
        if len(calls) == 2:
            raise OSError("no space left")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fails_the_second_time)
    with pytest.raises(OSError, match="no space left"):
        training().run(checkpoint=path)
    assert load_checkpoint(path, Origin()).step == 4
    assert list(tmp_path.iterdir()) == [path]


def test_progress_is_silent_in_a_pipe(training, capfd) -> None:
    training().run()
    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_when_asked_for(training, capfd) -> None:
    training().run(progress=True)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert all(word in captured.err for word in ("learning", "100%", "reward", "valid", "residual"))


def test_progress_can_be_switched_off_on_a_terminal(training, capfd, monkeypatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    training().run(progress=False)
    assert capfd.readouterr() == ("", "")


def test_progress_ends_when_the_run_fails(training, judge, capfd) -> None:
    for _ in range(2):  # a bar that was left running would forbid the second one
        with pytest.raises(Interrupted):
            training(stopping(judge, 2)).run(progress=True)
    assert "learning" in capfd.readouterr().err


def test_no_two_steps_and_no_two_seeds_draw_by_the_same_keys(training, monkeypatch) -> None:
    seen: list[int] = []
    collect = Trainer.collect

    def noted(self, batch, keys, exploration, **how):
        seen.extend(keys.tolist())
        return collect(self, batch, keys, exploration, **how)

    monkeypatch.setattr(Trainer, "collect", noted)
    for seed in (0, 1):
        training(seed=seed, steps=5).run()
    assert len(seen) == 2 * 5 * 16
    assert len(set(seen)) == len(seen)
