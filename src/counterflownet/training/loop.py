"""The loop around the step: limits, rates, progress, checkpoints."""

import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path

import numpy as np
import torch

from counterflownet.errors import InvalidInputError, TrainingError, check_count
from counterflownet.files import faults_of
from counterflownet.flow.model import FlowModel
from counterflownet.seeds import derived_seed
from counterflownet.training.batches import Batch
from counterflownet.training.checkpoint import Checkpoint, Origin, load_checkpoint, save_checkpoint
from counterflownet.training.history import History, Moment, has_plateaued
from counterflownet.training.progress import training_progress
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import Experience, StepResult, Trainer

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

    def __post_init__(self) -> None:
        self.optimizer = _optimizer(self.trainer.model, self.settings)
        self.history = History()
        self.step = 0
        self.seconds = 0.0
        self._recent: list[Moment] = []

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
                show(self._fraction(minutes), self._recent[-1] if self._recent else self.history.moments[-1])
                if checkpoint is not None and not self._recent:
                    save_checkpoint(checkpoint, self._snapshot())
        self._close_window()
        self._check_finite()
        self.optimizer.zero_grad(set_to_none=True)
        return self.history

    def _advance(self, minutes: float | None) -> None:
        begun = time.perf_counter()
        left = 1.0 - self._decayed(minutes)
        self._set_rates(self.settings.final_rate + left * (1.0 - self.settings.final_rate))
        keys = np.arange(self.settings.batch_rows, dtype=np.uint64)
        keys += np.uint64(derived_seed(self.seed, "rollout", self.step))
        seen = self.trainer.collect(self.batches(self.step), keys, self.settings.exploration * left)
        if self.step == 0:
            self.trainer.begin(seen)
        result = self._descend(seen)
        for _ in range(self.settings.passes - 1):
            self._descend(seen)
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
        """How much of the run is over: what is nearer of the step limit and the time limit."""
        by_time = 0.0 if minutes is None else self.seconds / (60 * minutes)
        return min(1.0, max(self.step / self.settings.steps, by_time))

    def _decayed(self, minutes: float | None) -> float:
        """How far the rates have fallen: by steps, the same in every run, unless time runs well ahead of them."""
        by_steps, over = self.step / self.settings.steps, self._fraction(minutes)
        return over if over > by_steps + AHEAD else by_steps

    def _ended(self, minutes: float | None) -> bool:
        patience = self.settings.patience
        if self.step >= self.settings.steps:
            self.history.ended = "step limit"
        elif minutes is not None and self.step > 0 and self.seconds >= 60 * minutes:  # one step at least
            self.history.ended = "time limit"
        elif patience is not None and has_plateaued(self.history.rewards(), patience, self.settings.tolerance):
            self.history.ended = "plateau"
        return bool(self.history.ended)

    def _set_rates(self, factor: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = group["full_rate"] * factor

    def _snapshot(self) -> Checkpoint:
        model, optimizer = self.trainer.model.state_dict(), self.optimizer.state_dict()["state"]
        return Checkpoint(self.origin, self.step, self.seconds, self.history, model, optimizer)

    def _restore(self, saved: Checkpoint) -> None:
        check_count("the steps of the settings", self.settings.steps, least=saved.step)
        _check_optimizer(saved.optimizer, self.optimizer)
        self.trainer.model.load_state_dict(saved.model)
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": saved.optimizer})
        self.step, self.seconds, self.history = saved.step, saved.seconds, saved.history


def _optimizer(model: FlowModel, settings: TrainingSettings) -> torch.optim.Optimizer:
    groups = [{"params": list(model.policy.parameters()), "full_rate": settings.learning_rate}]
    if model.log_flow is not None:
        rate = settings.learning_rate * settings.log_flow_rate
        groups.append({"params": list(model.log_flow.parameters()), "full_rate": rate})
    return torch.optim.Adam(groups, lr=settings.learning_rate, fused=True)  # one pass over memory, not eight


def _check_optimizer(saved: dict[int, dict[str, torch.Tensor]], optimizer: torch.optim.Optimizer) -> None:
    """An error if a parameter's state is not what Adam keeps of it: torch would take it, and fail later."""
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for number, state in saved.items():
        shape = parameters[number].shape
        kept = {"step": torch.Size(), "exp_avg": shape, "exp_avg_sq": shape}
        if {name: part.shape for name, part in state.items()} != kept:
            raise InvalidInputError(f"the optimizer's state of parameter {number} does not fit its shape.")


def mean_moment(moments: list[Moment]) -> Moment:
    """The means of some moments, at the time of the last."""
    names = ("loss", "residual", "reward", "validity", "changes")
    means = {name: sum(getattr(moment, name) for moment in moments) / len(moments) for name in names}
    return replace(moments[-1], **means)
