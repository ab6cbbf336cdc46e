"""What a hunt has found so far: distinct valid states, and how many strategies each row has."""

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States, groups_of
from counterflownet.explain.strategy import Strategies
from counterflownet.tabular.factuals import Factuals


class Finds:
    """Distinct states in the order in which they came."""

    def __init__(self, table: Factuals) -> None:
        self._table = table
        self._parts: list[States] = []
        self._keys: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._strategies: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._rows: NDArray[np.int64] = np.zeros(0, dtype=np.int64)  # of the strategies

    def add(self, states: States) -> None:
        """Those of the states that are new."""
        states = states[states.distinct()[0]]
        keys = states.keys()
        new = ~np.isin(keys, self._keys)
        self._parts.append(states[new])
        self._keys = np.concatenate([self._keys, keys[new]])
        strategies = Strategies.of(self._table, self._parts[-1])
        found, first, _ = groups_of(strategies.keys)
        fresh = ~np.isin(found, self._strategies)
        self._strategies = np.concatenate([self._strategies, found[fresh]])
        self._rows = np.concatenate([self._rows, strategies.row[first[fresh]]])

    def short_of(self, asked: Int[ndarray, " asked"], wanted: int) -> Int[ndarray, " short"]:
        """Which of the factuals that are asked have fewer than ``wanted`` strategies."""
        counts = np.bincount(self._rows, minlength=int(asked.max(initial=-1)) + 1)
        return asked[counts[asked] < wanted]

    def joined(self) -> States:
        return States.joined(self._parts)
