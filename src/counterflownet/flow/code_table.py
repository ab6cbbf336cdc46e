"""One learned row per code, in which neighbours of an ordered feature learn from each other."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from counterflownet._space import CodeSpace

WAVES = 8


class CodeTable(nn.Module):
    """A vector for every code: its own plus, if codes have an order, a smooth curve along it.

    The curve is a sum of a few cosines, so what is learned about one bin carries over to the bins around it. The codes'
    own vectors keep every function of the codes representable.
    """

    waves: Tensor  # along every ordered feature, padded to the longest
    inside: Tensor  # where in these a code stands
    smooth: Tensor  # the rows of the codes that have an order

    def __init__(self, space: CodeSpace, width: int, *, scale: float, special_codes: int = 0) -> None:
        super().__init__()
        ordered = [count for count, smooth in zip(space.code_counts, space.ordered_flags, strict=True) if smooth]
        positions = torch.arange(max(ordered, default=0))
        inside = positions < torch.tensor(ordered)[:, None] if ordered else torch.zeros(0, 0, dtype=torch.bool)
        waves = [functional.pad(_waves(count), (0, 0, 0, len(positions) - count)) for count in ordered]
        self.register_buffer("waves", torch.stack(waves) if waves else torch.zeros(0, 0, WAVES), persistent=False)
        self.register_buffer("inside", inside.flatten().nonzero().squeeze(1), persistent=False)
        self.register_buffer("smooth", _smooth_rows(space, special_codes), persistent=False)
        row_count = space.code_total + special_codes * space.feature_count
        self.rows = nn.Parameter(scale * torch.randn(row_count, width))
        self.curves = nn.Parameter(scale * torch.randn(len(ordered) * WAVES, width))

    @property
    def weight(self) -> Float[Tensor, "code width"]:
        """All rows."""
        if len(self.curves) == 0:
            return self.rows
        curves = self.curves.reshape(len(self.waves), WAVES, -1)
        along = torch.bmm(self.waves, curves).flatten(0, 1).index_select(0, self.inside)
        return self.rows.index_add(0, self.smooth, along)


def _smooth_rows(space: CodeSpace, special_codes: int) -> Int[Tensor, " smooth"]:
    """The rows of the codes of ordered features; special codes come after each feature's own and have no order."""
    smooth_rows, start = [torch.zeros(0, dtype=torch.int64)], 0
    for count, smooth in zip(space.code_counts, space.ordered_flags, strict=True):
        if smooth:
            smooth_rows.append(torch.arange(start, start + count))
        start += count + special_codes
    return torch.cat(smooth_rows)


def _waves(count: int) -> Float[Tensor, "code wave"]:
    place = (torch.arange(count) + 0.5) / count
    wave = torch.arange(1, WAVES + 1)
    return torch.cos(math.pi * place[:, None] * wave) / wave  # slower waves begin larger: the curve begins smooth
