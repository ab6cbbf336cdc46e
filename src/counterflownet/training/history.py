"""What was seen while training."""

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from counterflownet._optional import require
from counterflownet._printable import printable
from counterflownet.errors import InvalidInputError, counted
from counterflownet.training.checks import Check, DirectionValidity, best_of, checks_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Moment:
    """Means over the steps since the last moment."""

    step: int
    seconds: float
    loss: float
    residual: float
    reward: float
    validity: float
    changes: float


@dataclass(slots=True)
class History:
    """One moment per window of steps; ``ended`` says why training stopped.

    Attributes:
        moments: What was seen of the batches, window by window.
        ended: ``"step limit"``, ``"time limit"`` or ``"plateau"``; after a repair ``"repaired"`` if every direction
            came above the bar, ``"repair limit"`` if the steps for it were over or no longer helped.
        checks: The validity of every direction along the way, on rows held back.
        repair_began: After which step training went on because of weak directions; None if it did not.
        notes: What should be known of the table and the classifier: columns that are left alone, a classifier that is
            no better than a guess.
    """

    moments: list[Moment] = field(default_factory=list)
    ended: str = ""
    checks: list[Check] = field(default_factory=list)
    repair_began: int | None = None
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.moments)

    def rewards(self) -> list[float]:
        return [moment.reward for moment in self.moments]

    @property
    def directions(self) -> tuple[DirectionValidity, ...]:
        """The validity of every direction with the weights that were kept; empty before the first check."""
        if not self.checks:
            return ()
        began = self.repair_began
        kept = self.checks[-1] if began is None else best_of([check for check in self.checks if check.step >= began])
        return kept.directions

    def to_frame(self) -> pd.DataFrame:
        """One row per moment."""
        return pd.DataFrame([asdict(moment) for moment in self.moments], columns=list(Moment.__dataclass_fields__))

    def to_json(self) -> dict[str, Any]:
        moments = [asdict(moment) for moment in self.moments]
        looked = {"checks": checks_json(self.checks), "repair_began": self.repair_began}
        return {"moments": moments, "ended": self.ended, **looked, "notes": list(self.notes)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "History":
        moments, ended = [Moment(**moment) for moment in data["moments"]], data["ended"]
        numbers = [number for moment in moments for number in astuple(moment)]
        if not isinstance(ended, str) or not all(type(number) in (int, float) for number in numbers):
            raise InvalidInputError("a history must consist of numbers and a reason why training ended.")
        checks = [Check.from_json(check) for check in data.get("checks", [])]  # older files have none
        began = data.get("repair_began")
        if began is not None and began not in [check.step for check in checks]:
            raise InvalidInputError("a repair must begin with a check.")
        notes = data.get("notes", [])
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise InvalidInputError("the notes of a history must be sentences.")
        return cls(moments, ended, checks, began, notes)

    def plot(self) -> Any:
        """Reward, validity, changes and residual over training time, as a matplotlib figure."""
        library = require("matplotlib.figure", extra="plot", purpose="History.plot")
        figure: Figure = library.Figure(figsize=(9, 2.4), layout="constrained")
        frame = self.to_frame()
        minutes = frame["seconds"] / 60
        panels = {"reward": "higher is better", "validity": "higher is better", "changes": "", "residual": "to zero"}
        axes = dict(zip(panels, figure.subplots(1, len(panels)), strict=True))
        self._plot_directions(axes["validity"])
        for (name, note), axis in zip(panels.items(), axes.values(), strict=True):
            axis.plot(minutes, frame[name], color="#0072B2")
            axis.set_title(f"{name}\n{note}" if note else name, fontsize=9)
            axis.set_xlabel("minutes", fontsize=8)
            axis.tick_params(labelsize=7)
            axis.spines[["top", "right"]].set_visible(False)
        return figure

    def _plot_directions(self, axis: Any) -> None:
        """Grey lines behind the mean, one for each direction."""
        minutes = {moment.step: moment.seconds / 60 for moment in self.moments}
        checks = [check for check in self.checks if check.step in minutes]
        for one in zip(*([direction.validity for direction in check.directions] for check in checks), strict=True):
            axis.plot([minutes[check.step] for check in checks], one, color="#999999", linewidth=0.8, marker=".")

    def __repr__(self) -> str:
        if not self.moments:
            return "History(no step yet)"
        last = self.moments[-1]
        return (
            f"History({counted(last.step, 'step')} in {last.seconds:.0f} s, ended: {self.ended or 'not yet'}; "
            f"reward {last.reward:.3f}, validity {last.validity:.1%}, {last.changes:.1f} changes, "
            f"residual {last.residual:.2f}{self._worst()}){self._told()}"
        )

    def _told(self) -> str:
        return "".join(f"\n  note: {printable(note)}" for note in self.notes)

    def _worst(self) -> str:
        if not self.directions:
            return ""
        return f"; worst direction {min(self.directions, key=lambda direction: direction.validity)}"


def has_plateaued(rewards: Sequence[float], patience: int, tolerance: float) -> bool:
    """Whether the last ``patience`` rewards brought nothing above the best before them by ``tolerance``."""
    return len(rewards) > patience and max(rewards[-patience:]) < max(rewards[:-patience]) + tolerance


def mean_moment(moments: list[Moment]) -> Moment:
    """The means of some moments, at the time of the last."""
    names = ("loss", "residual", "reward", "validity", "changes")
    means = {name: sum(getattr(moment, name) for moment in moments) / len(moments) for name in names}
    return replace(moments[-1], **means)
