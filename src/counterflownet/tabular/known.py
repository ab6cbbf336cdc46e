"""What was found out about situations, by their names: looked up, or joined by more."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.tabular.elimination import Costs

MOST_KNOWN = 20_000_000  # numbers that are kept in mind; what was known before is forgotten then
MOST_SITUATIONS = 50_000  # of them: all are sorted whenever new ones come
Names = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What situations need at least, and beside each kind of each column."""

    names: Names  # rising
    place: Int[ndarray, " known"]
    least: Costs
    beside: Costs

    @classmethod
    def nothing(cls, columns: int, width: int, dtype: np.dtype[np.signedinteger]) -> "Known":
        beside = np.zeros((0, columns, width), dtype=dtype)
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, dtype=np.int64), beside)

    @property
    def has_room(self) -> bool:
        return self.beside.size < MOST_KNOWN and len(self.names) < MOST_SITUATIONS

    def places(self, names: Names) -> Int[ndarray, " name"]:
        """Where situations of these names are among those that are known, -1 for those that are not."""
        if len(self.names) == 0:
            return np.full(len(names), -1)
        at = np.minimum(np.searchsorted(self.names, names), len(self.names) - 1)
        return np.where(self.names[at] == names, self.place[at], -1)

    def joined_by(self, names: Names, least: Costs, beside: Costs) -> "Known":
        """The same with more situations."""
        every = np.concatenate([self.names, names])
        place = np.concatenate([self.place, len(self.names) + np.arange(len(names))])
        order = np.argsort(every, kind="stable")  # both parts are rising, which makes this a merge
        both = np.concatenate([self.least, least]), np.concatenate([self.beside, beside])
        return Known(every[order], place[order], *both)
