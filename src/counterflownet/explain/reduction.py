"""Minimal counterfactuals: of the changes of a candidate, only sets that need every one of their members."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._states import States, rank_within
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.subsets import FEW, ChangeSubsets

__all__ = ["FEW", "Reduction"]

NEARLY_FEW = FEW + 2  # of states of so many changes, all parts can be asked about at once
UNDO_CELLS = 2_000_000  # of all states that come of undoing single changes at once
MANY = 20_000  # subsets from which on small ones are tried first: more calls of the classifier, about fewer states


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """How changes are undone, unless their row requires them; the ``oracle`` says what is valid."""

    own_codes: Int[ndarray, "row feature"]
    required: Bool[ndarray, "row feature"]
    oracle: Oracle

    def parts(self, states: States) -> States:
        """What may be asked about to reduce states of few changes, or nearly: every part that keeps all rules."""
        blocks = self._blocks(states[states.change_counts > 1], most=NEARLY_FEW)
        own = [block.states_of(block.open(range(1, FEW + 1))) for block in blocks]
        parts = States.joined([states[np.zeros(0, dtype=np.int64)], *own])
        return parts[self.oracle.keeps(parts)]

    def irreducible(self, states: States) -> States:
        """Every valid set of changes, within a state of at most FEW changes, of which no smaller part is valid.

        No two of those that come back are equal.
        """
        blocks = self._blocks(states)
        if not blocks:
            return states[np.zeros(0, dtype=np.int64)]
        many = sum(block.allowed.size for block in blocks) > MANY
        for sizes in [[size] for size in range(1, FEW + 1)] if many else [range(1, FEW + 1)]:
            self._try(blocks, list(sizes))
        found = States.joined([block.states_of(block.minimal()) for block in blocks])
        return found[found.distinct()[0]]

    def _blocks(self, states: States, most: int = FEW) -> list[ChangeSubsets]:
        counts = states.change_counts
        return [
            ChangeSubsets.of(states[counts == k], k, self.own_codes, self.required)
            for k in range(1, most + 1)
            if (counts == k).any()
        ]

    def _try(self, blocks: list[ChangeSubsets], sizes: list[int]) -> None:
        """Ask about all sets of these sizes of which it is not known yet that a part of them is valid."""
        chosen = [block.open(sizes) for block in blocks]
        states = [block.states_of(flags) for block, flags in zip(blocks, chosen, strict=True)]
        valid = self.oracle.valid(States.joined(states))
        ends = np.cumsum([len(part) for part in states])[:-1]
        for block, flags, answer in zip(blocks, chosen, np.split(valid, ends), strict=True):
            block.valid[flags] = answer

    def irreducible_after_undoing(self, states: States) -> States:
        """The same for states of more changes, which are undone until FEW are left or none can be undone.

        States that are not valid are left out.
        """
        valid = states[self.oracle.valid(states)]
        few = valid.change_counts <= FEW
        ends = States.joined([valid[few], self._undone(valid[~few])])
        ends = ends[ends.distinct()[0]]  # several ways may have led to one end
        many = ends.change_counts > FEW
        return States.joined([self.irreducible(ends[~many]), ends[many]])

    def _undone(self, active: States) -> States:
        """Valid states with as many changes undone at a time as leave them valid.

        The classifier is asked twice each time: about every change undone by itself, then about the changes undone one
        after the other, those first whose absence leaves the most slack.
        """
        finished = [active[np.zeros(0, dtype=np.int64)]]
        while len(active):
            stuck, shorter = zip(*(self._shortened(active[part]) for part in _parts(active)), strict=True)
            active = States.joined(shorter)
            active = active[active.distinct()[0]]  # many ways lead to the same few changes
            counts = active.change_counts
            finished += [*stuck, active[counts <= FEW]]
            active = active[counts > FEW]
        return States.joined(finished)

    def _shortened(self, active: States) -> tuple[States, States]:
        """Those of which no change can be undone, and the others with as many undone as can be at once."""
        undone, origin, feature = self.single_undos(active)
        verdicts = self.oracle.verdicts(undone)
        stuck = ~np.isin(np.arange(len(active)), origin[verdicts.valid])
        order = np.lexsort((feature, -verdicts.slack, origin))
        excess = active.change_counts[origin[order]] - FEW  # of the changes left then, all subsets are tried
        order = order[rank_within(origin[order]) < excess]
        return active[stuck], self._last_valid_links(active, origin[order], feature[order])

    def single_undos(self, states: States) -> tuple[States, Int[ndarray, " undone"], Int[ndarray, " undone"]]:
        """Every state without one of its changes, which state that was, and which change."""
        row, _, edited = states.numpy()
        origin, feature = (edited & ~self.required[row]).nonzero()
        undone = states[origin]
        self._undo(undone, np.arange(len(origin)), feature)
        return undone, origin, feature

    def _last_valid_links(
        self, states: States, origin: Int[ndarray, " undone"], feature: Int[ndarray, " undone"]
    ) -> States:
        """The last valid link of each state's chain of undos; chains that begin invalid are left out."""
        chains = self._chains(states, origin, feature)
        valid = self.oracle.valid(chains) & (chains.change_counts > 0)
        begun = np.flatnonzero(rank_within(origin) == 0)
        broken = np.cumsum(~valid)
        before: ndarray = broken[begun] - ~valid[begun]
        unbroken = broken == np.repeat(before, np.diff(np.append(begun, len(origin))))
        last = np.full(len(states), -1)
        (kept,) = unbroken.nonzero()
        last[origin[kept]] = kept  # the last one stays
        return chains[last[last >= 0]]

    def _chains(self, states: States, origin: Int[ndarray, " undone"], feature: Int[ndarray, " undone"]) -> States:
        """Every state without its first change, without its first two, and so on in the order that is given."""
        chains = states[origin]
        link = rank_within(origin)
        for back in range(int(link.max(initial=-1)) + 1):
            (at,) = (link >= back).nonzero()
            self._undo(chains, at, feature[at - back])
        return chains

    def _undo(self, states: States, at: Int[ndarray, " undone"], feature: Int[ndarray, " undone"]) -> None:
        row, codes, edited = states.numpy()
        codes[at, feature] = self.own_codes[row[at], feature]
        edited[at, feature] = False


def _parts(states: States) -> list[Int[ndarray, " part"]]:
    """The numbers of the states in parts of which all single undos fit into memory; one state fits always."""
    cells = np.cumsum(states.change_counts) * states.codes.shape[1]
    return [np.flatnonzero(cells // UNDO_CELLS == part) for part in np.unique(cells // UNDO_CELLS)]
