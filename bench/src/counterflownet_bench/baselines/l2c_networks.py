"""The two networks of L2C, and draws from what they say: blurred ones to learn from, hard ones to answer with."""

from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from counterflownet_bench.baselines.l2c_levels import Levels, SeenRows


class Networks(nn.Module):
    """The selector, which says how likely each feature changes, and the perturber, which says to which level."""

    def __init__(self, levels: Levels, width: int) -> None:
        super().__init__()
        self.levels = levels
        space = levels.schema.space
        self.selector = _chain(space.code_total, width, space.feature_count)
        self.perturber = _chain(space.code_total, width, width, width, space.code_total)

    def forward(
        self, rows: SeenRows, *, smoothing: float = 0.0
    ) -> tuple[Float[Tensor, "row feature"], Float[Tensor, "row feature level"]]:
        """How likely each feature is selected, and each level of it drawn then: forbidden ones never."""
        selection = self.selector(rows.one_hot).sigmoid()
        uniform = rows.allowed / rows.allowed.sum(dim=2, keepdim=True, dtype=selection.dtype)
        if smoothing == 1:  # nothing is asked of the perturber, which is most of the work
            return selection, uniform
        logits = self.levels.side_by_feature(self.perturber(rows.one_hot))
        learned = logits.masked_fill(~rows.allowed, -torch.inf).softmax(dim=2)
        return selection, (1 - smoothing) * learned + smoothing * uniform

    @torch.no_grad()
    def drawn(self, rows: SeenRows, uniforms: Float[Tensor, "row draw two_features"]) -> "Draws":
        """As many draws for each row as there are numbers in [0, 1) for: a pair of them decides about a feature."""
        selection, distribution = self(rows)
        selected = (uniforms[:, :, 0::2] < selection[:, None]) & rows.editable[:, None]
        codes = hard_levels(distribution, uniforms[:, :, 1::2].transpose(1, 2)).transpose(1, 2)
        return Draws(selected, codes)

    def valid(self, rows: SeenRows, draws: "Draws", wanted: Int[Tensor, " row"]) -> Bool[Tensor, "row draw"]:
        """Which draws are of the wanted class and differ from their row."""
        vectors = self.levels.placed(rows.vectors, draws.selected, draws.codes)
        changed = (vectors != rows.vectors[:, None]).any(dim=2)
        return changed & (self.levels.classifier.logits(vectors).argmax(dim=2) == wanted[:, None])

    def opposite(self, rows: SeenRows) -> Int[Tensor, " row"]:
        """The number of each row's least likely class."""
        return self.levels.classifier.logits(rows.vectors).argmin(dim=1)


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Which features were selected in each draw, and the level drawn for every feature, selected or not."""

    selected: Bool[Tensor, "row draw feature"]
    codes: Int[Tensor, "row draw feature"]


def relaxed_selection(
    probability: Float[Tensor, "row feature"], temperature: float, generator: torch.Generator
) -> Float[Tensor, "row feature"]:
    """Draws of 0 or 1 that are blurred, so that gradients pass (the binary concrete distribution)."""
    uniform = _inside(torch.rand(probability.shape, generator=generator, dtype=probability.dtype))
    return ((_inside(probability).logit() + uniform.logit()) / temperature).sigmoid()


def relaxed_levels(
    distribution: Float[Tensor, "row feature level"], temperature: float, generator: torch.Generator
) -> Float[Tensor, "row feature level"]:
    """Draws of one level for each feature, blurred (Gumbel-softmax); what is impossible keeps weight 0."""
    uniform = _inside(torch.rand(distribution.shape, generator=generator, dtype=distribution.dtype))
    logits = _inside(distribution).log().masked_fill(distribution == 0, -torch.inf)
    return ((logits - (-uniform.log()).log()) / temperature).softmax(dim=2)


def hard_levels(
    distribution: Float[Tensor, "row feature level"], uniforms: Float[Tensor, "row feature draw"]
) -> Int[Tensor, "row feature draw"]:
    """The level that each number in [0, 1) falls to; an impossible level has no room to be hit."""
    reached = distribution.cumsum(dim=2)
    reached = reached / reached[:, :, -1:]  # ends at exactly 1, which no number reaches
    return torch.searchsorted(reached.contiguous(), uniforms.contiguous(), right=True)


def _inside(probability: Tensor) -> Tensor:
    return probability.clamp(1e-12, 1 - 1e-12)


def _chain(*widths: int) -> nn.Sequential:
    """Linear layers with ReLU between them."""
    parts: list[nn.Module] = []
    for inward, outward in pairwise(widths):
        parts += [nn.Linear(inward, outward, dtype=torch.float64), nn.ReLU()]
    return nn.Sequential(*parts[:-1])
