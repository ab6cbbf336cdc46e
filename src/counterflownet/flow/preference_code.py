"""Preferences as numbers a network can read: smooth curves in which small differences show, 0 for the standard."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from counterflownet._preferences import BETA_RANGE, MOST_COST, PAID, Preferences

WAVES = 5  # along every exponent and the temperature
COST_WAVES = 2  # along the cost of every column
STEEP = 8.0  # near 0 an exponent matters most: one of 0.05 already makes a change e times less likely


class PreferenceCode(nn.Module):
    """The code of preferences, beside that of the ``standard``, which becomes 0.

    Exponents count together with the temperature: twice the exponent under half the beta is the same reward. What a
    column costs counts by itself and together with the exponents that it enters.

    ``informed``: the exponents themselves are part of the code, since logarithms of rewards grow in proportion to them.
    The first flows that were saved are not.
    """

    origin: Tensor
    weights: Tensor
    beta: Tensor
    costs: Tensor

    def __init__(self, standard: Preferences, *, informed: bool = True) -> None:
        super().__init__()
        self.informed = informed
        self.paid = [number for number, name in enumerate(standard.terms) if name in PAID]
        self.terms = standard.terms
        self.register_buffer("beta", standard.beta.float(), persistent=False)
        self.register_buffer("weights", standard.weights.float(), persistent=False)
        self.register_buffer("costs", standard.costs.float(), persistent=False)
        self.register_buffer("origin", self._placed(standard), persistent=False)

    @property
    def standard(self) -> Preferences:
        """What is preferred where nothing else is said."""
        return Preferences(self.terms, self.weights, self.beta, self.costs)

    @property
    def size(self) -> int:
        """How many numbers a preference becomes."""
        return self.origin.shape[1]

    def forward(self, preferences: Preferences) -> Float[Tensor, "row number"]:
        return self._placed(preferences) - self.origin

    def _placed(self, preferences: Preferences) -> Float[Tensor, "row number"]:
        ratio = (
            preferences.beta.float() / self.beta if float(self.beta) > 0 else torch.ones_like(preferences.beta).float()
        )
        exponents = preferences.weights.float() * ratio[:, None]
        costs = preferences.costs.float()
        warmth = (ratio.log()[:, None] / math.log(BETA_RANGE) + 1.0) / 2.0
        parts = [curves(_flattened(exponents, BETA_RANGE), WAVES), curves(warmth, WAVES)]
        parts += [curves(costs.log1p() / math.log1p(MOST_COST), COST_WAVES)]
        parts += [_flattened(costs * exponents[:, [number]], BETA_RANGE * MOST_COST) for number in self.paid]
        parts += [exponents / 2.0] if self.informed else []
        return torch.cat(parts, dim=1)


class Lean(nn.Module):
    """How preferences act beyond the first layer: by a factor for each hidden unit, and by what they add to actions.

    The logarithm of the reward is a product of exponents and what a state is, hence the factors. All begin at zero, so
    that a preference changes nothing before it is learned, and the standard never needs any of it.
    """

    def __init__(self, size: int, width: int, action_count: int) -> None:
        super().__init__()
        self.gates = nn.Parameter(torch.zeros(size, width))
        self.actions = nn.Parameter(torch.zeros(size, action_count))

    def forward(self, code: Float[Tensor, "row number"]) -> "Leaning":
        return Leaning(1.0 + code @ self.gates, code @ self.actions)


@dataclass(frozen=True, slots=True, eq=False)
class Leaning:
    """What the preferences of some rows do to the last hidden layer and to the logits of actions."""

    gates: Float[Tensor, "row width"]
    actions: Float[Tensor, "row action"]

    def and_also(self, other: "Leaning") -> "Leaning":
        """What both do together."""
        return Leaning(self.gates * other.gates, self.actions + other.actions)

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "Leaning":
        return Leaning(self.gates.index_select(0, rows), self.actions.index_select(0, rows))


def _flattened(values: Float[Tensor, "row value"], most: float) -> Float[Tensor, "row value"]:
    """Values from 0 to ``most`` as places from 0 to 1, near 0 farther apart."""
    return (STEEP * values).log1p() / math.log1p(STEEP * most)


def curves(places: Float[Tensor, "row place"], waves: int) -> Float[Tensor, "row number"]:
    """Each place from 0 to 1 itself, and some cosines of it."""
    wave = torch.arange(1, waves + 1, device=places.device)
    cosines = torch.cos(math.pi * places[:, :, None] * wave) / wave
    return torch.cat([places[:, :, None], cosines], dim=2).flatten(1)
