"""How near predictions came to where they should lie: what a row that has no answer is told."""

from collections.abc import Mapping

import numpy as np

from counterflownet._states import rank_within
from counterflownet.explain.explanation import Outcome, RowOutcome
from counterflownet.explain.present.wording import told_number
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.goals import IntervalGoals

Nearest = Mapping[int, float]  # by row


class Reach:
    """The prediction of each row that came nearest to its interval, over all that were seen."""

    def __init__(self) -> None:
        self._best: dict[int, tuple[float, float]] = {}

    def see(self, candidates: Candidates) -> None:
        """Look at what the model said of candidates."""
        row, slack, told = candidates.row, candidates.slack, candidates.probability
        order = np.lexsort((-slack, row))
        for place in order[rank_within(row[order]) == 0].tolist():
            number, now = int(row[place]), (float(slack[place]), float(told[place]))
            self._best[number] = max(self._best.get(number, now), now)

    def nearest(self) -> Nearest:
        return {row: told for row, (_, told) in self._best.items()}


def unreached(goals: IntervalGoals, row: int, nearest: Nearest, looked: str) -> RowOutcome:
    """The outcome of a row without an answer: out of reach if no training row is where its prediction should be."""
    near = f"the nearest prediction was {told_number(nearest[row])}; " if row in nearest else ""
    if goals.within_reach[row]:
        return RowOutcome(Outcome.NONE_VALID, f"{near}{looked}")
    least, most = told_number(goals.ranks.least), told_number(goals.ranks.most)
    return RowOutcome(
        Outcome.OUT_OF_REACH, f"predictions of training rows lie between {least} and {most}; {near}{looked}"
    )
