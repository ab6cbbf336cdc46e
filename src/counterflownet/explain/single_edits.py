"""Single edits of factuals, and what they lead to where rules ask for more besides."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States

HOPE, HOPE_OF_WAY = 0.3, 0.3  # log-odds, and share of the whole way, by which a pair may surpass its sum


@dataclass(frozen=True, slots=True, eq=False)
class Edits:
    """Single edits of factuals: row, feature and place; ``states`` are the factuals with one edit each.

    Where rules ask for company, the states may have that as well: then they are what the edits are good for.
    """

    row: Int[ndarray, " edit"]
    feature: Int[ndarray, " edit"]
    place: Int[ndarray, " edit"]
    states: States

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, chosen: ndarray) -> "Edits":
        return Edits(self.row[chosen], self.feature[chosen], self.place[chosen], self.states[chosen])

    def joined(self, others: "Edits") -> "Edits":
        """These and the others, row by row."""
        row, feature, place = (
            np.concatenate([getattr(self, name), getattr(others, name)]) for name in ("row", "feature", "place")
        )
        both = Edits(row, feature, place, States.joined([self.states, others.states]))
        return both[np.argsort(row, kind="stable")]

    def in_company(self, which: Int[ndarray, " some"], states: States) -> "Edits":
        """The same, some of them with what comes besides."""
        own = States.joined([self.states, states])
        taken = np.arange(len(self))
        taken[which] = len(self) + np.arange(len(which))
        return replace(self, states=own[taken])


@dataclass(frozen=True, slots=True, eq=False)
class Openings:
    """Edits that are not enough by themselves: the slack after each, and what its factual ``lacks`` before."""

    edits: Edits
    slack: Float[ndarray, " edit"]
    lacks: Float[ndarray, " edit"]

    def __getitem__(self, chosen: ndarray) -> "Openings":
        return Openings(self.edits[chosen], self.slack[chosen], self.lacks[chosen])

    def hopeful(self, one: ndarray, other: ndarray) -> Bool[ndarray, " pair"]:
        """Which pairs of them may be enough, if what the two bring adds up, or does nearly."""
        lacks = self.lacks[one]
        return self.slack[one] + self.slack[other] + lacks > -(HOPE + HOPE_OF_WAY * lacks)


def united(ones: States, others: States) -> States:
    """Pairs of states of the same factual with the changes of both, where these do not contradict each other."""
    row, places, edited = ones.numpy()
    _, other_places, also = others.numpy()
    apart = (edited & also & (places != other_places)).any(axis=1)
    both = States.of_arrays(row, np.where(also, other_places, places), edited | also)
    return both[~apart] if apart.any() else both
