"""Wachter: the nearest row that the classifier puts near the wanted class, by gradients (Wachter et al. 2018)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet.errors import check_at_least, check_positive
from counterflownet_bench.baselines.descent import Asked, Chance, Descent, MovingPoints, descended, noise
from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.baselines.relaxed_rows import RelaxedRows


@dataclass(frozen=True, slots=True, kw_only=True)
class Wachter:
    """Adam on the distance to the factual plus a weight times the squared miss of the wanted probability, which is 1.

    As published: distances of numbers count in their columns' median absolute deviations; the weight grows until the
    class is right; several answers come from as many random starts, of which the first is the factual itself. This is
    the gradient variant, for classifiers whose layers are known.

    The publication knows numbers only and sets categories by hand. Here the classifier is shown one value for each
    category in every step, with its gradient passed on as if nothing were rounded, and another category counts as 1.
    Where more than half of a column's numbers are the same its standard deviation is taken. A number within a step of
    the factual's counts as unmoved, since Adam never comes to rest where the L1 distance would have it. The weight
    grows a little with every step until there is a valid row and then stays; the nearest valid row of all steps is the
    answer, and a search that has met none gives no answer.

    Immutable columns stay for certain. That others must not decrease is unknown to the method.
    """

    descent: Descent = field(default_factory=lambda: Descent(steps=1_000, learning_rate=0.01))
    weight: float = 1.0
    growth: float = 1.01
    spread: float = 0.25
    """The deviation of starts from the factual, in shares of a number's range and of a category."""

    def __post_init__(self) -> None:
        check_positive("Wachter.weight", self.weight)
        check_at_least("Wachter.growth", self.growth, 1.0)
        check_at_least("Wachter.spread", self.spread, 0.0)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedWachter":
        """Nothing is learned but how far the numbers of each column are apart."""
        rows = RelaxedRows.of(task, "Wachter")
        share = rows.share.clone()
        for name in task.card.continuous:
            share[rows.space.vectors.spans[name]] = float(np.ptp(task.train[name])) / _deviation(task.train[name])
        return FittedWachter(self, rows, share)


def _deviation(column: pd.Series) -> float:
    """The median absolute deviation, the standard deviation if that is 0, and 1 if all numbers are the same."""
    return float((column - column.median()).abs().median()) or float(column.std(ddof=0)) or 1.0


@dataclass(frozen=True, slots=True, eq=False)
class FittedWachter:
    """What a coordinate counts for in the distance, and the classifier's gradients."""

    method: Wachter
    rows: RelaxedRows
    share: Float[Tensor, " dimension"]

    @property
    def training(self) -> Mapping[str, Any]:
        return {}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        asked = Asked(wanted=self.rows.space.wanted(targets), count=count, name="wachter")
        return descended(self.rows, self.method.descent, self._started, rows.reset_index(drop=True), asked)

    def _started(
        self, factuals: Float[Tensor, "search dimension"], wanted: Int[Tensor, " search"], chance: Chance
    ) -> "Approach":
        weights = torch.full((len(factuals),), self.method.weight, dtype=torch.float64)
        return Approach(factuals, wanted, noise(chance, factuals.shape[1]) * self.method.spread, self, weights)


@dataclass(frozen=True, slots=True, eq=False)
class Approach(MovingPoints):
    """Searches with a weight of the wanted class for each."""

    fitted: FittedWachter
    weights: Float[Tensor, " search"]

    def points(self, variables: Float[Tensor, "search dimension"]) -> Float[Tensor, "search dimension"]:
        """What is within a step of the factual is shown as the factual."""
        still = (variables - self.factuals).abs() < self.fitted.method.descent.learning_rate
        return variables + torch.where(still, self.factuals - variables, 0.0).detach()

    def losses(
        self,
        points: Float[Tensor, "search dimension"],
        logits: Float[Tensor, "search class"],
        found: Bool[Tensor, " search"],
    ) -> tuple[Float[Tensor, " search"], Float[Tensor, " search"]]:
        distances = ((points - self.factuals).abs() * self.fitted.share).sum(dim=1)
        miss = 1 - logits.softmax(dim=1).gather(1, self.wanted[:, None])[:, 0]
        self.weights.mul_(torch.where(found, 1.0, self.fitted.method.growth))
        return distances + self.weights.clone() * miss.square(), distances
