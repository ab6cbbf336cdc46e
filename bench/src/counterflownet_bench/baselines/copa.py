"""COPA: a plan of points across a linear classifier's boundary, by gradient descent (Bui et al., ICLR 2022)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from counterflownet import Classifier
from counterflownet.errors import InvalidInputError, check_at_least, check_count
from counterflownet.seeds import derived_seed, numpy_generator, row_keys
from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.metrics import without_copies
from counterflownet_bench.references.model import ReferenceClassifier
from counterflownet_bench.vectors import NumberBlock, VectorSpace

_DIAGONAL = 1e-4  # keeps the determinant away from 0 when points meet
_PATIENCE = 3  # steps without a gain after which a row's plan is done


@dataclass(frozen=True, slots=True, kw_only=True)
class Copa:
    """The plan that is near the factual, diverse, and on the far side of a logistic regression, as L2C used it.

    It only ever moves to the second class, whatever is asked for: a row that is there already gets points that are
    there too, which answer nothing. The classifier's weights count as uncertain with a covariance that is the same in
    all entries, for the regressions from which L2C estimates it are all the same. Immutable columns keep their values
    for certain, in the projection too; that some columns must not decrease is unknown to the method. Doubles are kept.

    Every point of a plan is across the boundary, but many only by a part of a category. L2C scores the points as they
    are; here they become rows that can exist, with one value for each category, of which fewer are across.
    """

    robustness: float = 10.0
    diversity: float = 3.0
    covariance: float = 1e5
    margin: float = 0.1
    """How far behind the boundary points are put, as the difference of the two classes' logits."""
    learning_rate: float = 0.005
    iterations: int = 1_000
    smallest_gain: float = 1e-7

    def __post_init__(self) -> None:
        check_count("iterations", self.iterations)
        for name in ("robustness", "diversity", "margin", "learning_rate"):
            check_at_least(name, getattr(self, name), 0.0)
        if not self.covariance > 0:
            raise InvalidInputError(f"covariance must be above 0, since it divides; got {self.covariance!r}.")

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedCopa":
        """Nothing is learned: the boundary is read off the classifier, which must be a logistic regression."""
        classifier = _logistic_regression(task.classifier)
        space = vector_space(task.card, task.train, "deviation")
        return FittedCopa(self, task, space, Boundary.of(classifier, space))


def _logistic_regression(classifier: Classifier) -> ReferenceClassifier:
    if isinstance(classifier, ReferenceClassifier) and len(classifier.layers) == 1 and len(classifier.classes) == 2:
        return classifier
    raise InvalidInputError(
        "COPA explains linear classifiers only, that is a reference classifier of one layer and two classes; "
        f"got {classifier!r}. Choose a data set that is explained with a logistic regression, or another method."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """Where ``points @ weight + intercept`` is 0, and what is above it belongs to the second class."""

    weight: Float[Tensor, " dimension"]
    intercept: float

    @classmethod
    def of(cls, classifier: ReferenceClassifier, space: VectorSpace) -> "Boundary":
        """The classifier's own boundary, its weights turned into the order and the scale of this space."""
        layer, encoder = classifier.layers[0], classifier.encoder
        weight, bias = layer.weight[:, 1] - layer.weight[:, 0], float(layer.bias[1] - layer.bias[0])
        own = {name: weight[span] for name, span in encoder.space.spans.items()}
        scaling = dict(zip(encoder.roles.continuous, zip(encoder.mean, encoder.deviation, strict=True), strict=True))
        for block in space.blocks:
            if isinstance(block, NumberBlock):
                mean, deviation = scaling[block.name]
                bias += float(own[block.name][0] * (block.shift - mean) / deviation)
                own[block.name] = own[block.name] * block.scale / deviation
        return cls(torch.from_numpy(np.concatenate([own[block.name] for block in space.blocks])), bias)

    def score(self, points: Float[Tensor, "*any dimension"]) -> Float[Tensor, "*any"]:
        return points @ self.weight + self.intercept

    def projected(
        self, points: Float[Tensor, "row point dimension"], margin: float, free: Bool[Tensor, " dimension"]
    ) -> Float[Tensor, "row point dimension"]:
        """The nearest points whose score is at least the margin, moved in the free coordinates alone."""
        way = self.weight * free
        short = (margin - self.score(points)).clamp_min(0.0)
        return points + short[..., None] * way / way.square().sum().clamp_min(1e-12)


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """Where points may be: free coordinates within the training rows, the others where the factual is."""

    free: Bool[Tensor, " dimension"]
    low: Float[Tensor, " dimension"]
    high: Float[Tensor, " dimension"]

    @classmethod
    def of(cls, task: Task, space: VectorSpace) -> "Room":
        vectors = torch.from_numpy(space.encode(task.train))
        free = torch.from_numpy(~space.of_columns(task.card.immutable))
        return cls(free, vectors.amin(dim=0), vectors.amax(dim=0))

    def clamped(
        self, points: Float[Tensor, "row point dimension"], factuals: Float[Tensor, "row 1 dimension"]
    ) -> Float[Tensor, "row point dimension"]:
        return torch.where(self.free, points.clamp(self.low, self.high), factuals)


@dataclass(frozen=True, slots=True, eq=False)
class FittedCopa:
    """The boundary, ready to plan. A row's noise depends on the seed and on the row, not on the rows beside it."""

    method: Copa
    task: Task
    space: VectorSpace
    boundary: Boundary

    @property
    def training(self) -> Mapping[str, Any]:
        return {"steps": 0, "boundary_weights": len(self.boundary.weight)}

    def answer(
        self,
        rows: pd.DataFrame,
        targets: Sequence[Any],  # noqa: ARG002 - the second class is the only one it knows a way to
        *,
        count: int,
        selection: str,  # noqa: ARG002 - a plan is taken whole
    ) -> Given:
        factuals = self.space.encode(rows)
        plans = self.plans(factuals, self._noise(factuals, count))
        row = np.arange(len(rows)).repeat(count)
        found = self._decoded(plans.reshape(-1, self.space.width).numpy(), rows.take(row))
        kept = without_copies(rows, found, row)
        return Given.of_rows(found.take(kept), row[kept], row_count=len(rows), count=count)

    def _decoded(self, points: Float[ndarray, "answer dimension"], factuals: pd.DataFrame) -> pd.DataFrame:
        found = self.space.decode(points)[list(self.task.train.columns)]
        for name in self.task.card.immutable:  # a value beyond the training rows would not come back from its vector
            found[name] = factuals[name].astype(found[name].dtype).array
        return found

    def plans(
        self, vectors: Float[ndarray, "row dimension"], noise: Float[ndarray, "row point dimension"]
    ) -> Float[Tensor, "row point dimension"]:
        """One plan for each row. Adam moves each coordinate by itself, so rows in one batch do not meet."""
        method, room = self.method, Room.of(self.task, self.space)
        factuals = torch.from_numpy(vectors)[:, None]
        points = torch.where(room.free, factuals + torch.from_numpy(noise), factuals).requires_grad_()
        adam = torch.optim.Adam([points], lr=method.learning_rate)
        last, idle = torch.full((len(vectors),), torch.inf, dtype=points.dtype), torch.zeros(len(vectors))
        for _ in range(method.iterations):
            adam.zero_grad()
            loss = self.loss(points, factuals)
            idle = torch.where(last - loss.detach() <= method.smallest_gain, idle + 1, 0)
            last = loss.detach()
            going = (idle < _PATIENCE)[:, None, None]
            if not going.any():
                break
            loss.sum().backward()  # type: ignore[no-untyped-call]
            before = points.detach().clone()
            adam.step()
            with torch.no_grad():
                moved = self.boundary.projected(torch.where(room.free, points, factuals), method.margin, room.free)
                points.copy_(torch.where(going, room.clamped(moved, factuals), before))
        return points.detach()

    def loss(
        self, points: Float[Tensor, "row point dimension"], factuals: Float[Tensor, "row 1 dimension"]
    ) -> Float[Tensor, " row"]:
        """Distance to the factual, less the robustness of the least robust point, less the spread of the plan."""
        near = torch.linalg.vector_norm(points - factuals, dim=2).mean(dim=1)
        # The root of x'Sx, if all entries of S are the same; the leading 1 belongs to the intercept.
        doubt = self.method.covariance**0.5 * (points.sum(dim=2) + 1.0).abs().clamp_min(1e-12)
        robust = (self.boundary.score(points) / doubt).amin(dim=1)
        apart = torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")
        kernel = 1.0 / (1.0 + apart) + _DIAGONAL * torch.eye(points.shape[1], dtype=points.dtype)
        return near - self.method.robustness * robust - self.method.diversity * torch.linalg.det(kernel)

    def _noise(self, factuals: Float[ndarray, "row dimension"], count: int) -> Float[ndarray, "row point dimension"]:
        keys = row_keys(factuals.view(np.int64), seed=derived_seed(self.task.seed, "copa"))
        generators = (numpy_generator(self.task.seed, "copa", int(key)) for key in keys)
        return np.stack([generator.standard_normal((count, factuals.shape[1])) for generator in generators])
