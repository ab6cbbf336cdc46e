"""The local outlier factor (Breunig et al. 2000): how much sparser data is around a row than around its neighbours."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from counterflownet.reward.neighbours import NeighbourIndex
from counterflownet.seeds import numpy_generator

NEIGHBOURS = 20
Rows = Float[ndarray, "row dimension"]


class LocalOutlierFactor:
    """The factor of new rows with respect to reference rows: about 1 inside the data, larger outside.

    Reference rows must be distinct: repeated rows would make densities infinite, and with them nearby factors.
    """

    def __init__(self, reference: Float[ndarray, "reference dimension"], *, exact: bool = False) -> None:
        self.reference = reference
        self.neighbours = min(NEIGHBOURS, len(reference) - 1)
        self._index = NeighbourIndex(reference, exact=exact)
        if self.neighbours > 0:
            distance, near = self._others(reference)
            self._reach = distance[:, -1]
            self._density = _density(distance, self._reach[near])

    @classmethod
    def fit(cls, rows: Rows, *, reference_rows: int | None, seed: int) -> "LocalOutlierFactor":
        """The factor with respect to ``reference_rows`` distinct rows drawn by ``seed``, or all of them if None."""
        distinct = np.unique(rows, axis=0)
        if reference_rows is not None and len(distinct) > reference_rows:
            chosen = numpy_generator(seed, "outlier reference").choice(len(distinct), reference_rows, replace=False)
            distinct = distinct[np.sort(chosen)]
        return cls(distinct)

    def __call__(self, rows: Rows, *, roughly: bool = False) -> Float[ndarray, " row"]:
        """The factor of each row; ``roughly``, by neighbours that were searched for in less time."""
        if self.neighbours == 0 or len(rows) == 0:  # there is no density around a single reference row
            return np.ones(len(rows))
        distance, near = self._index.nearest(rows, self.neighbours, roughly=roughly)
        return self._density[near].mean(axis=1) / _density(distance, self._reach[near])

    def _others(self, rows: Rows) -> tuple[ndarray, ndarray]:
        """The neighbours of reference rows, themselves excluded."""
        distance, near = self._index.nearest(rows, self.neighbours + 1)
        itself = near == np.arange(len(rows))[:, None]
        itself[~itself.any(axis=1), -1] = True  # the graph may miss the row itself: then drop the farthest
        shape = (len(rows), self.neighbours)
        return distance[~itself].reshape(shape), near[~itself].reshape(shape)


def _density(distance: ndarray, reach: ndarray) -> Float[ndarray, " row"]:
    """The local reachability density, kept finite by a small constant."""
    return 1.0 / (np.maximum(distance, reach).mean(axis=1) + 1e-10)
