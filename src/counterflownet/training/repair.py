"""When a run goes on because a direction is weak, for how long, and with which rates."""

import warnings
from dataclasses import dataclass

from counterflownet.errors import WeakDirectionWarning, listed
from counterflownet.training.checks import Check
from counterflownet.training.history import History
from counterflownet.training.settings import TrainingSettings

BAR = 0.97  # a direction below this validity is weak; what is asked of a fit is a little less
MENDED = 0.98  # what ends a repair is a little more: a look may be wrong by one in a hundred
FAILED = 0.5  # below this after all repairs, the user is warned
ROUNDS = 4  # in as many steps as training has at most
RATE = 1 / 3  # of the first learning rate, at the start of each round
CALLER = 5  # of CounterFlowNet.fit, counted from where the warning is given
PATIENCE = 4  # rounds that may pass without helping
HELP = 0.01  # by how much validity must rise, over all weak directions, to count as helped


@dataclass(frozen=True, slots=True)
class Repair:
    """Rounds of training that lean towards weak directions, each with rates that fall from a third of the first.

    Everything follows from where it ``began`` and from the checks in the history, so that it can be resumed anywhere.
    """

    began: int
    length: int
    limit: int

    @classmethod
    def after(cls, step: int, settings: TrainingSettings) -> "Repair | None":
        """The repair of a run whose training ended at this step; None if the settings leave it no step."""
        limit = settings.most_steps
        if step >= limit:
            return None
        rounds = max(1, round(ROUNDS * (limit - step) / settings.steps))
        return cls(step, -(-(limit - step) // rounds), limit)

    def left(self, step: int) -> float:
        """How much of the current round is left."""
        return 1.0 - (step - self.began) % self.length / self.length

    def round_is_over(self, step: int) -> bool:
        return step >= self.limit or (step > self.began and (step - self.began) % self.length == 0)

    def share(self, step: int) -> float:
        """How much of the whole repair is over."""
        return (step - self.began) / (self.limit - self.began)

    def checks(self, history: History) -> list[Check]:
        """The check that it began with, and those after each round."""
        return [check for check in history.checks if check.step >= self.began]

    def helps(self, history: History) -> bool:
        """Whether the last rounds brought weak directions nearer to the bar than they were before."""
        short = [check.shortfall(MENDED) for check in self.checks(history)]
        return len(short) <= PATIENCE or min(short[-PATIENCE:]) <= min(short[:-PATIENCE]) - HELP


def warn_if_failed(history: History) -> None:
    """A warning if directions are of little use although a repair was tried."""
    failed = [str(direction) for direction in history.directions if direction.validity < FAILED]
    if history.repair_began is None or not failed:
        return
    spent = history.moments[-1].step - history.repair_began
    warnings.warn(
        f"few samples are valid from one class to another: {listed(failed)}, even after {spent} more steps for it. "
        "Explaining will find few answers there. If there are any to find, train for more steps, or allow more of them "
        "for repair (TrainingSettings.repair).",
        WeakDirectionWarning,
        stacklevel=CALLER,
    )
