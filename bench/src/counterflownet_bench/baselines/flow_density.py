"""How dense the training rows of each class are anywhere: a conditional flow that was trained to say so."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import zuko
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet.errors import check_at_least, check_between, check_count, check_positive
from counterflownet.seeds import derived_seed, seeded_networks
from counterflownet_bench.baselines.dicoflex import mean_loss


@dataclass(frozen=True, slots=True, kw_only=True)
class DensitySettings:
    """How the flow is built and trained; the weights that were best on the held-out rows are kept.

    Rows are blurred anew in every epoch, by one deviation for numbers and one for one-hot categories: the density of
    points without an extent has no limit.
    """

    transforms: int = 5
    hidden: tuple[int, ...] = (64, 64)
    epochs: int = 100
    batch_rows: int = 256
    learning_rate: float = 1e-3
    held_out: float = 0.1
    patience: int = 10
    number_blur: float = 0.01
    category_blur: float = 0.05

    def __post_init__(self) -> None:
        for name in ("transforms", "epochs", "batch_rows", "patience"):
            check_count(f"DensitySettings.{name}", getattr(self, name))
        check_positive("DensitySettings.learning_rate", self.learning_rate)
        check_between("DensitySettings.held_out", self.held_out, 0.0, 0.9)
        for name in ("number_blur", "category_blur"):
            check_at_least(f"DensitySettings.{name}", getattr(self, name), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class ClassDensity:
    """A flow over vectors whose context is a class."""

    flow: Any
    class_count: int
    course: dict[str, Any]

    def log_density(
        self, points: Float[Tensor, "point dimension"], classes: Int[Tensor, " point"]
    ) -> Float[Tensor, " point"]:
        """The logarithm of each point's density among the rows of its class."""
        return self.flow(_contexts(classes, self.class_count)).log_prob(points.float()).double()

    @torch.no_grad()
    def quantile(self, points: Float[Tensor, "point dimension"], number: int, share: float) -> float:
        """The log-density below which this share of a class's points lies; minus infinity if there are none."""
        if len(points) == 0:
            return -np.inf
        blocks = (self.log_density(some, torch.full((len(some),), number)) for some in torch.split(points, 4_000))
        return float(torch.cat(list(blocks)).quantile(share))


def trained_density(
    settings: DensitySettings,
    points: Float[Tensor, "row dimension"],
    classes: Int[Tensor, " row"],
    categorical: Bool[ndarray, " dimension"],
    *,
    class_count: int,
    seed: int,
) -> ClassDensity:
    """A flow that was trained by maximum likelihood on these points and their classes."""
    with seeded_networks(derived_seed(seed, "flow")):
        flow = zuko.flows.MAF(
            points.shape[1], class_count, transforms=settings.transforms, hidden_features=settings.hidden
        )
    chance = torch.Generator().manual_seed(derived_seed(seed, "training"))
    blur = torch.where(torch.from_numpy(categorical), settings.category_blur, settings.number_blur)
    rows = BlurredRows(points.float(), _contexts(classes, class_count), blur.float(), chance)
    return ClassDensity(flow, class_count, _learned(flow, rows, settings))


@dataclass(frozen=True, slots=True, eq=False)
class BlurredRows:
    """Points and the contexts they belong to, with fresh noise whenever they are looked at."""

    points: Float[Tensor, "row dimension"]
    contexts: Float[Tensor, "row class"]
    blur: Float[Tensor, " dimension"]
    chance: torch.Generator

    def shuffled(self, count: int) -> Int[Tensor, " row"]:
        return torch.randperm(count, generator=self.chance)

    def drawn(self, rows: Int[Tensor, " some"]) -> tuple[Float[Tensor, "some dimension"], Float[Tensor, "some class"]]:
        noise = torch.randn((len(rows), self.points.shape[1]), generator=self.chance)
        return self.points[rows] + noise * self.blur, self.contexts[rows]


def _learned(flow: Any, rows: BlurredRows, settings: DensitySettings) -> dict[str, Any]:
    """How it went; the flow has its best weights afterwards."""
    held_out, learning = rows.shuffled(len(rows.points)).tensor_split(
        [max(1, int(settings.held_out * len(rows.points)))]
    )
    judged = rows.drawn(held_out)  # once, so that epochs are compared on the same points
    optimizer = torch.optim.Adam(flow.parameters(), lr=settings.learning_rate)
    losses, best, weights = [mean_loss(flow, judged)], 0, deepcopy(flow.state_dict())
    while len(losses) <= settings.epochs and len(losses) - 1 - best < settings.patience:
        for some in torch.split(learning[rows.shuffled(len(learning))], settings.batch_rows):
            points, contexts = rows.drawn(some)
            optimizer.zero_grad()
            (-flow(contexts).log_prob(points).mean()).backward()
            optimizer.step()
        losses.append(mean_loss(flow, judged))
        if losses[-1] < losses[best]:
            best, weights = len(losses) - 1, deepcopy(flow.state_dict())
    flow.load_state_dict(weights)
    flow.requires_grad_(requires_grad=False)
    told = {"epochs": len(losses) - 1, "best_epoch": best}
    return told | {"held_out_loss_untrained": losses[0], "held_out_loss": losses[best]}


def _contexts(classes: Int[Tensor, " row"], class_count: int) -> Float[Tensor, "row class"]:
    return torch.nn.functional.one_hot(classes, class_count).float()
