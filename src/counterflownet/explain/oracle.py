"""What the classifier says of the states of one chunk: each is asked about once, however often it is met."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States
from counterflownet.explain.reach import Reach
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.goals import IntervalGoals

Kept = Bool[ndarray, " state"]

MOST_CELLS = 2_000_000  # of all states that are decoded and asked about at once


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Whether states are valid and keep all rules, and by how much they are valid, or fail to be."""

    valid: Bool[ndarray, " state"]
    slack: Float[ndarray, " state"]

    def __getitem__(self, chosen: ndarray) -> "Verdicts":
        return Verdicts(self.valid[chosen], self.slack[chosen])


class Oracle:
    """Asks about states, and remembers; a call costs more than the states in it, so that some can wait for the next."""

    def __init__(self, ask: Callable[[States], Candidates], kept: Callable[[States], Kept] | None = None) -> None:
        self._ask, self._kept = ask, kept
        self._waiting: list[States] = []
        self._rows: list[Int[ndarray, " state"]] = []
        self._keys: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)  # rising
        self._known = Verdicts(np.zeros(0, dtype=np.bool_), np.zeros(0))
        self.reach = Reach()

    def soon(self, states: States) -> None:
        """Ask about these states with the next call."""
        self._waiting.append(states)

    def verdicts(self, states: States) -> Verdicts:
        """What is known of each state after the classifier was asked about those that are new."""
        keys = states.keys()
        order = np.argsort(keys)  # what is looked up in order is found faster
        if not self._knows(keys[order]).all():
            self._learn(States.joined([states, *self._waiting]))
            self._waiting = []
        place = np.empty(len(keys), dtype=np.int64)
        place[order] = np.searchsorted(self._keys, keys[order])
        return self._known[place]

    def valid(self, states: States) -> Bool[ndarray, " state"]:
        """Which states are valid; the classifier is not asked about those that break a rule, which are not."""
        if self._kept is None:
            return self.verdicts(states).valid
        valid = self._kept(states)
        valid[valid] = self.verdicts(states[valid]).valid
        return valid

    def asked_about(self, row_count: int) -> Int[ndarray, " row"]:
        """About how many states of each row the classifier was asked."""
        return np.bincount(np.concatenate([np.zeros(0, np.int64), *self._rows]), minlength=row_count)

    def _knows(self, keys: NDArray[np.uint64]) -> Bool[ndarray, " key"]:
        if len(self._keys) == 0:
            return np.zeros(len(keys), dtype=np.bool_)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return self._keys[place] == keys

    def _learn(self, states: States) -> None:
        keys, first = np.unique(states.keys(), return_index=True)
        new = ~self._knows(keys)
        keys, states = keys[new], states[first[new]]
        self._rows.append(states.row.numpy())
        answers = [self._asked(states[part]) for part in _parts(len(states), states.codes.shape[1])]
        at = np.searchsorted(self._keys, keys)  # both are rising: inserting is quicker than sorting anew
        valid = np.insert(self._known.valid, at, np.concatenate([answer.valid for answer in answers]))
        slack = np.insert(self._known.slack, at, np.concatenate([answer.slack for answer in answers]))
        self._keys, self._known = np.insert(self._keys, at, keys), Verdicts(valid, slack)

    def _asked(self, states: States) -> Verdicts:
        candidates = self._ask(states)
        if isinstance(candidates.target, IntervalGoals):
            self.reach.see(candidates)
        if self._kept is None:
            return Verdicts(candidates.valid, candidates.slack)
        kept = self._kept(states)  # what breaks a rule may be on its way to something that does not
        return Verdicts(candidates.valid & kept, np.where(kept, candidates.slack, np.minimum(candidates.slack, 0.0)))


def _parts(count: int, columns: int) -> list[Int[ndarray, " part"]]:
    size = max(1, MOST_CELLS // columns)
    return [np.arange(start, min(start + size, count)) for start in range(0, count, size)]
