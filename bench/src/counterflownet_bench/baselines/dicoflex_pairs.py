"""What DiCoFlex learns from: rows as smooth vectors, and for each of them its neighbours in the other class."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from sklearn.preprocessing import QuantileTransformer
from torch import Generator, Tensor

from counterflownet.errors import InvalidInputError
from counterflownet.reward import NeighbourIndex
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.datasets import DatasetCard
from counterflownet_bench.vectors import VectorSpace

QUANTILES = 1_000
CANDIDATES = 4_000  # rows compared under a norm that no index knows, so that 6,000 factuals stay a matter of a minute
COMPARED = 1_000_000  # numbers in a block of comparisons: larger ones leave the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class SmoothSpace:
    """Rows where a flow can model them: numbers from 0 to 1, one-hot categories blurred and then made uniform.

    The published code blurs training rows only, so that a test row stands where the flow has seen none; here every row
    is blurred alike.
    """

    vectors: VectorSpace
    categorical: Bool[ndarray, " dimension"]
    uniform: Any
    blur: float

    @classmethod
    def of(cls, card: DatasetCard, train: pd.DataFrame, blur: float, chance: np.random.Generator) -> "SmoothSpace":
        """The space of these training rows, which decide what uniform is."""
        vectors = vector_space(card, train, "range")
        uniform = QuantileTransformer(n_quantiles=min(QUANTILES, len(train)), subsample=None)
        space = cls(vectors, vectors.of_columns(card.categorical), uniform, blur)
        if space.categorical.any():
            uniform.fit(space.blurred(train, chance)[:, space.categorical])
        return space

    @property
    def width(self) -> int:
        return self.vectors.width

    def blurred(self, rows: pd.DataFrame, chance: np.random.Generator) -> Float[ndarray, "row dimension"]:
        """Rows as vectors, with noise on the one-hot coordinates."""
        points = self.vectors.encode(rows)
        points[:, self.categorical] += chance.normal(0.0, self.blur, (len(rows), int(self.categorical.sum())))
        return points

    def encode(self, rows: pd.DataFrame, chance: np.random.Generator) -> Float[ndarray, "row dimension"]:
        return self._mapped(self.blurred(rows, chance), self.uniform.transform).astype(np.float32)

    def decode(self, points: Float[ndarray, "row dimension"]) -> pd.DataFrame:
        """The rows at these points; of a category the value whose coordinate is largest."""
        return self.vectors.decode(self._mapped(points.astype(np.float64), self.uniform.inverse_transform))

    def _mapped(self, points: Float[ndarray, "row dimension"], change: Any) -> Float[ndarray, "row dimension"]:
        if self.categorical.any() and len(points):  # the quantile map knows no empty table
            points[:, self.categorical] = change(points[:, self.categorical])
        return points


@dataclass(frozen=True, slots=True, kw_only=True)
class PairNoise:
    """Deviations of the noise that pairs get whenever they are looked at."""

    target_number: float = 0.01
    target_category: float = 0.08
    context_number: float = 0.001


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Groups of one factual, the wanted class and the norm, which are the context, and the neighbours to be expected.

    The published context also holds a mask of features, which is the same for all rows and therefore left out.
    """

    points: Float[Tensor, "row dimension"]
    factual: Int[Tensor, " group"]
    asked: Float[Tensor, "group question"]
    neighbours: Int[Tensor, "group neighbour"]
    categorical: Bool[Tensor, " dimension"]

    def __len__(self) -> int:
        return len(self.factual)

    @property
    def context_width(self) -> int:
        return self.points.shape[1] + self.asked.shape[1]

    def drawn(
        self, groups: Int[Tensor, " group"], count: int, noise: PairNoise, chance: Generator
    ) -> tuple[Float[Tensor, "pair dimension"], Float[Tensor, "pair context"]]:
        """``count`` of each group's neighbours and the contexts they belong to, both with fresh noise."""
        count = min(count, self.neighbours.shape[1])
        places = torch.rand(len(groups), self.neighbours.shape[1], generator=chance).topk(count).indices
        groups, found = groups.repeat_interleave(count), self.neighbours[groups].gather(1, places).flatten()
        targets, factuals = self.points[found], self.points[self.factual[groups]]
        target_scale = torch.where(self.categorical, noise.target_category, noise.target_number)
        context_scale = torch.where(self.categorical, 0.0, noise.context_number)
        factuals = factuals + context_scale * torch.randn(factuals.shape, generator=chance)
        targets = targets + target_scale * torch.randn(targets.shape, generator=chance)
        return targets, context(factuals, self.asked[groups])


def context(
    factuals: Float[Tensor, "row dimension"], asked: Float[Tensor, "row question"]
) -> Float[Tensor, "row context"]:
    """What the flow is told: the factual, the wanted class as one-hot, and the norm."""
    return torch.cat((factuals, asked), dim=1)


def question(wanted: Int[ndarray, " row"], class_count: int, norm: float) -> Float[Tensor, "row question"]:
    """The part of a context that is not the factual."""
    return torch.from_numpy(np.column_stack((np.eye(class_count)[wanted], np.full(len(wanted), norm)))).float()


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhoods:
    """Points with the classes predicted for them, and how many neighbours to look for."""

    points: Float[ndarray, "row dimension"]
    predicted: Int[ndarray, " row"]
    class_count: int
    count: int

    def groups(
        self, chosen: Int[ndarray, " row"], norms: Sequence[float], chance: np.random.Generator
    ) -> Iterator[tuple[Int[ndarray, " group"], Float[Tensor, "group question"], Int[ndarray, "group neighbour"]]]:
        """The factuals, questions and neighbours of each norm and class."""
        sizes = np.bincount(self.predicted, minlength=self.class_count)
        count = min(self.count, int(sizes[sizes > 0].min()))
        for norm in norms:
            for wanted in np.flatnonzero(sizes):
                factual = chosen[self.predicted[chosen] != wanted]
                others = np.flatnonzero(self.predicted == wanted)
                asked = question(np.full(len(factual), wanted), self.class_count, norm)
                yield factual, asked, self._nearest(factual, others, count, norm, chance)

    def _nearest(
        self,
        factual: Int[ndarray, " group"],
        others: Int[ndarray, " other"],
        count: int,
        norm: float,
        chance: np.random.Generator,
    ) -> Int[ndarray, "group neighbour"]:
        if norm == 2.0:
            places = NeighbourIndex(self.points[others], exact=True).nearest(self.points[factual], count)[1]
            return others[places]
        others = chance.permutation(others)[:CANDIDATES]
        return others[nearest_under(norm, self.points[factual], self.points[others], count)]


def nearest_under(
    norm: float, queries: Float[ndarray, "query dimension"], points: Float[ndarray, "point dimension"], count: int
) -> Int[ndarray, "query neighbour"]:
    """The points with the least sum of ``|difference| ** norm``: its root, which keeps the order, is not drawn."""
    if not len(queries):
        return np.empty((0, count), dtype=np.int64)
    against = torch.from_numpy(points)
    size = max(1, COMPARED // against.numel())
    found = [
        (block[:, None] - against).abs().pow(norm).sum(dim=2).topk(count, largest=False).indices
        for block in torch.split(torch.from_numpy(queries), size)
    ]
    return torch.cat(found).numpy()


def pairs_of(parts: Iterable[Any], points: Float[ndarray, "row dimension"], space: SmoothSpace) -> Pairs:
    """All groups together; an error if there is none, which is so if the classifier sees but one class."""
    factual, asked, neighbours = zip(*parts, strict=True)
    if not sum(map(len, factual)):
        raise InvalidInputError(
            "DiCoFlex learns from pairs of rows of two classes, but the classifier predicts the same class for all "
            "training rows it looked at. Give it more rows, or a classifier that tells them apart."
        )
    return Pairs(
        torch.from_numpy(points),
        torch.from_numpy(np.concatenate(factual)),
        torch.cat(asked),
        torch.from_numpy(np.concatenate(neighbours)),
        torch.from_numpy(space.categorical),
    )
