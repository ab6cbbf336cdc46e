"""Nearest neighbours among a fixed set of vectors."""

import faiss
import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.seeds import numpy_generator

EXACT_UP_TO = 1_000  # above this, a navigable graph is faster than comparing with every vector
# Many links to well-chosen neighbours find as much as a wide search along few, in less time: see
# bench/scripts/plausibility.py.
LINKS = 32
BUILD_WIDTH = 100
SEARCH_WIDTH = 32
ROUGH_WIDTH = 20  # where neighbours decide only which candidates are looked at more closely
MOST_CELLS = 5_000_000  # of differences between queries and their neighbours at a time


class NeighbourIndex:
    """Exact search in small sets, a navigable small-world graph (HNSW) in larger ones.

    The graph is approximate only in *which* vectors it finds; their distances are exact.
    """

    def __init__(self, points: Float[ndarray, "point dimension"], *, exact: bool = False) -> None:
        self.points = np.ascontiguousarray(points, dtype=np.float32)
        self._flat = exact or len(points) <= EXACT_UP_TO
        self._index = faiss.IndexFlatL2(points.shape[1]) if self._flat else _graph(self.points)
        if self._flat:
            self._index.add(self.points)

    def nearest(
        self, queries: Float[ndarray, "query dimension"], count: int, *, roughly: bool = False
    ) -> tuple[Float[ndarray, "query neighbour"], Int[ndarray, "query neighbour"]]:
        """Distances to the ``count`` nearest points, and the indices of these points.

        ``roughly``, the graph is searched less widely, which takes less time.
        """
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        narrow = None if self._flat or not roughly else _width(max(ROUGH_WIDTH, count))
        squared, nearest_points = self._index.search(queries, count, params=narrow)
        if not self._flat:
            return np.sqrt(squared, dtype=np.float64), nearest_points
        # This index subtracts large squares, which is inaccurate for nearly equal vectors.
        distance = np.zeros(nearest_points.shape)
        at_once = max(1, MOST_CELLS // (count * queries.shape[1]))
        for part in (slice(start, start + at_once) for start in range(0, len(queries), at_once)):
            apart = self.points[nearest_points[part]] - queries[part, None, :]
            distance[part] = np.sqrt(np.einsum("qnd,qnd->qn", apart, apart, dtype=np.float64))
        order = np.argsort(distance, axis=1, kind="stable")
        return np.take_along_axis(distance, order, 1), np.take_along_axis(nearest_points, order, 1)


def _width(width: int) -> faiss.SearchParameters:
    return faiss.SearchParametersHNSW(efSearch=width)  # type: ignore[attr-defined] # its stubs do not know it


def _graph(points: Float[ndarray, "point dimension"]) -> faiss.IndexIDMap:
    graph = faiss.IndexHNSWFlat(points.shape[1], LINKS)
    graph.hnsw.efConstruction = BUILD_WIDTH
    graph.hnsw.efSearch = SEARCH_WIDTH
    index = faiss.IndexIDMap(graph)
    # In random order, since clusters added one by one are barely linked, and one point at a time, since threads that
    # add concurrently build a different graph every time.
    for number in numpy_generator(0, "order of points").permutation(len(points))[:, None]:
        index.add_with_ids(points[number], number)
    return index
