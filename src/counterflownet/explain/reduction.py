"""Minimal counterfactuals: of the changes of a candidate, only sets that need every one of their members."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._states import States, rank_within
from counterflownet.explain.subsets import FEW, ChangeSubsets
from counterflownet.reward.candidates import Candidates

__all__ = ["FEW", "Reduction"]

UNDO_CELLS = 2_000_000  # of all states that are decoded and asked about at once while changes are undone
MANY = 20_000  # subsets from which on small ones are tried first: more calls of the classifier, about fewer states


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """How changes are undone, unless their row requires them; ``ask`` decodes states and asks the classifier."""

    own_codes: Int[ndarray, "row feature"]
    required: Bool[ndarray, "row feature"]
    ask: Callable[[States], Candidates]

    def irreducible(self, states: States) -> Candidates:
        """Every valid set of changes, within a state of at most FEW changes, of which no smaller part is valid.

        No two of those that come back are equal.
        """
        counts = states.change_counts
        blocks = [
            ChangeSubsets.of(states[counts == k], k, self.own_codes, self.required)
            for k in range(1, FEW + 1)
            if (counts == k).any()
        ]
        if not blocks:
            return self.ask(states[np.zeros(0, dtype=np.int64)])
        many = sum(block.allowed.size for block in blocks) > MANY
        turns = [[size] for size in range(1, FEW + 1)] if many else [range(1, FEW + 1)]
        answers = _Answers()
        for sizes in turns:
            self._try(blocks, sizes, answers)
        return answers.of(np.concatenate([block.number[block.minimal()] for block in blocks]))

    def _try(self, blocks: Sequence[ChangeSubsets], sizes: Sequence[int], answers: "_Answers") -> None:
        """Ask about all sets of these sizes of which it is not known yet that a part of them is valid."""
        chosen = [block.open(sizes) for block in blocks]
        states = [block.states_of(flags) for block, flags in zip(blocks, chosen, strict=True)]
        number, valid = answers.add(*self._asked_once(States.joined(states)))
        ends = np.cumsum([len(part) for part in states])[:-1]
        for block, flags, numbers, answer in zip(
            blocks, chosen, np.split(number, ends), np.split(valid, ends), strict=True
        ):
            block.number[flags], block.valid[flags] = numbers, answer

    def irreducible_after_undoing(self, states: States) -> Candidates:
        """The same for states of more changes, which are undone until FEW are left or none can be undone.

        States that are not valid are left out.
        """
        asked, _ = self._asked_once(states)
        ends = self._undone(asked[np.flatnonzero(asked.valid)])
        ends = ends[ends.states.distinct()[0]]  # several ways may have led to one end
        many = ends.states.change_counts > FEW
        return Candidates.joined([self.irreducible(ends.states[~many]), ends[np.flatnonzero(many)]])

    def _undone(self, active: Candidates) -> Candidates:
        """Valid candidates with as many changes undone at a time as leave them valid.

        The classifier is asked twice each time: about every change undone by itself, then about the changes undone one
        after the other, those first whose absence leaves the largest lead.
        """
        finished = [active[np.zeros(0, dtype=np.int64)]]
        while len(active):
            stuck, shorter = zip(*(self._shortened(active[part]) for part in _parts(active.states)), strict=True)
            active = Candidates.joined(shorter)
            active = active[active.states.distinct()[0]]  # many ways lead to the same few changes
            counts = active.states.change_counts
            finished += [*stuck, active[np.flatnonzero(counts <= FEW)]]
            active = active[np.flatnonzero(counts > FEW)]
        return Candidates.joined(finished)

    def _shortened(self, active: Candidates) -> tuple[Candidates, Candidates]:
        """Those of which no change can be undone, and the others with as many undone as can be at once."""
        undone, origin, feature = self._single_undos(active.states)
        asked, number = self._asked_once(undone)
        leads = asked.lead[number]
        stuck = ~np.isin(np.arange(len(active)), origin[leads > 0])
        order = np.lexsort((feature, -leads, origin))
        excess = active.states.change_counts[origin[order]] - FEW  # of the changes left then, all subsets are tried
        order = order[rank_within(origin[order]) < excess]
        return active[np.flatnonzero(stuck)], self._last_valid_links(active.states, origin[order], feature[order])

    def _asked_once(self, states: States) -> tuple[Candidates, Int[ndarray, " state"]]:
        """The distinct ones among the states, asked about, and which of these every state is."""
        first, number = states.distinct()
        return self.ask(states[first]), number

    def _single_undos(self, states: States) -> tuple[States, Int[ndarray, " undone"], Int[ndarray, " undone"]]:
        """Every state without one of its changes, which state that was, and which change."""
        row, _, edited = states.numpy()
        origin, feature = (edited & ~self.required[row]).nonzero()
        undone = states[origin]
        self._undo(undone, np.arange(len(origin)), feature)
        return undone, origin, feature

    def _last_valid_links(
        self, states: States, origin: Int[ndarray, " undone"], feature: Int[ndarray, " undone"]
    ) -> Candidates:
        """The last valid link of each state's chain of undos; chains that begin invalid are left out."""
        chains = self._chains(states, origin, feature)
        asked, number = self._asked_once(chains)
        valid = asked.valid[number] & (chains.change_counts > 0)
        begun = np.flatnonzero(rank_within(origin) == 0)
        broken = np.cumsum(~valid)
        before = broken[begun] - ~valid[begun]
        unbroken = broken == np.repeat(before, np.diff(np.append(begun, len(origin))))
        last = np.full(len(states), -1)
        (kept,) = unbroken.nonzero()
        last[origin[kept]] = kept  # the last one stays
        return asked[_first_occurrences(number[last[last >= 0]])]

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


class _Answers:
    """What the classifier said in several calls, under running numbers."""

    def __init__(self) -> None:
        self._parts: list[Candidates] = []
        self._ends = [0]

    def add(
        self, asked: Candidates, number: Int[ndarray, " state"]
    ) -> tuple[Int[ndarray, " state"], Bool[ndarray, " state"]]:
        """The running number of every state of a call, and whether it is valid."""
        self._parts.append(asked)
        start = self._ends[-1]
        self._ends.append(start + len(asked))
        return start + number, asked.valid[number]

    def of(self, numbers: Int[ndarray, " chosen"]) -> Candidates:
        """The candidates of these numbers, in the order in which they first occur."""
        numbers = _first_occurrences(numbers)
        part = np.searchsorted(self._ends, numbers, side="right") - 1
        chosen = [one[numbers[part == p] - self._ends[p]] for p, one in enumerate(self._parts)]
        if len(chosen) == 1:
            return chosen[0]
        together = Candidates.joined(chosen)
        return together[np.argsort(np.argsort(part, kind="stable"), kind="stable")]


def _first_occurrences(numbers: Int[ndarray, " number"]) -> Int[ndarray, " distinct"]:
    """Each number once, in the order of first occurring."""
    _, first = np.unique(numbers, return_index=True)
    return numbers[np.sort(first)]
