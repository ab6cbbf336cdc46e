"""What finds are worth before they are made tight: how few and small their changes may become, how usual they are."""

from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States, groups_of, rank_within, unedited
from counterflownet.explain.memory import Memory
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.search import Search
from counterflownet.explain.strategy import FEW_STRATEGIES, Strategies
from counterflownet.reward.candidates import EditedRows

VARIATIONS = 4  # of a strategy, that are compared for plausibility
MORE = 14  # strategies that are compared beyond those that are wanted
NOT_LOOKED_AT = 100.0  # less than any that was
BESIDES = 4  # strategies that are looked at beyond those that must be worth showing
LEADING = 2  # finds of a row whose plausibility is looked at to tell how good its best one is


@dataclass(frozen=True, slots=True, eq=False)
class Merit:
    """Logarithms of rewards that states may reach; they are made tight later if ``nearer`` values are looked for.

    A state is worth showing if it may reach the share ``worth`` of what the best one of its row does.
    """

    search: Search
    oracle: Oracle
    nearer: bool
    worth: float = 0.0
    known: Memory = field(default_factory=lambda: Memory(np.zeros(0)))

    def promise(self, states: States) -> Float[ndarray, " state"]:
        """By the number and the length of changes alone, the latter as short as they may become."""
        return self.search.reward.promise(self._edited(states), self._left(states))

    def at_most(self, states: States) -> Float[ndarray, " state"]:
        """If the changes were so small, and the rows so usual, that only their number counts."""
        return self.search.reward.promise(self._edited(states), np.zeros(len(states)))

    def best(self, states: States) -> Float[ndarray, " row"]:
        """For each row of the chunk what its best state is worth as it is; minus infinity where there is none."""
        row, promise = states.row.numpy(), self.search.reward.promise(self._edited(states), np.ones(len(states)))
        (some,) = (_rank_in(row, -promise) < LEADING).nonzero()
        best = np.full(len(self.search.questions.target), -np.inf)
        np.maximum.at(best, row[some], promise[some] + self._plausible(states[some]))
        return best

    def in_order(self, states: States, wanted: int) -> States:
        """Row by row: the best of each strategy, then the second best; of so many strategies, and some more.

        How plausible a state is takes long to find out, so the nearest of the strategies that are wanted are looked at
        first, then only states that would be better than these if they were wholly plausible.
        """
        states, strategy = self._uncovered(states)
        promise = self.promise(states)
        (some,) = _compared(states.row.numpy(), strategy, promise, wanted + MORE).nonzero()
        states, strategy, promise = states[some], strategy[some], promise[some]
        row, place = states.row.numpy(), _rank_in(strategy, -promise)
        merit = promise - NOT_LOOKED_AT
        first = (place == 0) & (_rank_in(row, np.where(place == 0, -promise, np.inf)) < wanted)
        merit[first] = promise[first] + self._plausible(states[first])
        later = ~first & (promise > _least_of(row, merit, wanted)) & (promise > _best_of(strategy, merit))
        merit[later] = promise[later] + self._plausible(states[later])
        place = _rank_in(strategy, -merit)
        at_most = np.where(first | later, merit, promise)
        leading = (place == 0) & (_rank_in(row, np.where(place == 0, -merit, np.inf)) < FEW_STRATEGIES)
        far_fetched = (at_most < _best_of(row, merit) + self._log_worth) & ~leading
        return states[np.lexsort((-merit, place, far_fetched, row))]

    def short_of(self, states: States, rows: Int[ndarray, " asked"], enough: int) -> Int[ndarray, " short"]:
        """Which of these rows have fewer than ``enough`` strategies worth showing, as far as the leading ones tell."""
        states, strategy = self._uncovered(states)
        promise = self.promise(states)
        best = np.flatnonzero(_rank_in(strategy, -promise) == 0)
        best = best[_rank_in(states.row.numpy()[best], -promise[best]) < enough + BESIDES]
        row, merit = states.row.numpy()[best], promise[best] + self._plausible(states[best])
        worth = row[merit >= _best_of(row, merit) + self._log_worth]
        return rows[np.bincount(worth, minlength=len(self.search.questions))[rows] < enough]

    @property
    def _log_worth(self) -> float:
        """Half of what is asked in the end: what is said here is rough."""
        return float(np.log(self.worth / 2)) if self.worth > 0 else -np.inf

    def _uncovered(self, states: States) -> tuple[States, NDArray[np.uint64]]:
        """The states that are more than a smaller change and something besides, and the keys of their strategies."""
        strategies = Strategies.of(self.search.ground.table, states)
        kept = ~strategies.covered if self.nearer else np.ones(len(states), dtype=np.bool_)
        return states[kept], strategies.keys[kept]

    def _left(self, states: States) -> Float[ndarray, " state"]:
        """Which share of its way each state will keep if what it has too much of goes with the way, as on a slope."""
        if not self.nearer:
            return np.ones(len(states))
        slack = np.maximum(self.oracle.verdicts(states).slack, 0.0)
        factuals = unedited(self.search.questions.factual, torch.from_numpy(states.row.numpy()))
        lacking = np.maximum(-self.oracle.verdicts(factuals).slack, 1e-9)
        return lacking / (lacking + slack)

    def _plausible(self, states: States) -> Float[ndarray, " state"]:
        keys, first, number = groups_of(states.keys())
        new = ~self.known.knows(keys)
        if new.any():
            self.known.learn(keys[new], self.search.reward.plausible(self._edited(states[first[new]])))
        return self.known.of(keys)[0][number]

    def _edited(self, states: States) -> EditedRows:
        return EditedRows(self.search.ground.table, states)


def _compared(
    row: Int[ndarray, " state"], strategy: ndarray, promise: Float[ndarray, " state"], most: int
) -> Bool[ndarray, " state"]:
    """Some states of the most promising strategies of each row."""
    place = _rank_in(strategy, -promise)
    best = np.flatnonzero(place == 0)
    leading = best[_rank_in(row[best], -promise[best]) < most]
    return (place < VARIATIONS) & np.isin(strategy, strategy[leading])


def _best_of(group: ndarray, value: Float[ndarray, " entry"]) -> Float[ndarray, " entry"]:
    """For each entry the highest value of its group."""
    _, number = np.unique(group, return_inverse=True)
    best = np.full(int(number.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(best, number, value)
    return best[number]


def _least_of(group: ndarray, value: Float[ndarray, " entry"], count: int) -> Float[ndarray, " entry"]:
    """For each entry the lowest of the ``count`` highest values of its group; minus infinity if it has fewer."""
    last = _rank_in(group, -value) == count - 1
    return _best_of(group, np.where(last, value, -np.inf))


def _rank_in(group: ndarray, value: Float[ndarray, " entry"]) -> Int[ndarray, " entry"]:
    """How many entries of the same group have a lower value."""
    order = np.lexsort((value, group))
    rank = np.zeros(len(group), dtype=np.int64)
    rank[order] = rank_within(group[order])
    return rank
