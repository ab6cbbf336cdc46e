"""Intervals as numbers a network can read: where their ends lie, and how far the factual's own prediction is away."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from counterflownet.flow.preference_code import curves

WAVES = 6  # along every number
OPEN = 0.25  # how far outside of [0, 1] the place of an end stands that an interval does not have
WIDTH = 1 + 2 * OPEN
SIZE = 5 * (WAVES + 1)
STEEP = 8.0  # near 0, distances matter most


class IntervalCode(nn.Module):
    """What an interval adds to a context; smooth in both ends, so that one flow serves them all."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(SIZE, width))

    def forward(self, target: Float[Tensor, "row 3"]) -> Float[Tensor, "row width"]:
        """``target`` has the places of both ends, and that of the factual's own prediction."""
        return self.code(target) @ self.weight

    def code(self, target: Float[Tensor, "row 3"]) -> Float[Tensor, "row number"]:
        """The numbers themselves."""
        low, high, own = target.unbind(dim=1)
        up, down = _flattened(low - own), _flattened(own - high)  # one of them is the way to go
        places = torch.stack([*((end + OPEN) / WIDTH for end in (low, high, own)), up, down], dim=1)
        return curves(places, WAVES)


def _flattened(distance: Float[Tensor, " row"]) -> Float[Tensor, " row"]:
    """Distances above 0 as places from 0 to 1, near 0 farther apart."""
    farthest = torch.tensor(STEEP * WIDTH, device=distance.device).log1p()
    return (STEEP * distance.clamp(0.0, WIDTH)).log1p() / farthest
