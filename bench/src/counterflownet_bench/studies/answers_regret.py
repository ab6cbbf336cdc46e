"""How much reward the best answer leaves on the table, by the explainer's own reward of arbitrary rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from counterflownet_bench.studies.answers_checks import GivenAnswers
from counterflownet_bench.studies.answers_enumeration import Enumerated
from counterflownet_bench.studies.answers_space import Coordinates, TableSpace


@dataclass(frozen=True, eq=False)
class Scorer:
    """The rewards of an explainer that has ``score``."""

    explainer: Any
    space: TableSpace
    target: Any

    def rewards(self, before: Coordinates, after: Coordinates) -> Coordinates:
        scored = self.explainer.score(self.space.frame(before), self.space.frame(after), target=self.target)
        return np.asarray(scored["reward"], dtype=np.float64)

    def regrets(self, given: GivenAnswers, every: Sequence[Enumerated]) -> Coordinates:
        """For each row that has a good answer, which share of the best reward known its own answers miss."""
        good = given.good
        ours = self._best(good.row, good.before, good.after, len(every))
        states = [each.promising() for each in every]
        row = np.repeat(np.arange(len(every)), [len(part) for part in states])
        own = np.stack([each.own for each in every])
        theirs = self._best(row, own[row], np.concatenate(states), len(every))
        rows = np.unique(good.row)
        return 1.0 - ours[rows] / np.maximum(np.maximum(ours, theirs)[rows], np.finfo(np.float64).tiny)

    def _best(self, row: Any, before: Coordinates, after: Coordinates, count: int) -> Coordinates:
        best = np.zeros(count)
        if len(row):
            np.maximum.at(best, row, self.rewards(before, after))
        return best
