"""Nearest neighbours among a fixed set of vectors."""

import faiss
import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.seeds import numpy_generator

EXACT_UP_TO = 1_000  # above, a navigable graph answers faster than comparing with every vector
# Many links to well-chosen neighbours find no less than a wide search along few does, in less time: see
# bench/scripts/plausibility.py.
LINKS = 32
BUILD_WIDTH = 100
SEARCH_WIDTH = 32


class NeighbourIndex:
    """Exact search in small sets, a navigable small-world graph (HNSW) in larger ones.

    The graph is approximate in *which* vectors it finds; the distances of those it finds are exact.
    """

    def __init__(self, points: Float[ndarray, "point dimension"], *, exact: bool = False) -> None:
        self.points = np.ascontiguousarray(points, dtype=np.float32)
        self._flat = exact or len(points) <= EXACT_UP_TO
        self._index = _flat(self.points) if self._flat else _graph(self.points)

    def nearest(
        self, queries: Float[ndarray, "query dimension"], count: int
    ) -> tuple[Float[ndarray, "query neighbour"], Int[ndarray, "query neighbour"]]:
        """Distances to the ``count`` nearest points, and which points these are."""
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        squared, found = self._index.search(queries, count)
        if not self._flat:
            return np.sqrt(squared, dtype=np.float64), found
        # This index subtracts large squares from each other; what is nearly equal needs the difference itself.
        apart = self.points[found] - queries[:, None, :]
        distance = np.sqrt(np.einsum("qnd,qnd->qn", apart, apart, dtype=np.float64))
        order = np.argsort(distance, axis=1, kind="stable")
        return np.take_along_axis(distance, order, 1), np.take_along_axis(found, order, 1)


def _flat(points: Float[ndarray, "point dimension"]) -> faiss.IndexFlatL2:
    index = faiss.IndexFlatL2(points.shape[1])
    index.add(points)
    return index


def _graph(points: Float[ndarray, "point dimension"]) -> faiss.IndexIDMap:
    graph = faiss.IndexHNSWFlat(points.shape[1], LINKS)
    graph.hnsw.efConstruction = BUILD_WIDTH
    graph.hnsw.efSearch = SEARCH_WIDTH
    index = faiss.IndexIDMap(graph)
    # In a random order, since clusters added one by one are hardly linked, and one point after the other, since threads
    # that add together make another graph every time.
    for number in numpy_generator(0, "order of points").permutation(len(points))[:, None]:
        index.add_with_ids(points[number], number)
    return index
