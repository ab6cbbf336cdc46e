"""REVISE: gradient steps in the latent space of an autoencoder of the training rows (Joshi et al. 2019)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet.errors import check_at_least
from counterflownet.seeds import derived_seed
from counterflownet_bench.baselines.cchvae_autoencoder import (
    Autoencoder,
    AutoencoderSettings,
    Course,
    trained_autoencoder,
)
from counterflownet_bench.baselines.descent import Asked, Chance, Descent, descended, noise
from counterflownet_bench.baselines.method import Given, Task
from counterflownet_bench.baselines.relaxed_rows import RelaxedRows


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """What the autoencoder decodes where Adam has found both the wanted class and a small distance to the factual.

    As published: the loss is the classifier's cross-entropy for the wanted class plus a weight times the L1 distance
    between the factual and what is decoded; the search starts where the encoder puts the factual. The step size, the
    number of steps and the weight are those of the CARLA library.

    The autoencoder is that of C-CHVAE, with immutable columns beside the latent ones. The classifier is shown rows that
    can exist, one value for each category, with its gradient passed on as if nothing were rounded; the nearest valid
    one of all steps is the answer. Several answers come from as many starts, all but the first of them with noise.

    Immutable columns stay for certain. That others must not decrease is unknown to the method.
    """

    autoencoder: AutoencoderSettings = field(default_factory=AutoencoderSettings)
    descent: Descent = field(default_factory=lambda: Descent(steps=1_000, learning_rate=0.1))
    distance: float = 0.5
    spread: float = 1.0
    """The deviation of starts from the factual's place in the latent space, whose prior has deviation 1."""

    def __post_init__(self) -> None:
        for name in ("distance", "spread"):
            check_at_least(f"Revise.{name}", getattr(self, name), 0.0)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedRevise":
        rows = RelaxedRows.of(task, "REVISE")
        vectors, fixed = rows.space.vectors.encode(task.train), ~rows.space.free
        seed = derived_seed(task.seed, "revise", "autoencoder")
        autoencoder, course = trained_autoencoder(self.autoencoder, vectors, fixed, seed=seed)
        return FittedRevise(self, rows, autoencoder, course)


@dataclass(frozen=True, slots=True, eq=False)
class FittedRevise:
    """A trained autoencoder and the classifier's gradients."""

    method: Revise
    rows: RelaxedRows
    autoencoder: Autoencoder
    course: Course

    @property
    def training(self) -> Mapping[str, Any]:
        return self.course.told()

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        asked = Asked(wanted=self.rows.space.wanted(targets), count=count, name="revise")
        return descended(self.rows, self.method.descent, self._started, rows.reset_index(drop=True), asked)

    def _started(
        self, factuals: Float[Tensor, "search dimension"], wanted: Int[Tensor, " search"], chance: Chance
    ) -> "LatentSteps":
        centres = torch.from_numpy(self.autoencoder.centres(factuals.numpy()))
        latent, beside = centres.tensor_split([self.method.autoencoder.widths[-1]], dim=1)
        away = noise(chance, latent.shape[1]) * self.method.spread
        return LatentSteps(self, factuals, wanted, latent + away.float(), beside)


@dataclass(frozen=True, slots=True, eq=False)
class LatentSteps:
    """Searches whose variables are places in the latent space."""

    fitted: FittedRevise
    factuals: Float[Tensor, "search dimension"]
    wanted: Int[Tensor, " search"]
    start: Float[Tensor, "search latent"]
    beside: Float[Tensor, "search fixed"]

    @property
    def bounds(self) -> tuple[float, float]:
        return -np.inf, np.inf

    def started(self) -> Float[Tensor, "search latent"]:
        return self.start.clone()

    def points(self, variables: Float[Tensor, "search latent"]) -> Float[Tensor, "search dimension"]:
        decoded = self.fitted.autoencoder.decoder(torch.cat([variables, self.beside], dim=1))
        return decoded.sigmoid().double()

    def losses(
        self,
        points: Float[Tensor, "search dimension"],
        logits: Float[Tensor, "search class"],
        found: Bool[Tensor, " search"],  # noqa: ARG002 - a search goes on as before when it has found something
    ) -> tuple[Float[Tensor, " search"], Float[Tensor, " search"]]:
        distances = self.fitted.rows.distances(points, self.factuals)
        miss = torch.nn.functional.cross_entropy(logits, self.wanted, reduction="none")
        return miss + self.fitted.method.distance * distances, distances
