"""What was seen while training."""

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from counterflownet._optional import require
from counterflownet.errors import InvalidInputError

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
    """One moment per window of steps; ``ended`` says why training stopped."""

    moments: list[Moment] = field(default_factory=list)
    ended: str = ""

    def __len__(self) -> int:
        return len(self.moments)

    def rewards(self) -> list[float]:
        return [moment.reward for moment in self.moments]

    def to_frame(self) -> pd.DataFrame:
        """One row per moment."""
        return pd.DataFrame([asdict(moment) for moment in self.moments], columns=list(Moment.__dataclass_fields__))

    def to_json(self) -> dict[str, Any]:
        return {"moments": [asdict(moment) for moment in self.moments], "ended": self.ended}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "History":
        moments, ended = [Moment(**moment) for moment in data["moments"]], data["ended"]
        numbers = [number for moment in moments for number in astuple(moment)]
        if not isinstance(ended, str) or not all(type(number) in (int, float) for number in numbers):
            raise InvalidInputError("a history must consist of numbers and a reason why training ended.")
        return cls(moments, ended)

    def plot(self) -> Any:
        """Reward, validity, changes and residual over training time, as a matplotlib figure."""
        library = require("matplotlib.figure", extra="plot", purpose="History.plot")
        figure: Figure = library.Figure(figsize=(9, 2.4), layout="constrained")
        frame = self.to_frame()
        minutes = frame["seconds"] / 60
        panels = {"reward": "higher is better", "validity": "higher is better", "changes": "", "residual": "to zero"}
        for axis, (name, note) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
            axis.plot(minutes, frame[name], color="#0072B2")
            axis.set_title(f"{name}\n{note}" if note else name, fontsize=9)
            axis.set_xlabel("minutes", fontsize=8)
            axis.tick_params(labelsize=7)
            axis.spines[["top", "right"]].set_visible(False)
        return figure

    def __repr__(self) -> str:
        if not self.moments:
            return "History(no step yet)"
        last = self.moments[-1]
        return (
            f"History({last.step} steps in {last.seconds:.0f} s, ended: {self.ended or 'not yet'}; "
            f"reward {last.reward:.3f}, validity {last.validity:.1%}, {last.changes:.1f} changes, "
            f"residual {last.residual:.2f})"
        )


def has_plateaued(rewards: Sequence[float], patience: int, tolerance: float) -> bool:
    """Whether the last ``patience`` rewards brought nothing above the best before them by ``tolerance``."""
    return len(rewards) > patience and max(rewards[-patience:]) < max(rewards[:-patience]) + tolerance
