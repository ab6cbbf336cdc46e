"""The log-flow network of trajectory balance: log F(factual, target), an estimate of log Z."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from counterflownet.flow.context import FactualContext


class LogFlow(nn.Module):
    """Two hidden layers over a context of its own; ``shift`` is set once, to start near the truth."""

    shift: Tensor

    def __init__(self, context: FactualContext, width: int) -> None:
        super().__init__()
        self.context = context
        self.trunk = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)
        self.register_buffer("shift", torch.zeros(()))

    def forward(self, factual: Int[Tensor, "batch feature"], target: Int[Tensor, " batch"]) -> Float[Tensor, " batch"]:
        hidden = functional.relu(self.trunk(functional.relu(self.context(factual, target))))
        return self.head(hidden).squeeze(1) + self.shift
