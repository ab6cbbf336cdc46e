"""A run goes on where a direction is weak, within limits, and keeps the best of what it found."""

from dataclasses import replace

import pytest
import torch

from counterflownet.errors import SavedFileError, WeakDirectionWarning
from counterflownet.files import read_tensors, write_tensors
from counterflownet.training import repair
from counterflownet.training.checkpoint import KIND, VERSION, load_checkpoint
from counterflownet.training.checks import DirectionValidity
from counterflownet.training.loop import TrainingRun
from counterflownet.training.order import DirectionOrder
from counterflownet.training.repair import RATE, Repair
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import StateRewards, Trainer
from counterflownet.training.watch import Watch

LONG = {"steps": 16, "window": 4, "repair": 1.0}  # at most four rounds of four steps
WEAK, STRONG = 0.9, 0.99


class Interrupted(Exception):  # noqa: N818 - no error: somebody pulled the plug
    pass


@pytest.fixture(autouse=True)
def little_patience(monkeypatch):
    """Few rounds are enough to see that it ends."""
    monkeypatch.setattr(repair, "PATIENCE", 2)


@pytest.fixture
def found(monkeypatch):
    """Makes every look find what it is told, one after the other, in the first direction; the others are strong."""

    def told(*shares: float) -> None:
        left = list(shares)

        def look(_watch, _policy):
            first = left.pop(0)
            others = [(a, b) for a in "abc" for b in "abc" if a != b]
            return tuple(DirectionValidity(*one, 20, True, 100, STRONG if n else first) for n, one in enumerate(others))

        monkeypatch.setattr(Watch, "__call__", look)

    return told


def ran(run: TrainingRun, **options) -> tuple[int, str]:
    history = run.run(progress=False, **options)
    return history.moments[-1].step, history.ended


def weights(run: TrainingRun) -> torch.Tensor:
    return torch.nn.utils.parameters_to_vector(run.trainer.model.parameters()).detach().clone()


def test_a_run_without_a_weak_direction_ends_where_it_would(watched_training, found) -> None:
    found(STRONG)
    run = watched_training(**LONG)
    assert ran(run) == (16, "step limit")
    assert run.history.repair_began is None


def test_a_weak_direction_is_repaired_until_it_is_strong(watched_training, found) -> None:
    found(WEAK, 0.91, 0.92, STRONG)
    run = watched_training(**LONG)
    assert ran(run) == (28, "repaired")
    assert run.history.repair_began == 16
    assert [check.step for check in run.history.checks] == [16, 20, 24, 28]
    assert run.history.directions[0].validity == STRONG


def test_repair_ends_at_its_limit(watched_training, found) -> None:
    found(0.80, 0.82, 0.84, 0.86, 0.88)
    assert ran(watched_training(**LONG)) == (32, "repair limit")


def test_repair_ends_when_it_no_longer_helps(watched_training, found) -> None:
    found(0.80, 0.82, 0.825, 0.82)
    assert ran(watched_training(**LONG)) == (28, "repair limit")


def test_repair_goes_on_for_other_directions_where_one_is_beyond_repair(watched_training, monkeypatch) -> None:
    shares = iter([(0.0, 0.5), (0.0, 0.7), (0.0, 0.8), (0.0, 0.9), (0.0, 0.9)])
    names = [("a", "b"), ("a", "c")]

    def look(_watch, _policy):
        now = [DirectionValidity(*name, 20, True, 100, share) for name, share in zip(names, next(shares), strict=True)]
        return (*now, *[DirectionValidity("b", "c", 20, True, 100, 1.0)] * 4)

    monkeypatch.setattr(Watch, "__call__", look)
    run = watched_training(**LONG)
    with pytest.warns(WeakDirectionWarning, match=r"another: a -> b 0\.0%, even"):
        assert ran(run) == (32, "repair limit")
    assert run.history.directions[1].validity == 0.9


def test_who_asks_for_few_steps_gets_no_more(watched_training, found) -> None:
    found(0.1)
    assert ran(watched_training(steps=16, window=4)) == (16, "step limit")


def test_repair_can_be_switched_off(watched_training, found) -> None:
    found(0.1)
    assert ran(watched_training(**{**LONG, "repair": 0.0})) == (16, "step limit")


def flat(_batch, states) -> StateRewards:
    half = torch.full((len(states),), 0.5)
    return StateRewards(half, half, half > 0)


def test_steps_that_a_plateau_left_over_are_spent_on_repair(watched_training, found) -> None:
    found(0.80, 0.82, 0.84, 0.86, 0.88)
    run = watched_training(flat, steps=24, window=2, patience=3)
    assert ran(run) == (24, "repair limit")
    assert run.history.repair_began == 8


def test_no_time_that_was_not_given_is_spent_on_repair(watched_training, found) -> None:
    found(0.1)
    assert ran(watched_training(**LONG), minutes=1e-9) == (1, "time limit")


def test_a_time_limit_ends_a_repair_too(watched_training, found) -> None:
    found(0.6, 0.7)
    run = watched_training(**LONG)
    advance = run._advance

    def slow_from_the_second_step_of_repair(minutes) -> None:
        advance(minutes)
        run.seconds += 3600.0 * (run.step == 18)

    run._advance = slow_from_the_second_step_of_repair
    assert ran(run, minutes=59.0) == (18, "time limit")
    assert [check.step for check in run.history.checks] == [16, 18]


def test_the_weights_of_the_best_round_are_kept(watched_training, found, monkeypatch) -> None:
    found(0.80, 0.90, 0.70, 0.70)
    run, at_rounds = watched_training(**LONG), {}
    look = TrainingRun._look

    def noted(self) -> None:
        at_rounds[self.step] = weights(self)
        look(self)

    monkeypatch.setattr(TrainingRun, "_look", noted)
    assert ran(run) == (28, "repair limit")
    assert torch.equal(weights(run), at_rounds[20])
    assert not torch.equal(at_rounds[20], at_rounds[28])
    assert run.history.directions[0].validity == 0.90


def test_repair_begins_each_round_with_a_third_of_the_rates_and_lets_them_fall(
    watched_training, found, monkeypatch
) -> None:
    found(0.80, 0.82, STRONG)
    run, seen = watched_training(**LONG, learning_rate=0.01, final_rate=0.0, exploration=0.3), []
    collect = Trainer.collect

    def watched(trainer, batch, keys, exploration, **how):
        seen.append((run.optimizer.param_groups[0]["lr"], exploration))
        return collect(trainer, batch, keys, exploration, **how)

    monkeypatch.setattr(Trainer, "collect", watched)
    run.run(progress=False)
    falling = [1.0, 0.75, 0.5, 0.25]
    assert [rate for rate, _ in seen[16:]] == pytest.approx([0.01 * RATE * left for left in falling * 2])
    assert [share for _, share in seen[16:]] == pytest.approx([0.3 * RATE * left for left in falling * 2])


def test_batches_of_a_repair_lean_towards_the_weak_direction(watched_training, found, monkeypatch) -> None:
    found(0.80, STRONG)
    run, seen = watched_training(**LONG, batch_rows=24), []
    batch = DirectionOrder.__call__

    def watched(order, step):
        chosen = batch(order, step)
        first = order.directions.all[0]
        of_class = torch.isin(torch.from_numpy(chosen.source), torch.from_numpy(first.learned)).numpy()
        seen.append(int((of_class & (chosen.target == first.target)).sum()))
        return chosen

    monkeypatch.setattr(DirectionOrder, "__call__", watched)
    run.run(progress=False)
    assert seen == [4] * 16 + [14] * 4


@pytest.mark.filterwarnings("ignore::counterflownet.errors.WeakDirectionWarning")
@pytest.mark.parametrize("at", [3, 16, 19, 21, 31])
def test_a_repair_that_was_stopped_goes_on_as_if_it_had_not_been(watched_training, tmp_path, monkeypatch, at) -> None:
    options = {**LONG, "window": 2, "learning_rate": 5e-3}  # two windows in a round
    look = Watch.__call__

    def one_weak(watch, policy):
        first, *others = look(watch, policy)
        return (first, *(replace(other, validity=STRONG) for other in others))

    monkeypatch.setattr(Watch, "__call__", one_weak)
    whole, stopped, resumed = (watched_training(**options) for _ in range(3))
    ran(whole)
    assert (whole.history.repair_began, whole.step) == (16, 32)
    stop_at(stopped, at, monkeypatch)
    with pytest.raises(Interrupted):
        ran(stopped, checkpoint=tmp_path / "run")
    ran(resumed, checkpoint=tmp_path / "run")
    assert torch.equal(weights(resumed), weights(whole))
    assert resumed.history.checks == whole.history.checks
    assert (resumed.history.ended, resumed.step) == (whole.history.ended, whole.step)
    assert resumed.history.rewards() == whole.history.rewards()


def stop_at(run: TrainingRun, step: int, monkeypatch) -> None:
    """Let a run fail in the middle of this step."""
    descend = run._descend

    def stopping(seen):
        if run.step == step:
            raise Interrupted
        return descend(seen)

    monkeypatch.setattr(run, "_descend", stopping)


def test_a_finished_repair_is_not_repeated(watched_training, tmp_path, found, monkeypatch) -> None:
    found(0.80, 0.90, 0.70, 0.70, 0.70)  # the last look is repeated
    whole, again = watched_training(**LONG), watched_training(**LONG)
    ran(whole, checkpoint=tmp_path / "run")
    stop_at(again, whole.step, monkeypatch)
    ran(again, checkpoint=tmp_path / "run")
    assert torch.equal(weights(again), weights(whole))
    assert again.history.directions == whole.history.directions


@pytest.mark.parametrize("spoiled", [{}, {"policy.trunk.bias": torch.zeros(3)}], ids=["none", "wrong"])
def test_best_weights_that_do_not_fit_are_an_error_of_ours(watched_training, tmp_path, found, spoiled) -> None:
    found(0.80, 0.90, 0.70, 0.70)
    run, path = watched_training(**LONG), tmp_path / "run"
    ran(run, checkpoint=path)
    header, tensors = read_tensors(path, kind=KIND, version=VERSION)
    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith("best/")}
    write_tensors(path, header, kept | {f"best/{name}": tensor for name, tensor in spoiled.items()})
    with pytest.raises(SavedFileError, match="lacks a part or holds a wrong one"):
        ran(watched_training(**LONG), checkpoint=path)


def test_a_checkpoint_keeps_the_best_weights_and_the_checks(watched_training, tmp_path, found) -> None:
    found(0.80, 0.90, 0.70, 0.70)
    run = watched_training(**LONG)
    ran(run, checkpoint=tmp_path / "run")
    saved = load_checkpoint(tmp_path / "run", run.origin)
    assert [check.step for check in saved.history.checks] == [16, 20, 24]  # saved before the last look
    assert saved.history.repair_began == 16
    assert all(torch.equal(saved.best[name], now) for name, now in run.trainer.model.state_dict().items())


def test_a_direction_that_fails_after_all_is_warned_of(watched_training, found) -> None:
    found(0.10, 0.10, 0.10)
    with pytest.warns(WeakDirectionWarning, match=r"a -> b 10\.0%, even after 8 more steps"):
        ran(watched_training(**LONG))


@pytest.mark.parametrize("shares", [(0.51, 0.2, 0.2), (0.4, 0.8, 0.8, 0.8)], ids=str)
def test_what_is_kept_decides_whether_there_is_a_warning(watched_training, found, shares) -> None:
    found(*shares)
    assert ran(watched_training(**LONG))[1] == "repair limit"  # a warning would be an error here


def test_a_run_that_was_cut_short_is_not_warned_of(watched_training, found) -> None:
    found(0.0)
    ran(watched_training(steps=8))


@pytest.mark.parametrize(
    ("steps", "repair", "most"), [(1_000, None, 2_000), (999, None, 999), (50, 0.5, 75), (3_000, 0.0, 3_000)]
)
def test_the_most_steps_are_those_asked_for_and_those_of_repair(steps, repair, most) -> None:
    assert TrainingSettings(steps=steps, repair=repair).most_steps == most


@pytest.mark.parametrize(("ended", "rounds"), [(1_000, 4), (500, 6), (1_900, 1)])
def test_rounds_have_about_a_quarter_of_the_steps_each(ended, rounds) -> None:
    repair = Repair.after(ended, TrainingSettings(steps=1_000))
    ends = [step for step in range(ended, 2_001) if repair.round_is_over(step)]
    assert len(ends) == rounds
    assert ends[-1] == 2_000


def test_no_repair_fits_after_the_last_step() -> None:
    assert Repair.after(2_000, TrainingSettings(steps=1_000)) is None


def test_what_ends_a_repair_is_a_little_more_than_what_begins_it(watched_training, found) -> None:
    found(WEAK, 0.975, STRONG)
    assert ran(watched_training(**LONG)) == (24, "repaired")
    found(0.975)
    assert ran(watched_training(**LONG)) == (16, "step limit")
