"""What a hunt has found so far: distinct valid states, and how many strategies each row has."""

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States, found_in, groups_of
from counterflownet.explain.strategy import Strategies
from counterflownet.tabular.factuals import Factuals


class Finds:
    """Distinct states in the order in which they came."""

    def __init__(self, table: Factuals) -> None:
        self._table = table
        self._parts: list[States] = []
        self._keys: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)  # rising, like those of the strategies
        self._strategies: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._rows: list[NDArray[np.int64]] = []  # of the strategies

    def add(self, states: States) -> None:
        """Those of the states that are new."""
        keys, first, _ = groups_of(states.keys())
        new = ~found_in(self._keys, keys)
        self._keys = np.sort(np.concatenate([self._keys, keys[new]]))
        self._parts.append(states[np.sort(first[new])])
        strategies = Strategies.of(self._table, self._parts[-1])
        found, first, _ = groups_of(strategies.keys)
        fresh = ~found_in(self._strategies, found)
        self._strategies = np.sort(np.concatenate([self._strategies, found[fresh]]))
        self._rows.append(strategies.row[first[fresh]])

    def short_of(self, asked: Int[ndarray, " asked"], wanted: int) -> Int[ndarray, " short"]:
        """Which of the factuals that are asked have fewer than ``wanted`` strategies."""
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *self._rows])
        counts = np.bincount(rows, minlength=int(asked.max(initial=-1)) + 1)
        return asked[counts[asked] < wanted]

    def joined(self) -> States:
        return States.joined(self._parts)

    def of(self, rows: Int[ndarray, " some"]) -> States:
        """Those of some factuals."""
        return States.joined([part[np.isin(part.row.numpy(), rows)] for part in self._parts])
