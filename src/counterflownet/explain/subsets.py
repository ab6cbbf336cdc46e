"""All subsets of a few changes: which were tried, which are valid, which of these are minimal."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._states import States

FEW = 4  # the subsets of so many changes are all tried


@dataclass(frozen=True, slots=True, eq=False)
class ChangeSubsets:
    """States of exactly k changes and the subsets of these; subset ``b`` keeps the i-th change if bit i is set.

    ``allowed`` subsets keep something, and all that is required; those known to be ``valid`` are marked.
    """

    states: States
    features: Int[ndarray, "state k"]
    own_codes: Int[ndarray, "row feature"]
    allowed: Bool[ndarray, "state subset"]
    valid: Bool[ndarray, "state subset"]

    @classmethod
    def of(
        cls, states: States, k: int, own_codes: Int[ndarray, "row feature"], required: Bool[ndarray, "row feature"]
    ) -> "ChangeSubsets":
        row, _, edited = states.numpy()
        features = edited.nonzero()[1].reshape(len(states), k)
        needed = np.take_along_axis(required[row], features, axis=1)
        members = _members(k)
        lacking = needed[:, None, :] & ~members
        allowed = ~lacking.any(axis=2) & members.any(axis=1)
        return cls(states, features, own_codes, allowed, np.zeros_like(allowed))

    def open(self, sizes: Sequence[int]) -> Bool[ndarray, "state subset"]:
        """Allowed subsets of these sizes that hold no smaller one that is valid, as far as is known."""
        right = np.isin(_members(self.features.shape[1]).sum(axis=1), list(sizes))
        return self.allowed & right & ~self._above_valid()

    def states_of(self, chosen: Bool[ndarray, "state subset"]) -> States:
        """The states that keep only the changes of these subsets."""
        state, subset = chosen.nonzero()
        reduced = self.states[state]
        row, codes, edited = reduced.numpy()
        at, place = (~_members(self.features.shape[1])[subset]).nonzero()
        feature = self.features[state[at], place]
        codes[at, feature] = self.own_codes[row[at], feature]
        edited[at, feature] = False
        return reduced

    def minimal(self) -> Bool[ndarray, "state subset"]:
        """Which subsets are valid while none of their parts is."""
        return self.valid & ~self._above_valid()

    def _above_valid(self) -> Bool[ndarray, "state subset"]:
        """Which subsets hold a smaller one that is valid."""
        members = _members(self.features.shape[1])
        above: ndarray = np.zeros_like(self.valid)
        if not self.valid.any():  # nothing was asked yet
            return above
        for subset in np.argsort(members.sum(axis=1), kind="stable"):  # small ones first
            for place in np.flatnonzero(members[subset]):
                part = subset ^ (1 << place)
                above[:, subset] |= self.valid[:, part] | above[:, part]
        return above


@cache
def _members(k: int) -> Bool[ndarray, "subset k"]:
    """Which of k changes each subset keeps; the first one keeps none."""
    return (np.arange(2**k)[:, None] >> np.arange(k)) & 1 > 0
