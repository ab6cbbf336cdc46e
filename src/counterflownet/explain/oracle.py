"""What the classifier says of the states of one chunk: each is asked about once, however often it is met."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States, groups_of
from counterflownet.explain.memory import Keys, Memory
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
        self._known = Memory(np.zeros(0, dtype=np.bool_), np.zeros(0))
        self.reach = Reach()

    def soon(self, states: States) -> None:
        """Ask about these states with the next call."""
        self._waiting.append(states)

    def told(self, candidates: Candidates) -> None:
        """What the classifier was asked about before."""
        keys, first, _ = groups_of(candidates.states.keys())
        self._remember(keys, candidates.row[first], self._ruled(candidates.states, self._judged(candidates))[first])

    def verdicts(self, states: States, *, kept: bool = False) -> Verdicts:
        """What is known of each state after the classifier was asked about those that are new.

        Whether they keep all rules is not looked at again if that is known of all (``kept``).
        """
        keys, first, number = groups_of(states.keys())
        new = ~self._known.knows(keys)
        if new.any():
            self._learn(keys[new], states[first[new]], kept=kept and not self._waiting)
        return Verdicts(*self._known.of(keys))[number]

    def valid(self, states: States) -> Bool[ndarray, " state"]:
        """Which states are valid; the classifier is not asked about those that break a rule, which are not."""
        if self._kept is None:
            return self.verdicts(states).valid
        valid = self._kept(states)
        valid[valid] = self.verdicts(states[valid], kept=True).valid
        return valid

    @property
    def ruled(self) -> bool:
        """Whether there are rules that states may break."""
        return self._kept is not None

    def keeps(self, states: States) -> Bool[ndarray, " state"]:
        """Which states break no rule."""
        return np.ones(len(states), dtype=np.bool_) if self._kept is None else self._kept(states)

    def asked_about(self, row_count: int) -> Int[ndarray, " row"]:
        """About how many states of each row the classifier was asked."""
        return np.bincount(np.concatenate([np.zeros(0, np.int64), *self._rows]), minlength=row_count)

    def _learn(self, keys: Keys, states: States, *, kept: bool) -> None:
        """Ask about these states, which are new, and about those that were to be asked about soon."""
        keys, states = self._with_waiting(keys, states)
        answers = [self._asked(states[part], kept=kept) for part in _parts(len(states), states.codes.shape[1])]
        valid, slack = (np.concatenate([getattr(answer, name) for answer in answers]) for name in ("valid", "slack"))
        self._remember(keys, states.row.numpy(), Verdicts(valid, slack))

    def _remember(self, keys: Keys, row: Int[ndarray, " state"], verdicts: Verdicts) -> None:
        self._rows.append(row)
        self._known.learn(keys, verdicts.valid, verdicts.slack)

    def _with_waiting(self, keys: Keys, states: States) -> tuple[Keys, States]:
        if not self._waiting:
            return keys, states
        states, self._waiting = States.joined([states, *self._waiting]), []
        keys, first, _ = groups_of(states.keys())
        new = ~self._known.knows(keys)
        return keys[new], states[first[new]]

    def _asked(self, states: States, *, kept: bool) -> Verdicts:
        judged = self._judged(self._ask(states))
        return judged if kept else self._ruled(states, judged)

    def _ruled(self, states: States, judged: Verdicts) -> Verdicts:
        if self._kept is None:
            return judged
        keeps = self._kept(states)  # what breaks a rule may be on its way to something that does not
        return Verdicts(judged.valid & keeps, np.where(keeps, judged.slack, np.minimum(judged.slack, 0.0)))

    def _judged(self, candidates: Candidates) -> Verdicts:
        if isinstance(candidates.target, IntervalGoals):
            self.reach.see(candidates)
        return Verdicts(candidates.valid, candidates.slack)


def _parts(count: int, columns: int) -> list[Int[ndarray, " part"]]:
    size = max(1, MOST_CELLS // columns)
    return [np.arange(start, min(start + size, count)) for start in range(0, count, size)]
