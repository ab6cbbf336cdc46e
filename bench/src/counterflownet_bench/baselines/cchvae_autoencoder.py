"""The variational autoencoder in whose latent space C-CHVAE searches."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor, nn

from counterflownet.errors import InvalidInputError, check_at_least, check_count
from counterflownet.seeds import derived_seed, seeded_networks


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoencoderSettings:
    """How it is built and trained; ``divergence`` is the weight of its latent prior, approached epoch by epoch from 0.

    The last of the ``widths`` is that of the latent space, the others are the encoder's; the decoder mirrors them.
    """

    widths: tuple[int, ...] = (64, 32, 16)
    epochs: int = 10
    batch_rows: int = 32
    learning_rate: float = 1e-3
    weight_decay: float = 1e-6
    divergence: float = 0.3

    def __post_init__(self) -> None:
        check_count("AutoencoderSettings.epochs", self.epochs, least=0)
        check_count("AutoencoderSettings.batch_rows", self.batch_rows)
        if len(self.widths) < 2:
            raise InvalidInputError(f"AutoencoderSettings.widths needs a hidden and a latent width; got {self.widths}.")
        for width in self.widths:
            check_count("AutoencoderSettings.widths", width)
        for name in ("learning_rate", "weight_decay", "divergence"):
            check_at_least(f"AutoencoderSettings.{name}", getattr(self, name), 0.0)


class Autoencoder(nn.Module):
    """A Gaussian in the latent space for each vector, and vectors of what lies there.

    Immutable coordinates (``fixed``) stand beside the latent ones for the decoder, and are copied to its output.
    """

    fixed: Tensor

    def __init__(self, fixed: Bool[ndarray, " dimension"], widths: Sequence[int]) -> None:
        super().__init__()
        *hidden, latent = widths
        self.register_buffer("fixed", torch.from_numpy(fixed))
        self.trunk = _chain(len(fixed), *hidden)
        self.mean, self.log_variance = nn.Linear(hidden[-1], latent), nn.Linear(hidden[-1], latent)
        mirrored = _chain(latent + int(fixed.sum()), *reversed(hidden))
        self.decoder = nn.Sequential(mirrored, nn.Linear(hidden[0], len(fixed)))

    def losses(
        self, vectors: Float[Tensor, "row dimension"], generator: torch.Generator
    ) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """The mean reconstruction loss (binary cross-entropy of all coordinates) and divergence from the prior."""
        hidden = self.trunk(vectors)
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        noise = torch.randn(mean.shape, generator=generator)
        logits = self.decoder(self._beside(mean + noise * (log_variance / 2).exp(), vectors))
        mutable = ~self.fixed  # what is copied is no reconstruction, and adds nothing but a constant
        away = nn.functional.binary_cross_entropy_with_logits(logits[:, mutable], vectors[:, mutable], reduction="sum")
        divergence = (mean.square() + log_variance.exp() - log_variance - 1).sum() / 2
        return away / len(vectors), divergence / len(vectors)

    @torch.no_grad()
    def centres(self, vectors: Float[ndarray, "row dimension"]) -> Float[ndarray, "row latent"]:
        """Where each vector lies: the mean of its Gaussian, then its immutable coordinates."""
        given = torch.from_numpy(vectors).float()
        return self._beside(self.mean(self.trunk(given)), given).numpy()

    @torch.no_grad()
    def decoded(self, latent: Float[ndarray, "row latent"]) -> Float[ndarray, "row dimension"]:
        """The vectors there, between 0 and 1; immutable coordinates are the caller's to fill in."""
        return self.decoder(torch.from_numpy(latent)).sigmoid().numpy()

    def _beside(self, latent: Float[Tensor, "row latent"], vectors: Float[Tensor, "row dimension"]) -> Tensor:
        return torch.cat([latent, vectors[:, self.fixed]], dim=1)


@dataclass(frozen=True, slots=True)
class Course:
    """The mean reconstruction loss of each epoch: the whole loss cannot be compared, as its weights change."""

    reconstruction: Sequence[float]

    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = {"epochs": len(self.reconstruction)}
        if self.reconstruction:
            found |= {"first_loss": self.reconstruction[0], "last_loss": self.reconstruction[-1]}
        return found


def trained_autoencoder(
    settings: AutoencoderSettings,
    vectors: Float[ndarray, "row dimension"],
    fixed: Bool[ndarray, " dimension"],
    *,
    seed: int,
) -> tuple[Autoencoder, Course]:
    """An autoencoder of vectors between 0 and 1, and how its training went."""
    with seeded_networks(derived_seed(seed, "networks")):
        autoencoder = Autoencoder(fixed, settings.widths)
    generator = torch.Generator().manual_seed(derived_seed(seed, "training"))
    optimiser = torch.optim.Adam(
        autoencoder.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
    )
    rows = torch.from_numpy(np.clip(vectors, 0.0, 1.0)).float()
    reconstruction = []
    for epoch in range(settings.epochs):
        weight, total = settings.divergence * epoch / settings.epochs, 0.0
        order = torch.randperm(len(rows), generator=generator)
        for start in range(0, len(rows), settings.batch_rows):
            some = rows[order[start : start + settings.batch_rows]]
            away, divergence = autoencoder.losses(some, generator)
            optimiser.zero_grad()
            (away + weight * divergence).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            total += away.item() * len(some)
        reconstruction.append(total / len(rows))
    return autoencoder.requires_grad_(False), Course(reconstruction)


def _chain(*widths: int) -> nn.Sequential:
    """Linear layers, each with a ReLU behind it."""
    return nn.Sequential(
        *(part for inward, outward in pairwise(widths) for part in (nn.Linear(inward, outward), nn.ReLU()))
    )
