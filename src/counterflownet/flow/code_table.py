"""One learned row per code, in which neighbours of an ordered feature learn from each other."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from counterflownet.space import CodeSpace

WAVES = 8


class CodeTable(nn.Module):
    """A row for every code: a row of its own plus, where codes have an order, a smooth curve along it.

    The curve is a sum of a few cosines. What is learned of one bin of a number is so learned of the bins around it,
    while the rows of their own keep every function of the codes within reach.
    """

    basis: Tensor

    def __init__(self, space: CodeSpace, width: int, *, scale: float, special_codes: int = 0) -> None:
        super().__init__()
        blocks = [
            torch.cat([_waves(count if smooth else 0, count), torch.zeros(special_codes, WAVES if smooth else 0)])
            for count, smooth in zip(space.code_counts, space.ordered_flags, strict=True)
        ]
        self.register_buffer("basis", torch.block_diag(*blocks), persistent=False)  # type: ignore[no-untyped-call]
        self.rows = nn.Parameter(scale * torch.randn(len(self.basis), width))
        self.curves = nn.Parameter(scale * torch.randn(self.basis.shape[1], width))

    @property
    def weight(self) -> Float[Tensor, "code width"]:
        """All rows."""
        return self.rows + self.basis @ self.curves if len(self.curves) else self.rows


def _waves(ordered_count: int, count: int) -> Float[Tensor, "code wave"]:
    if ordered_count == 0:
        return torch.zeros(count, 0)
    place = (torch.arange(count) + 0.5) / count
    wave = torch.arange(1, WAVES + 1)
    return torch.cos(math.pi * place[:, None] * wave) / wave  # slower waves begin larger: the curve begins smooth
