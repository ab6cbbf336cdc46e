"""Minimal counterfactuals: of the changes of a candidate, only sets that need every one of their members."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.explain.candidates import Edited, places

Leads = Callable[[Edited], Float[ndarray, " state"]]
FEW = 4  # the subsets of so many changes are all tried
MANY = 20_000  # subsets from which on small ones are tried first: more calls of the classifier, about fewer states


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """How changes are undone.

    ``leads`` says how far the target class leads, above 0 if valid. A change may be undone unless its row requires it.
    """

    own_codes: Int[ndarray, "row feature"]
    required: Bool[ndarray, "row feature"]
    leads: Leads

    def irreducible(self, states: Edited) -> Edited:
        """Every valid set of changes, within a state of at most FEW changes, of which no smaller part is valid.

        No two of those that come back are equal.
        """
        counts = _change_counts(states)
        blocks = [_Block.of(states[counts == k], k, self) for k in range(1, FEW + 1) if (counts == k).any()]
        if not blocks:
            return states[np.arange(0)]
        many = sum(block.allowed.size for block in blocks) > MANY
        for sizes in [[size] for size in range(1, FEW + 1)] if many else [range(1, FEW + 1)]:
            self._try(blocks, sizes)
        found = Edited.joined([block.minimal() for block in blocks])
        return found[found.distinct()[0]]

    def _try(self, blocks: Sequence["_Block"], sizes: Sequence[int]) -> None:
        """Ask about all sets of these sizes of which it is not known yet that a part of them is valid."""
        asked = [block.open(sizes) for block in blocks]
        states = [block.states_of(some) for block, some in zip(blocks, asked, strict=True)]
        valid = np.split(self._valid(Edited.joined(states)), np.cumsum([len(part) for part in states])[:-1])
        for block, some, answer in zip(blocks, asked, valid, strict=True):
            block.valid[some] = answer

    def irreducible_after_undoing(self, states: Edited) -> Edited:
        """The same for states of more changes, which are undone until FEW are left or none can be undone.

        States that are not valid are left out.
        """
        ends = self._undone(states[self._valid(states)])
        many = _change_counts(ends) > FEW
        return self.irreducible(ends[~many]).with_new(ends[many])

    def _undone(self, active: Edited) -> Edited:
        """Valid states with as many changes undone at a time as leave them valid.

        The classifier is asked twice each time: about every change undone by itself, then about the changes undone one
        after the other, those first whose absence leaves the largest lead.
        """
        finished = [active[np.arange(0)]]
        while len(active):
            undone, origin, feature = self._single_undos(active)
            leads = self._leads(undone)
            stuck = ~np.isin(np.arange(len(active)), origin[leads > 0])
            finished.append(active[stuck])
            order = np.lexsort((feature, -leads, origin))
            order = order[places(origin[order]) < _change_counts(active)[origin[order]] - FEW]  # all subsets of these
            chains = self._chains(active, origin[order], feature[order])
            active = self._last_valid(chains, origin[order], len(active))
            active = active[active.distinct()[0]]  # many ways lead to the same few changes: each is followed once
            finished.append(active[_change_counts(active) <= FEW])
            active = active[_change_counts(active) > FEW]
        return Edited.joined(finished)

    def _leads(self, states: Edited) -> Float[ndarray, " state"]:
        first, number = states.distinct()
        return np.asarray(self.leads(states[first]))[number]

    def _valid(self, states: Edited) -> Bool[ndarray, " state"]:
        return self._leads(states) > 0

    def _single_undos(self, states: Edited) -> tuple[Edited, Int[ndarray, " undone"], Int[ndarray, " undone"]]:
        """Every state without one of its changes, which state that was, and which change."""
        origin, feature = (states.changed & ~self.required[states.row]).nonzero()
        undone = states[origin]
        self._undo(undone, np.arange(len(origin)), feature)
        return undone, origin, feature

    def _chains(self, states: Edited, origin: Int[ndarray, " undone"], feature: Int[ndarray, " undone"]) -> Edited:
        """Every state without its first change, without its first two, and so on in the order that is given."""
        chains = states[origin]
        link = places(origin)
        for back in range(int(link.max(initial=-1)) + 1):
            (at,) = (link >= back).nonzero()
            self._undo(chains, at, feature[at - back])
        return chains

    def _undo(self, states: Edited, at: Int[ndarray, " undone"], feature: Int[ndarray, " undone"]) -> None:
        states.codes[at, feature] = self.own_codes[states.row[at], feature]
        states.changed[at, feature] = False

    def _last_valid(self, chains: Edited, origin: Int[ndarray, " undone"], state_count: int) -> Edited:
        """Of each chain its last link before the first that is not valid; chains whose first is not are left out."""
        valid = self._valid(chains) & chains.touched
        begun = np.flatnonzero(places(origin) == 0)
        broken = np.cumsum(~valid)
        before = broken[begun] - ~valid[begun]
        unbroken = broken == np.repeat(before, np.diff(np.append(begun, len(origin))))
        last = np.full(state_count, -1)
        (kept,) = unbroken.nonzero()
        last[origin[kept]] = kept  # the last one stays
        return chains[last[last >= 0]]


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """States of exactly k changes; subset ``b`` keeps the i-th change if bit i of ``b`` is set.

    ``allowed`` subsets keep something, and all that is required; those that are known to be ``valid`` are marked.
    """

    states: Edited
    features: Int[ndarray, "state k"]
    own_codes: Int[ndarray, "row feature"]
    allowed: Bool[ndarray, "state subset"]
    valid: Bool[ndarray, "state subset"]

    @classmethod
    def of(cls, states: Edited, k: int, reduction: Reduction) -> "_Block":
        features = states.changed.nonzero()[1].reshape(len(states), k)
        needed = np.take_along_axis(reduction.required[states.row], features, axis=1)
        members = _members(k)
        lacking = needed[:, None, :] & ~members
        allowed = ~lacking.any(axis=2) & members.any(axis=1)
        return cls(states, features, reduction.own_codes, allowed, np.zeros_like(allowed))

    def open(self, sizes: Sequence[int]) -> Bool[ndarray, "state subset"]:
        """Allowed subsets of these sizes that hold no smaller one that is valid, as far as is known."""
        right = np.isin(_members(self.features.shape[1]).sum(axis=1), list(sizes))
        return self.allowed & right & ~self._above_valid()

    def states_of(self, some: Bool[ndarray, "state subset"]) -> Edited:
        """The states that keep only the changes of these subsets."""
        state, subset = some.nonzero()
        found = self.states[state]
        at, place = (~_members(self.features.shape[1])[subset]).nonzero()
        feature = self.features[state[at], place]
        found.codes[at, feature] = self.own_codes[found.row[at], feature]
        found.changed[at, feature] = False
        return found

    def minimal(self) -> Edited:
        return self.states_of(self.valid & ~self._above_valid())

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


def _change_counts(states: Edited) -> Int[ndarray, " state"]:
    counts: ndarray = states.changed.sum(axis=1)
    return counts
