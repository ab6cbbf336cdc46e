"""What was found out about states, by their keys: nothing that takes long is done twice."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import found_in

Keys = NDArray[np.uint64]


class Memory:
    """Some values of every state that is known; keys that are asked about must rise, as those that are learned."""

    def __init__(self, *values: ndarray) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)  # rising
        self._values = values

    def knows(self, keys: Keys) -> Bool[ndarray, " key"]:
        return found_in(self._keys, keys)

    def of(self, keys: Keys) -> tuple[ndarray, ...]:
        """The values of states that are known."""
        place = np.searchsorted(self._keys, keys)
        return tuple(value[place] for value in self._values)

    def learn(self, keys: Keys, *values: ndarray) -> None:
        """The values of states that were not known."""
        merge = _Merge.of(self._keys, keys)  # both are rising: merging is quicker than sorting anew
        self._keys = merge(self._keys, keys)
        self._values = tuple(merge(*pair) for pair in zip(self._values, values, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Merge:
    """How two rising arrays become one: where the entries of either stand in it."""

    old: Int[ndarray, " old"]
    new: Int[ndarray, " new"]

    @classmethod
    def of(cls, old: Keys, new: Keys) -> "_Merge":
        place = np.searchsorted(old, new) + np.arange(len(new))
        is_old = np.ones(len(old) + len(new), dtype=np.bool_)
        is_old[place] = False
        return cls(np.flatnonzero(is_old), place)

    def __call__(self, old: ndarray, new: ndarray) -> ndarray:
        merged = np.empty(len(old) + len(new), dtype=old.dtype)
        merged[self.old], merged[self.new] = old, new
        return merged
