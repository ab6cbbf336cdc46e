"""PPCEF: the nearest row of the wanted class that a flow finds dense enough (Wielopolski et al. 2024)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet.errors import check_at_least, check_between
from counterflownet.seeds import derived_seed
from counterflownet_bench.baselines.descent import Asked, Chance, Descent, MovingPoints, descended, noise
from counterflownet_bench.baselines.flow_density import ClassDensity, DensitySettings, trained_density
from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.baselines.relaxed_rows import RelaxedRows


@dataclass(frozen=True, slots=True, kw_only=True)
class Ppcef:
    """Adam on the distance to the factual plus a weight times two hinges: one on the class, one on the density.

    As published: the density is that of a masked autoregressive flow, given the class; its hinge begins at a quantile
    of the training rows of the wanted class, that of the class at a probability of one half and a margin; all rows are
    moved in one batch.

    The flow learns the classes that the classifier gives to the training rows, since no method here is told labels. The
    publication's rows are numbers, and its later code relaxes categories by Gumbel-softmax; here classifier and flow
    are shown one value for each category in every step, with their gradients passed on as if nothing were rounded. The
    answer is the valid row with the lowest loss of all steps, not that of the last one. Steps are ten times as long
    and a tenth as many as in that code. Several answers come from as many starts, all but the first of them with noise.

    Immutable columns stay for certain. That others must not decrease is unknown to the method.
    """

    density: DensitySettings = field(default_factory=DensitySettings)
    descent: Descent = field(default_factory=lambda: Descent(steps=500, learning_rate=0.01))
    weight: float = 1_000.0
    margin: float = 0.01
    quantile: float = 0.25
    """The share of the wanted class's training rows that are not dense enough."""
    spread: float = 0.1
    """The deviation of starts from the factual, in shares of a number's range and of a category."""

    def __post_init__(self) -> None:
        check_between("Ppcef.quantile", self.quantile, 0.0, 1.0)
        check_between("Ppcef.margin", self.margin, 0.0, 0.5)
        for name in ("weight", "spread"):
            check_at_least(f"Ppcef.{name}", getattr(self, name), 0.0)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedPpcef":
        rows = RelaxedRows.of(task, "PPCEF")
        points = torch.from_numpy(rows.space.vectors.encode(task.train))
        classes = torch.from_numpy(task.classifier.probabilities(task.train).argmax(axis=1))
        count = len(task.classifier.classes)
        categorical = rows.space.vectors.of_columns(task.card.categorical)
        seed = derived_seed(task.seed, "ppcef")
        density = trained_density(self.density, points, classes, categorical, class_count=count, seed=seed)
        least = [density.quantile(points[classes == number], number, self.quantile) for number in range(count)]
        return FittedPpcef(self, rows, density, torch.tensor(least, dtype=torch.float64))


@dataclass(frozen=True, slots=True, eq=False)
class FittedPpcef:
    """The flow, and the log-density that is enough in each class."""

    method: Ppcef
    rows: RelaxedRows
    density: ClassDensity
    enough: Float[Tensor, " class"]

    @property
    def training(self) -> Mapping[str, Any]:
        return self.density.course

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        asked = Asked(wanted=self.rows.space.wanted(targets), count=count, name="ppcef")
        return descended(self.rows, self.method.descent, self._started, rows.reset_index(drop=True), asked)

    def _started(
        self, factuals: Float[Tensor, "search dimension"], wanted: Int[Tensor, " search"], chance: Chance
    ) -> "DenseApproach":
        return DenseApproach(factuals, wanted, noise(chance, factuals.shape[1]) * self.method.spread, self)


@dataclass(frozen=True, slots=True, eq=False)
class DenseApproach(MovingPoints):
    """Searches for points that are near, of the wanted class and dense enough."""

    fitted: FittedPpcef

    def losses(
        self,
        points: Float[Tensor, "search dimension"],
        logits: Float[Tensor, "search class"],
        found: Bool[Tensor, " search"],  # noqa: ARG002 - a search goes on as before when it has found something
    ) -> tuple[Float[Tensor, " search"], Float[Tensor, " search"]]:
        method = self.fitted.method
        near = (points - self.factuals).square().sum(dim=1).clamp_min(1e-12).sqrt()
        chance = logits.softmax(dim=1).gather(1, self.wanted[:, None])[:, 0]
        unlikely = (0.5 + method.margin - chance).relu()
        sparse = (self.fitted.enough[self.wanted] - self.fitted.density.log_density(points, self.wanted)).relu()
        losses = near + method.weight * (unlikely + sparse)
        return losses, losses.detach()
