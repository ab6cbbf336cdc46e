"""How much reward the best answer leaves on the table, by the explainer's own reward of arbitrary rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from counterflownet_bench.studies.answers_checks import GivenAnswers
from counterflownet_bench.studies.answers_enumeration import Enumerated
from counterflownet_bench.studies.answers_space import Coordinates, TableSpace

AT_ONCE = 40  # answers of a row that are checked together, the best first, until one is tight


@dataclass(frozen=True, eq=False)
class Scorer:
    """The rewards of an explainer that has ``score``."""

    explainer: Any
    space: TableSpace
    target: Any

    def rewards(self, before: Coordinates, after: Coordinates) -> Coordinates:
        scored = self.explainer.score(self.space.frame(before), self.space.frame(after), target=self.target)
        return np.asarray(scored["reward"], dtype=np.float64)

    def regrets(self, given: GivenAnswers, every: Sequence[Enumerated]) -> "Regrets":
        """For each row that has a good answer, which share of the best reward known its own answers miss."""
        good = given.good
        ours = self._best(good.row, good.before, good.after, len(every))
        known = [self._known(each, good) for each in every]
        rows = np.unique(good.row)
        best, tight = (np.array([pair[place] for pair in known])[rows] for place in (0, 1))
        return Regrets(_missed(ours[rows], best), _missed(ours[rows], tight))

    def _known(self, each: Enumerated, given: GivenAnswers) -> tuple[float, float]:
        """The best reward of all answers that are known of a row, and of those that are minimal and tight."""
        states = each.promising()
        if not len(states):
            return 0.0, 0.0
        rewards = self.rewards(np.repeat(each.own[None], len(states), axis=0), states)
        order = np.argsort(-rewards)
        for part in np.split(order, range(AT_ONCE, len(order), AT_ONCE)):
            own = np.repeat(each.own[None], len(part), axis=0)
            answers = GivenAnswers(given.judge, given.rules, np.zeros(len(part), dtype=np.int64), own, states[part])
            (tight,) = (answers.minimal() & answers.tight("values")).nonzero()
            if len(tight):
                return float(rewards[order[0]]), float(rewards[part[tight[0]]])
        return float(rewards[order[0]]), 0.0

    def _best(self, row: Any, before: Coordinates, after: Coordinates, count: int) -> Coordinates:
        best = np.zeros(count)
        if len(row):
            np.maximum.at(best, row, self.rewards(before, after))
        return best


@dataclass(frozen=True, eq=False)
class Regrets:
    """For some rows, what their best answer misses of the best one known, and of the best that is minimal and tight.

    A value that goes further than it must can be more usual, and so of a higher reward, than the nearest that is
    enough. Such answers are not shown by default: the difference of the two is what tightness costs.
    """

    all: Coordinates
    tight: Coordinates


def _missed(ours: Coordinates, best: Coordinates) -> Coordinates:
    return 1.0 - ours / np.maximum(np.maximum(ours, best), np.finfo(np.float64).tiny)
