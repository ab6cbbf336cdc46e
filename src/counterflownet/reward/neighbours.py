"""Nearest neighbours among a fixed set of vectors."""

from typing import Any

import faiss
import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.seeds import numpy_generator

EXACT_UP_TO = 1_000  # above this, looking into a few cells is faster than comparing with every vector
# Cells, not a graph of neighbours: rows that few have, far from all others, are barely linked to, so that a graph does
# not find them (bench/scripts/plausibility.py).
CELLS = 3.5  # times the square root of the number of points
LOOKED_INTO = 32  # the cells nearest to a query
ROUGHLY = 12  # the same where neighbours decide only which candidates are looked at more closely
ROUNDS = 5  # of moving each cell's centre to the mean of its points
POINTS_OF_A_CELL = 64  # that its centre is made from at most
AT_ONCE = 2_000  # points whose distances from all centres are held
MOST_CELLS = 5_000_000  # of differences between queries and their neighbours at a time

Points = Float[ndarray, "point dimension"]
Queries = Float[ndarray, "query dimension"]
Found = tuple[Float[ndarray, "query neighbour"], Int[ndarray, "query neighbour"]]


class NeighbourIndex:
    """Exact search in small sets; in larger ones search in the cells around a query.

    Cells are approximate only in *which* vectors they show; the distances of these are exact.
    """

    def __init__(self, points: Points, *, exact: bool = False) -> None:
        self.points = np.ascontiguousarray(points, dtype=np.float32)
        self._cells = None if exact or len(points) <= EXACT_UP_TO else _Cells(self.points)

    def nearest(self, queries: Queries, count: int, *, roughly: bool = False) -> Found:
        """Distances to the ``count`` nearest points, and the indices of these points.

        ``roughly``, fewer cells are looked into, which takes less time.
        """
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        if self._cells is None:
            return self._among_all(queries, count)
        distance, nearest_points = self._cells.nearest(queries, count, ROUGHLY if roughly else LOOKED_INTO)
        short = np.flatnonzero((nearest_points < 0).any(axis=1))  # so few points are in the cells around
        if len(short):
            distance[short], nearest_points[short] = self._among_all(queries[short], count)
        return distance, nearest_points

    def _among_all(self, queries: Queries, count: int) -> Found:
        _, nearest_points = faiss.knn(queries, self.points, count)
        # This search subtracts large squares, which is inaccurate for nearly equal vectors.
        distance = np.zeros(nearest_points.shape)
        at_once = max(1, MOST_CELLS // (count * queries.shape[1]))
        for part in (slice(start, start + at_once) for start in range(0, len(queries), at_once)):
            apart = self.points[nearest_points[part]] - queries[part, None, :]
            distance[part] = np.sqrt(np.einsum("qnd,qnd->qn", apart, apart, dtype=np.float64))
        order = np.argsort(distance, axis=1, kind="stable")
        return np.take_along_axis(distance, order, 1), np.take_along_axis(nearest_points, order, 1)


class _Cells:
    """Points by the nearest of some centres."""

    def __init__(self, points: Points) -> None:
        self.centres = _centres(points.astype(np.float64), round(CELLS * np.sqrt(len(points))))
        self._known: Any = faiss.IndexFlatL2(points.shape[1])  # kept, since the index below only borrows it
        self._known.add(self.centres.astype(np.float32))
        self._index = self._filled(points, _nearest_centre(points, self.centres))

    def _filled(self, points: Points, cell: Int[ndarray, " point"]) -> Any:
        library: Any = faiss  # its stubs know little
        index = library.IndexIVFFlat(self._known, points.shape[1], len(self.centres))
        index.nprobe = LOOKED_INTO
        index.add_core(len(points), library.swig_ptr(points), None, library.swig_ptr(cell))
        return index

    def nearest(self, queries: Queries, count: int, cells: int) -> Found:
        """The nearest in so many cells; where these have too few points, numbers below zero."""
        squared = np.zeros((len(queries), count), dtype=np.float32)
        nearest_points = np.zeros((len(queries), count), dtype=np.int64)
        for part in _parts(queries):
            chosen = np.full((len(queries[part]), LOOKED_INTO), -1)  # -1 is no cell
            chosen[:, :cells] = np.argpartition(_apart(queries[part], self.centres), cells, axis=1)[:, :cells]
            unused = np.zeros(chosen.shape, dtype=np.float32)
            found = self._index.search_preassigned(queries[part], count, chosen, unused)
            squared[part], nearest_points[part] = found
        return np.sqrt(squared, dtype=np.float64), nearest_points


def _centres(points: Points, count: int) -> Float[ndarray, "centre dimension"]:
    """Means of points that lie together: Lloyd's algorithm, from points drawn at random."""
    draw = numpy_generator(0, "centres")
    points = points[np.sort(draw.permutation(len(points))[: count * POINTS_OF_A_CELL])]
    centres = points[np.sort(draw.permutation(len(points))[:count])]
    for _ in range(ROUNDS):
        cell = _nearest_centre(points, centres)
        order = np.argsort(cell, kind="stable")
        used, starts, sizes = np.unique(cell[order], return_index=True, return_counts=True)
        centres[used] = np.add.reduceat(points[order], starts, axis=0) / sizes[:, None]
    return centres


def _nearest_centre(points: Points, centres: Float[ndarray, "centre dimension"]) -> Int[ndarray, " point"]:
    return np.concatenate([_apart(points[part], centres).argmin(axis=1) for part in _parts(points)])


def _apart(points: Points, centres: Float[ndarray, "centre dimension"]) -> Float[ndarray, "point centre"]:
    """Squared distances, each less that of its point from the origin.

    Rounded to less than they are computed with: how a product of matrices rounds depends on how many rows it has, and
    which centre is nearer must not.
    """
    return ((centres**2).sum(axis=1) - 2 * points.astype(np.float64) @ centres.T).astype(np.float32)


def _parts(points: Points) -> list[slice]:
    return [slice(start, start + AT_ONCE) for start in range(0, len(points), AT_ONCE)]
