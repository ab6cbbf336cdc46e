"""FACE: ends of the shortest ways through dense training rows (Poyiadzi et al. 2020)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.sparse import csr_array  # type: ignore[import-untyped]
from scipy.sparse.csgraph import dijkstra  # type: ignore[import-untyped]

from counterflownet.errors import check_between, check_count
from counterflownet.seeds import numpy_generator
from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.baselines.search_space import Finds, SearchSpace, ordered_values

_BLOCK = 5_000_000  # kernel values at a time: some forty megabytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """Training rows of the wanted class to which a way leads from the factual, each step to a near row in dense places.

    As published: a graph that joins each row with its nearest ones, the factual among them; a step costs its length
    times minus the logarithm of the density half-way, here a Gaussian kernel's; ends are rows of the wanted class where
    the density is not too low; Dijkstra's algorithm finds the cheapest ways. Constraints bind every step, which is what
    the publication offers for them: no step changes an immutable column or lowers one that must not decrease.

    Chosen here: the kernel is that of the rows divided by its peak, so that no step costs less than nothing, and as
    wide as half of the rows are from the last of their neighbours; lengths are Euclidean, of numbers in shares of their
    range and of one-hot categories; the graph is built of ``rows`` training rows at most, drawn at random. Several
    answers are the ends of the cheapest ways. Where few training rows share the factual's immutable values there are
    few of them.
    """

    rows: int = 2_000
    neighbours: int = 20
    too_sparse: float = 0.1
    """The share of training rows, those with the lowest density, at which no way may end."""

    def __post_init__(self) -> None:
        check_count("Face.rows", self.rows, 2)
        check_count("Face.neighbours", self.neighbours)
        check_between("Face.too_sparse", self.too_sparse, 0.0, 1.0)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedFace":
        known = task.train.drop_duplicates(ignore_index=True)
        order = numpy_generator(task.seed, "face").permutation(len(known))[: self.rows]
        return FittedFace.of(self, SearchSpace.of(task), known.take(np.sort(order)).reset_index(drop=True))


@dataclass(frozen=True, slots=True, eq=False)
class FittedFace:
    """The rows of the graph, as the classifier sees them, and how dense it is around each."""

    method: Face
    space: SearchSpace
    known: pd.DataFrame
    vectors: Float[ndarray, "known dimension"]
    predicted: Int[ndarray, " known"]
    bandwidth: float
    least_density: float
    density: Float[ndarray, " known"]

    @classmethod
    def of(cls, method: Face, space: SearchSpace, known: pd.DataFrame) -> "FittedFace":
        vectors = space.vectors.encode(known)
        apart = squared_distances(vectors, vectors)
        last = min(method.neighbours, len(known) - 1)
        bandwidth = float(np.median(np.sqrt(np.partition(apart, last, axis=1)[:, last]))) or 1.0
        density = np.exp(-apart / (2 * bandwidth**2)).mean(axis=1)
        predicted = space.task.classifier.probabilities(known).argmax(axis=1)
        least = float(np.quantile(density, method.too_sparse))
        return cls(method, space, known, vectors, predicted, bandwidth, least, density)

    @property
    def training(self) -> Mapping[str, Any]:
        return {"rows": len(self.known), "bandwidth": self.bandwidth}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        rows = rows[list(self.known.columns)].reset_index(drop=True)
        wanted, fixed = self.space.wanted(targets), list(self.space.task.card.immutable)
        found = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))]
        for asked in _alike(rows, fixed):
            same = (self.known[fixed] == rows[fixed].iloc[asked[0]]).all(axis=1).to_numpy(dtype=np.bool_)
            if (members := np.flatnonzero(same)).size:
                found.append(self._ends(rows.take(asked), asked, members, wanted[asked], count))
        row, end, cost = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Finds(self.known.take(end).reset_index(drop=True), row, cost).given(rows, count)

    def _ends(
        self,
        factuals: pd.DataFrame,
        asked: Int[ndarray, " asked"],
        members: Int[ndarray, " member"],
        wanted: Int[ndarray, " asked"],
        count: int,
    ) -> tuple[Int[ndarray, " end"], Int[ndarray, " end"], Float[ndarray, " end"]]:
        """For each factual the positions of the rows at the ends of its cheapest ways, and what these cost."""
        table = pd.concat([self.known.take(members), factuals], ignore_index=True)
        graph = self._graph(table, len(members))
        sources = np.arange(len(members), len(table))
        costs = dijkstra(graph, indices=sources)[:, : len(members)]
        usable = self.density[members] >= self.least_density
        itself = squared_distances(self.space.vectors.encode(factuals), self.vectors[members]) <= 0
        costs[~usable | itself | (self.predicted[members] != wanted[:, None])] = np.inf
        order = np.argsort(costs, axis=1, kind="stable")[:, :count]
        place, rank = np.isfinite(np.take_along_axis(costs, order, axis=1)).nonzero()
        return asked[place], members[order[place, rank]], costs[place, order[place, rank]]

    def _graph(self, table: pd.DataFrame, member_count: int) -> csr_array:
        """Steps from each row of the table to its nearest members that the constraints allow, and what they cost."""
        vectors, ordered = self.space.vectors.encode(table), ordered_values(self.space.task, table)
        apart = squared_distances(vectors, vectors[:member_count])
        allowed = np.ones(apart.shape, dtype=np.bool_)
        for column in ordered.T:
            allowed &= column[:, None] <= column[None, :member_count]
        np.fill_diagonal(allowed, val=False)
        start, end = _nearest(apart, allowed, self.method.neighbours)
        cost = np.sqrt(apart[start, end]) * -np.log(self._between(vectors, start, end))
        # A step that costs nothing would be no step to a sparse matrix.
        return csr_array((cost.clip(1e-12), (start, end)), shape=(len(table), len(table)))

    def _between(
        self, vectors: Float[ndarray, "row dimension"], start: Int[ndarray, " step"], end: Int[ndarray, " step"]
    ) -> Float[ndarray, " step"]:
        """The density half-way of each step; never 0, so that far steps are dear and not impossible."""
        size = max(1, _BLOCK // len(self.vectors))
        blocks = [slice(a, a + size) for a in range(0, len(start), size)]
        parts = [(vectors[start[some]] + vectors[end[some]]) / 2 for some in blocks]
        kernels = [np.exp(-squared_distances(middle, self.vectors) / (2 * self.bandwidth**2)) for middle in parts]
        return np.concatenate([np.zeros(0), *(kernel.mean(axis=1) for kernel in kernels)]).clip(1e-300)


def squared_distances(
    some: Float[ndarray, "some dimension"], others: Float[ndarray, "other dimension"]
) -> Float[ndarray, "some other"]:
    """Euclidean distances squared, of each to each; exactly 0 between equal vectors."""
    found = np.square(some).sum(axis=1)[:, None] + np.square(others).sum(axis=1) - 2 * some @ others.T
    return np.where(found < 1e-12, 0.0, found)


def _nearest(
    apart: Float[ndarray, "row member"], allowed: Bool[ndarray, "row member"], count: int
) -> tuple[Int[ndarray, " step"], Int[ndarray, " step"]]:
    """Each row with its nearest members that are allowed."""
    far = np.where(allowed, apart, np.inf)
    order = np.argsort(far, axis=1, kind="stable")[:, :count]
    row, place = np.isfinite(np.take_along_axis(far, order, axis=1)).nonzero()
    return row, order[row, place]


def _alike(rows: pd.DataFrame, fixed: Sequence[str]) -> list[Int[ndarray, " row"]]:
    """Positions of the rows, those together that agree in these columns."""
    if not fixed:
        return [np.arange(len(rows))]
    return [np.asarray(places) for places in rows.groupby(list(fixed)).indices.values()]
