"""Minimal counterfactuals: changes that are not needed are undone."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.explain.candidates import Edited

Leads = Callable[[Edited], Float[ndarray, " state"]]


def irreducible(
    states: Edited, own_codes: Int[ndarray, "row feature"], required: Bool[ndarray, "row feature"], leads: Leads
) -> Edited:
    """Valid states after undoing single changes for as long as one of them can be undone.

    A change can be undone if no constraint requires it and the target class still leads (``leads`` above 0) without it.
    Of several the one that leaves the largest lead is undone first. No two of the states that come back are equal.
    """
    finished, active = [], states
    while len(active):
        undone, origin = _single_undos(active, own_codes, required)
        best = _best_undo(undone, origin, len(active), leads)
        finished.append(active[best < 0])
        active = undone[best[best >= 0]]
        active = active[active.distinct()[0]]  # many ways lead to the same few changes: each is followed once
    together = Edited.joined([*finished, active])
    return together[together.distinct()[0]]


def _single_undos(
    states: Edited, own_codes: Int[ndarray, "row feature"], required: Bool[ndarray, "row feature"]
) -> tuple[Edited, Int[ndarray, " undone"]]:
    """Every state without one of its changes, and which state that was; the last change of all is left alone."""
    several = states.changed.sum(axis=1) > 1
    origin, feature = (states.changed & ~required[states.row] & several[:, None]).nonzero()
    at = np.arange(len(origin))
    undone = states[origin]
    undone.codes[at, feature] = own_codes[undone.row, feature]
    undone.changed[at, feature] = False
    return undone, origin


def _best_undo(
    undone: Edited, origin: Int[ndarray, " undone"], state_count: int, leads: Leads
) -> Int[ndarray, " state"]:
    """For each state the number of its best valid undo, -1 if it has none."""
    best = np.full(state_count, -1)
    if len(undone):
        first, number = undone.distinct()
        lead = leads(undone[first])[number]
        order = np.lexsort((-np.arange(len(lead)), lead))  # the largest lead comes last and so stays
        order = order[lead[order] > 0]
        best[origin[order]] = order
    return best
