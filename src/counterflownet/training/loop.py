"""The loop around the step: limits, rates, looking at itself, progress, checkpoints."""

import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

import numpy as np
import torch

from counterflownet.errors import TrainingError, check_count
from counterflownet.files import faults_of
from counterflownet.flow.model import FlowModel
from counterflownet.seeds import derived_seed
from counterflownet.training.batches import Batch
from counterflownet.training.checkpoint import Checkpoint, Origin, load_checkpoint, save_checkpoint
from counterflownet.training.checks import Check, best_of
from counterflownet.training.history import History, Moment, has_plateaued, mean_moment
from counterflownet.training.optimizer import check_state, optimizer_of, set_rates
from counterflownet.training.progress import training_progress
from counterflownet.training.repair import BAR, MENDED, RATE, Repair, warn_if_failed
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import Experience, StepResult, Trainer
from counterflownet.training.watch import MissedRows, Watch

CHECK_EVERY = 200  # steps: a check costs about as much as one or two of them
AHEAD = 0.1  # a time limit decides the rates only if by its share of the run this much more is over than by steps


@dataclass(eq=False)
class TrainingRun:
    """A run that can be interrupted and resumed; everything random in it follows from its seed and the step."""

    trainer: Trainer
    batches: Callable[[int], Batch]
    settings: TrainingSettings
    _: KW_ONLY
    seed: int
    origin: Origin = field(default_factory=Origin)
    watch: Watch | None = None

    def __post_init__(self) -> None:
        self.optimizer = optimizer_of(self.trainer.model, self.settings)
        self.history = History()
        self.step = 0
        self.seconds = 0.0
        self._recent: list[Moment] = []
        self._repair: Repair | None = None
        self._best: dict[str, torch.Tensor] = {}
        self._missed: MissedRows = {}
        self._batches = self.batches

    def run(
        self, *, minutes: float | None = None, progress: bool | None = None, checkpoint: Path | None = None
    ) -> History:
        """Train until a limit or a plateau; with ``checkpoint``, go on from it if it exists and keep it up to date."""
        if checkpoint is not None and checkpoint.exists():
            with faults_of(checkpoint):
                self._restore(load_checkpoint(checkpoint, self.origin))
        with training_progress(shown=progress) as show:
            while not self._ended(minutes):
                self._advance(minutes)
                if not self._recent:
                    self._check_finite()
                    self._check_now_and_then()
                last = self._recent[-1] if self._recent else self.history.moments[-1]
                show(self._fraction(minutes), last, repairing=self._repair is not None)
                if checkpoint is not None and not self._recent:
                    save_checkpoint(checkpoint, self._snapshot())
        if self._best:
            self.trainer.model.load_state_dict(self._best)
        self.optimizer.zero_grad(set_to_none=True)
        warn_if_failed(self.history)
        return self.history

    def _advance(self, minutes: float | None) -> None:
        begun = time.perf_counter()
        left = 1.0 - self._decayed(minutes) if self._repair is None else self._repair.left(self.step)
        full = 1.0 if self._repair is None else RATE
        set_rates(self.optimizer, full * (self.settings.final_rate + left * (1.0 - self.settings.final_rate)))
        keys = np.arange(self.settings.batch_rows, dtype=np.uint64)
        keys += np.uint64(derived_seed(self.seed, "rollout", self.step))
        batch = self._batches(self.step)
        guided = self._repair is not None  # rows that are missed again and again do not come right by themselves
        seen = self.trainer.collect(batch, keys, full * self.settings.exploration * left, guided=guided)
        if self.step == 0:
            self.trainer.begin(seen)
        result = self._descend(seen)
        for number in range(self.settings.pass_count - 1):
            self._descend(seen.under(batch.relabels[number]) if batch.relabels else seen)
        self.step += 1
        self.seconds += time.perf_counter() - begun
        loss = float(result.loss.detach())
        now = Moment(self.step, self.seconds, loss, result.residual, result.reward, result.validity, result.changes)
        self._recent.append(now)
        if self.step % self.settings.window == 0:
            self._close_window()

    def _descend(self, seen: Experience) -> StepResult:
        """One step of the optimiser on trajectories; what they showed before it."""
        result = self.trainer.loss(seen)
        self.optimizer.zero_grad(set_to_none=True)
        if result.loss.requires_grad:  # no edit at all in a batch: nothing to learn from it
            result.loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.trainer.model.parameters(), self.settings.gradient_norm)
            self.optimizer.step()
        return result

    def _check_finite(self) -> None:
        if not all(weights.isfinite().all() for weights in self.trainer.model.state_dict().values()):
            raise TrainingError(
                f"the weights of the flow were no longer finite after {self.step} steps with "
                f"learning_rate={self.settings.learning_rate:g}. Lower it, or the temperature's beta."
            )

    def _close_window(self) -> None:
        if self._recent:
            self.history.moments.append(mean_moment(self._recent))
            self._recent = []

    def _fraction(self, minutes: float | None) -> float:
        """How much of the training or of the repair is over: what is nearer of the step limit and the time limit."""
        by_time = 0.0 if minutes is None else self.seconds / (60 * minutes)
        by_steps = self.step / self.settings.steps if self._repair is None else self._repair.share(self.step)
        return min(1.0, max(by_steps, by_time))

    def _decayed(self, minutes: float | None) -> float:
        """How far the rates have fallen: by steps, the same in every run, unless time runs well ahead of them."""
        by_steps, over = self.step / self.settings.steps, self._fraction(minutes)
        return over if over > by_steps + AHEAD else by_steps

    def _ended(self, minutes: float | None) -> bool:
        out_of_time = minutes is not None and self.step > 0 and self.seconds >= 60 * minutes  # one step at least
        if self._repair is None:
            self.history.ended = self._end_of_training(out_of_time=out_of_time)
            if self.history.ended:
                self._look()
                self._begin_repair(out_of_time=out_of_time)
        else:
            self.history.ended = self._end_of_repair(self._repair, out_of_time=out_of_time)
        return bool(self.history.ended)

    def _end_of_training(self, *, out_of_time: bool) -> str:
        patience = self.settings.patience
        if self.step >= self.settings.steps:
            return "step limit"
        if out_of_time:
            return "time limit"
        plateaued = patience is not None and has_plateaued(self.history.rewards(), patience, self.settings.tolerance)
        return "plateau" if plateaued else ""

    def _begin_repair(self, *, out_of_time: bool) -> None:
        """Go on if a direction is weak and there are steps left for it."""
        repair = Repair.after(self.step, self.settings)
        if self.watch is None or not self.watch.mends or repair is None or out_of_time:
            return
        if not any(self.history.checks[-1].weak(BAR)):
            return
        self.history.ended, self.history.repair_began = "", self.step
        self._repair = repair
        self._best = _copied(self.trainer.model)
        self._lean()

    def _end_of_repair(self, repair: Repair, *, out_of_time: bool) -> str:
        if not repair.round_is_over(self.step) and not out_of_time:
            return ""
        self._look()
        checks = repair.checks(self.history)
        if best_of(checks) is checks[-1]:
            self._best = _copied(self.trainer.model)
        if not any(checks[-1].weak(MENDED)):
            return "repaired"
        if out_of_time:
            return "time limit"
        if self.step >= repair.limit or not repair.helps(self.history):
            return "repair limit"
        self._lean()
        return ""

    def _lean(self, missed: MissedRows | None = None) -> None:
        """From now on batches that lean towards what the directions that the last check found weak miss."""
        if self.watch is None:
            return
        if missed is None:
            begun, turn = time.perf_counter(), len(self.history.checks)
            missed = self.watch.missed(self.trainer.model.policy, self.history.checks[-1].weak(MENDED), turn)
            self.seconds += time.perf_counter() - begun
        self._missed = missed
        self._batches = self.watch.leaning(missed, self.settings.batch_rows)

    def _look(self) -> None:
        """Close the window and measure every direction, unless this was just done."""
        self._close_window()
        self._check_finite()
        checks = self.history.checks
        if self.watch is None or (checks and checks[-1].step == self.step):
            return
        begun = time.perf_counter()
        checks.append(Check(self.step, self.watch(self.trainer.model.policy)))
        self.seconds += time.perf_counter() - begun

    def _check_now_and_then(self) -> None:
        if self._repair is None and self.step // CHECK_EVERY > (self.step - self.settings.window) // CHECK_EVERY:
            self._look()

    def _snapshot(self) -> Checkpoint:
        model, optimizer = self.trainer.model.state_dict(), self.optimizer.state_dict()["state"]
        return Checkpoint(
            self.origin, self.step, self.seconds, self.history, model, optimizer, self._best, self._missed
        )

    def _restore(self, saved: Checkpoint) -> None:
        check_count("the steps of the settings", self.settings.most_steps, least=saved.step)
        check_state(saved.optimizer, self.optimizer)
        began = saved.history.repair_began
        for weights in (saved.model,) if began is None else (saved.best, saved.model):  # the best too must fit
            self.trainer.model.load_state_dict(weights)
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": saved.optimizer})
        self.step, self.seconds, self.history, self._best = saved.step, saved.seconds, saved.history, saved.best
        if began is not None:
            self._repair = Repair.after(began, self.settings)
            self._lean(saved.missed)


def _copied(model: FlowModel) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
