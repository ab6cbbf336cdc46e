"""FACE: ends of the shortest ways through dense training rows (Poyiadzi et al. 2020)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

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
        rows = known.take(np.sort(order)).reset_index(drop=True)
        return FittedFace.of(self, KnownRows.of(task, rows, self.neighbours))


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Ways of one step, from rows of one table to rows of another, and what each costs."""

    start: Int[ndarray, " step"]
    end: Int[ndarray, " step"]
    cost: Float[ndarray, " step"]


@dataclass(frozen=True, slots=True, eq=False)
class KnownRows:
    """The rows of the graph: as vectors, by what must not decrease, and how dense it is among them."""

    task: Task
    table: pd.DataFrame
    space: SearchSpace
    vectors: Float[ndarray, "known dimension"]
    bandwidth: float

    @classmethod
    def of(cls, task: Task, table: pd.DataFrame, neighbours: int) -> "KnownRows":
        space = SearchSpace.of(task)
        vectors, last = space.vectors.encode(table), min(neighbours, len(table) - 1)
        apart = np.partition(squared_distances(vectors, vectors), last, axis=1)[:, last]
        return cls(task, table, space, vectors, float(np.median(np.sqrt(apart))) or 1.0)

    def density(self, points: Float[ndarray, "point dimension"]) -> Float[ndarray, " point"]:
        """Between 0 and 1, and never 0, so that steps through empty places are dear and not impossible."""
        size = max(1, _BLOCK // len(self.vectors))
        parts = [squared_distances(points[a : a + size], self.vectors) for a in range(0, len(points), size)]
        kernels = [np.exp(-part / (2 * self.bandwidth**2)).mean(axis=1) for part in parts]
        return np.concatenate([np.zeros(0), *kernels]).clip(1e-300)

    def steps(self, rows: pd.DataFrame, members: Int[ndarray, " member"], count: int) -> Steps:
        """From each row to the nearest of these members that the constraints let it go to, itself excepted."""
        vectors, known = self.space.vectors.encode(rows), self.vectors[members]
        apart = squared_distances(vectors, known)
        before, after = ordered_values(self.task, rows), ordered_values(self.task, self.table.take(members))
        far = np.where(apart > 0, apart, np.inf)
        for place in range(before.shape[1]):
            far[before[:, place, None] > after[None, :, place]] = np.inf
        order = np.argsort(far, axis=1, kind="stable")[:, :count]
        start, place = np.isfinite(np.take_along_axis(far, order, axis=1)).nonzero()
        end = order[start, place]
        half_way = self.density((vectors[start] + known[end]) / 2)
        # A step that costs nothing would be no step to a sparse matrix.
        return Steps(start, end, (np.sqrt(apart[start, end]) * -np.log(half_way)).clip(1e-12))


@dataclass(frozen=True, slots=True, eq=False)
class FittedFace:
    """The rows of the graph, those that agree in the immutable columns together, and the steps between them."""

    method: Face
    known: KnownRows
    members: Mapping[tuple[Any, ...], Int[ndarray, " member"]]
    steps: Mapping[tuple[Any, ...], Steps]
    predicted: Int[ndarray, " known"]
    dense: Bool[ndarray, " known"]

    @classmethod
    def of(cls, method: Face, known: KnownRows) -> "FittedFace":
        members = alike(known.table, known.task.card.immutable)
        steps = {key: known.steps(known.table.take(own), own, method.neighbours) for key, own in members.items()}
        density = known.density(known.vectors)
        dense = density >= np.quantile(density, method.too_sparse)
        predicted = known.task.classifier.probabilities(known.table).argmax(axis=1)
        return cls(method, known, members, steps, predicted, dense)

    @property
    def training(self) -> Mapping[str, Any]:
        steps = sum(len(own.cost) for own in self.steps.values())
        return {"rows": len(self.known.table), "steps_between_rows": steps, "bandwidth": self.known.bandwidth}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        rows = rows[list(self.known.table.columns)].reset_index(drop=True)
        wanted = self.known.space.wanted(targets)
        found = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))]
        for key, asked in alike(rows, self.known.task.card.immutable).items():
            if key in self.members:
                place, end, cost = self._ends(key, rows.take(asked), wanted[asked], count)
                found.append((asked[place], end, cost))
        row, end, cost = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Finds(self.known.table.take(end).reset_index(drop=True), row, cost).given(rows, count)

    def _ends(
        self, key: tuple[Any, ...], factuals: pd.DataFrame, wanted: Int[ndarray, " asked"], count: int
    ) -> tuple[Int[ndarray, " end"], Int[ndarray, " end"], Float[ndarray, " end"]]:
        """For each factual the positions of the rows at the ends of its cheapest ways, and what these cost."""
        members = self.members[key]
        sources = len(members) + np.arange(len(factuals))
        costs = dijkstra(self._graph(key, factuals), indices=sources)[:, : len(members)]
        costs[~self.dense[members] | (self.predicted[members] != wanted[:, None])] = np.inf
        order = np.argsort(costs, axis=1, kind="stable")[:, :count]
        place, rank = np.isfinite(np.take_along_axis(costs, order, axis=1)).nonzero()
        return place, members[order[place, rank]], costs[place, order[place, rank]]

    def _graph(self, key: tuple[Any, ...], factuals: pd.DataFrame) -> csr_array:
        """The steps between members, and behind these those from the factuals to them."""
        members, between = self.members[key], self.steps[key]
        away = self.known.steps(factuals, members, self.method.neighbours)
        start = np.concatenate([between.start, len(members) + away.start])
        end, cost = np.concatenate([between.end, away.end]), np.concatenate([between.cost, away.cost])
        size = len(members) + len(factuals)
        return csr_array((cost, (start, end)), shape=(size, size))


def squared_distances(
    some: Float[ndarray, "some dimension"], others: Float[ndarray, "other dimension"]
) -> Float[ndarray, "some other"]:
    """Euclidean distances squared, of each to each; exactly 0 between equal vectors."""
    found = np.square(some).sum(axis=1)[:, None] + np.square(others).sum(axis=1) - 2 * some @ others.T
    return np.where(found < 1e-12, 0.0, found)


def alike(rows: pd.DataFrame, fixed: Sequence[str]) -> dict[tuple[Any, ...], Int[ndarray, " row"]]:
    """Positions of the rows by their values in these columns; all of them under one name if there are no columns."""
    if not fixed:
        return {(): np.arange(len(rows))}
    names = list(rows[list(fixed)].itertuples(index=False, name=None))
    found: dict[tuple[Any, ...], list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name, []).append(place)
    return {name: np.array(places) for name, places in found.items()}
