"""Strategies: which columns an answer changes, and in which direction. Answers of one strategy are variations."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States
from counterflownet.seeds import row_names
from counterflownet.tabular.factuals import Factuals

FEW_STRATEGIES = 4  # of a row, that are shown whatever they are worth
UP, DOWN, OTHER = 1, 2, 3  # other: the values have no order, or there was none before


@dataclass(frozen=True, slots=True, eq=False)
class Strategies:
    """Of some states, the direction of every change (0 where there is none) and how far each number was moved."""

    row: Int[ndarray, " state"]
    direction: Int[ndarray, "state feature"]
    move: Float[ndarray, "state feature"]
    place: Int[ndarray, "state feature"]

    @classmethod
    def of(cls, table: Factuals, states: States) -> "Strategies":
        row, places, edited = states.numpy()
        direction, move = np.where(edited, OTHER, 0), np.zeros(places.shape)
        for d, feature in enumerate(table.codec.schema):
            (at,) = edited[:, d].nonzero()
            if feature.has_order and len(at):
                moved = table.codec.numbers(d, row[at], places[at, d]) - table.coordinates[row[at], d]
                known = ~np.isnan(moved)
                direction[at[known], d] = np.where(moved[known] > 0, UP, DOWN)
                move[at[known], d] = np.abs(moved[known])
        return cls(row, direction, move, np.where(direction == OTHER, places, -1))

    @property
    def keys(self) -> NDArray[np.uint64]:
        """One number per state by which states of the same row and strategy are recognised."""
        return row_names(np.column_stack([self.row, self.direction]).astype(np.int64))

    @property
    def covered(self) -> Bool[ndarray, " state"]:
        """Whether one number of a state is moved so far that a state which moves it alone moves it no further.

        Made tight, nothing but that change would be left of it, or something that is reached by other states as well.
        """
        changes = np.einsum("sf->s", (self.direction > 0).view(np.int8), dtype=np.int64)
        covered = np.zeros(len(self.row), dtype=np.bool_)
        for way in (UP, DOWN):
            moved = self.direction == way
            alone, feature = (moved & (changes == 1)[:, None]).nonzero()
            if len(alone):
                least = np.full((int(self.row.max()) + 1, moved.shape[1]), np.inf)
                np.minimum.at(least, (self.row[alone], feature), self.move[alone, feature])
                covered |= (moved & (self.move >= least[self.row])).any(axis=1)
        return covered & (changes > 1)

    @property
    def dominated(self) -> Bool[ndarray, " state"]:
        """Whether another variation moves every number the same way by no more, and one by less."""
        variations = row_names(np.column_stack([self.row, self.direction, self.place]).astype(np.int64))
        order = np.argsort(variations, kind="stable")
        dominated = np.zeros(len(order), dtype=np.bool_)
        for apart in range(1, len(order)):
            one, other = order[:-apart], order[apart:]
            same = variations[one] == variations[other]
            if not same.any():
                break
            one, other = one[same], other[same]
            dominated[other] |= _smaller(self.move[one], self.move[other])
            dominated[one] |= _smaller(self.move[other], self.move[one])
        return dominated


def _smaller(move: Float[ndarray, "pair feature"], than: Float[ndarray, "pair feature"]) -> Bool[ndarray, " pair"]:
    return np.logical_and((move <= than).all(axis=1), (move < than).any(axis=1))
