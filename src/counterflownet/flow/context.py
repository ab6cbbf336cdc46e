"""What the flow is conditioned on, as one vector: today the factual and the target."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from counterflownet.space import CodeSpace


class FactualContext(nn.Module):
    """The sum of one learned row per cell of the factual and one for the target: a first layer without one-hot vectors.

    Missing and never-seen values begin as zero rows, so a value that training never showed adds nothing.
    """

    starts: Tensor

    def __init__(self, space: CodeSpace, class_count: int, width: int) -> None:
        super().__init__()
        ends = [count + 2 for count in space.code_counts]  # two more codes: missing, never seen
        starts = torch.tensor([0, *ends]).cumsum(0)
        self.register_buffer("starts", starts[:-1], persistent=False)
        self.cells = nn.EmbeddingBag(int(starts[-1]), width, mode="sum")
        self.targets = nn.Embedding(class_count, width)
        self.bias = nn.Parameter(torch.zeros(width))
        self._initialise(space)

    def _initialise(self, space: CodeSpace) -> None:
        scale = (space.feature_count + 1) ** -0.5  # as many rows are summed: the sum begins with variance one
        nn.init.normal_(self.cells.weight, std=scale)
        nn.init.normal_(self.targets.weight, std=scale)
        special = self.starts + torch.tensor(space.code_counts)
        with torch.no_grad():
            self.cells.weight[special] = 0.0
            self.cells.weight[special + 1] = 0.0

    def forward(
        self, factual: Int[Tensor, "batch feature"], target: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch width"]:
        return self.bias + self.cells(factual + self.starts) + self.targets(target)
