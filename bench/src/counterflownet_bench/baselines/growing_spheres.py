"""Growing spheres: layers around a row until one of them holds a row of the wanted class (Laugel et al. 2018)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.errors import check_count, check_positive
from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.baselines.search_space import Finds, SearchSpace
from counterflownet_bench.vectors import CategoryBlock

CANDIDATES_AT_ONCE = 100_000  # bounds the memory of a round
_FLIPPED = 0.5  # as rounding would do with a column of two values


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowingSpheres:
    """The nearest row of the wanted class among uniform draws, with its smallest moves undone.

    As published: draws from a ball, which is halved as long as it holds a valid row; then from layers around it, each
    as wide as the ball, until one holds a valid row; the nearest (L2) of these, whose smallest moves are undone one by
    one for as long as it stays valid. Every draw of a search has a random number of its own.

    The publication knows numbers only. Here every column is one coordinate, numbers in shares of their training range;
    a category whose coordinate is further than half from home becomes another of its values, drawn uniformly. Several
    answers are as many independent searches. A search without a valid row after ``most_rounds`` gives no answer.

    Immutable columns stay for certain. That others must not decrease is unknown to the method.
    """

    candidates: int = 1_000
    radius: float = 0.1
    most_rounds: int = 100

    def __post_init__(self) -> None:
        for name in ("candidates", "most_rounds"):
            check_count(f"GrowingSpheres.{name}", getattr(self, name))
        check_positive("GrowingSpheres.radius", self.radius)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedGrowingSpheres":
        """Nothing is learned but the range of the training rows."""
        return FittedGrowingSpheres(self, SearchSpace.of(task))


@dataclass(frozen=True, slots=True, eq=False)
class FittedGrowingSpheres:
    """A row's answers depend on the seed and on the row, not on the rows beside it."""

    method: GrowingSpheres
    space: SearchSpace

    @property
    def training(self) -> Mapping[str, Any]:
        return {}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        rows = rows.reset_index(drop=True)
        wanted, origins = self.space.wanted(targets), self.space.vectors.encode(rows)
        finds: dict[int, Float[ndarray, " dimension"]] = {}
        size = max(1, CANDIDATES_AT_ONCE // self.method.candidates)
        generators = self.space.generators(rows, count, "growing spheres")
        for start in range(0, len(generators), size):
            some = np.arange(start, min(start + size, len(generators)))
            row = some // count
            layers = Layers(self, rows.take(row), origins[row], wanted[row], [generators[each] for each in some])
            finds |= {int(some[each]): point for each, point in layers.nearest().items()}
        search = np.array(list(finds), dtype=np.int64)
        points = np.array(list(finds.values())).reshape(-1, origins.shape[1])
        row = search // count
        sparse = self._sparser(points, rows.take(row), wanted[row])
        cost = np.linalg.norm(self.space.moves(sparse, origins[row]), axis=1)
        return Finds(self.space.rows(sparse, rows.take(row)), row, cost).given(rows, count)

    def _sparser(
        self, points: Float[ndarray, "find dimension"], factuals: pd.DataFrame, wanted: Int[ndarray, " find"]
    ) -> Float[ndarray, "find dimension"]:
        """The points after their smallest moves were undone, each up to the first that it needs."""
        space, origins = self.space.vectors, self.space.vectors.encode(factuals)
        points, going = points.copy(), np.arange(len(points))
        while len(going):
            moves = self.space.moves(points[going], origins[going])
            going, moves = going[(moves > 0).sum(axis=1) > 1], moves[(moves > 0).sum(axis=1) > 1]
            smallest = np.where(moves > 0, moves, np.inf).argmin(axis=1)
            tried = points[going]
            for number, span in enumerate(space.spans.values()):
                undone = smallest == number
                tried[undone, span] = origins[going[undone], span]
            valid = self.space.valid(self.space.rows(tried, factuals.take(going)), wanted[going])
            going, tried = going[valid], tried[valid]
            points[going] = tried
        return points


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Searches that go on together, each with a factual, a wanted class and random numbers of its own."""

    fitted: FittedGrowingSpheres
    factuals: pd.DataFrame
    origins: Float[ndarray, "search dimension"]
    wanted: Int[ndarray, " search"]
    generators: Sequence[np.random.Generator]

    def nearest(self) -> dict[int, Float[ndarray, " dimension"]]:
        """The nearest valid point in the first layer that holds any, for the searches that come to one."""
        count = len(self.generators)
        width, outer = np.full(count, self.fitted.method.radius), np.full(count, self.fitted.method.radius)
        last, grows = dict[int, Float[ndarray, " dimension"]](), np.zeros(count, dtype=np.bool_)
        going = np.arange(count)
        for _ in range(self.fitted.method.most_rounds):
            inner = np.where(grows, outer - width, 0.0)
            found = self._round(going, inner, outer)
            last |= found
            hit = np.isin(np.arange(count), list(found))
            width, outer = np.where(~grows & hit, width / 2, width), np.where(~grows & hit, outer / 2, outer)
            going = np.setdiff1d(going, np.flatnonzero(grows & hit))
            grows |= ~hit  # a ball that holds nothing is where layers begin
            outer = np.where(grows, outer + width, outer)
            if len(going) == 0:
                break
        return last

    def _round(
        self, going: Int[ndarray, " going"], inner: Float[ndarray, " search"], outer: Float[ndarray, " search"]
    ) -> dict[int, Float[ndarray, " dimension"]]:
        """The nearest valid draw of each search between its two radii."""
        draws = self.fitted.method.candidates
        points = np.concatenate([self._drawn(search, inner[search], outer[search]) for search in going])
        owner = going.repeat(draws)
        space = self.fitted.space
        rows = space.rows(points, self.factuals.take(owner))
        points = space.vectors.encode(rows)  # what was drawn and what can exist differ
        far = np.linalg.norm(space.moves(points, self.origins[owner]), axis=1)
        usable = space.valid(rows, self.wanted[owner]) & (far > 0)
        best = np.where(usable, far, np.inf).reshape(-1, draws).argmin(axis=1) + np.arange(len(going)) * draws
        return {int(owner[place]): points[place] for place in best if usable[place]}

    def _drawn(self, search: int, inner: float, outer: float) -> Float[ndarray, "candidate dimension"]:
        """Points whose steps are uniform between two radii, in the columns that may change."""
        space, chance, draws = self.fitted.space, self.generators[search], self.fitted.method.candidates
        free = [block for block in space.vectors.blocks if space.free[space.vectors.spans[block.name]].any()]
        steps = chance.standard_normal((draws, len(free)))
        low, high = (inner / outer) ** len(free), 1.0
        lengths = outer * (low + (high - low) * chance.random((draws, 1))) ** (1 / max(1, len(free)))
        steps *= lengths / np.linalg.norm(steps, axis=1, keepdims=True).clip(1e-12)
        points = self.origins[search][None].repeat(draws, axis=0)
        for number, block in enumerate(free):
            span = space.vectors.spans[block.name]
            if isinstance(block, CategoryBlock):
                flipped = np.abs(steps[:, number]) > _FLIPPED
                points[flipped, span] = _other_values(points[flipped, span], chance)
            else:
                points[:, span.start] += steps[:, number]
        return points


def _other_values(one_hot: Float[ndarray, "point value"], chance: np.random.Generator) -> Float[ndarray, "point value"]:
    """For each category another value of its column, uniformly drawn."""
    width = one_hot.shape[1]
    away = chance.integers(1, max(2, width), len(one_hot))
    return np.eye(width)[(one_hot.argmax(axis=1) + away) % width]
