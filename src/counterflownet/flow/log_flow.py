"""The log-flow network of trajectory balance: log F of a question, an estimate of log Z."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from counterflownet.flow.context import Context
from counterflownet.flow.question import Questions


class LogFlow(nn.Module):
    """Two hidden layers over a context of its own; ``shift`` is set once, to start near the truth."""

    shift: Tensor

    def __init__(self, context: Context, width: int) -> None:
        super().__init__()
        self.context = context
        self.trunk = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)
        self.register_buffer("shift", torch.zeros(()))

    def forward(self, questions: Questions) -> Float[Tensor, " row"]:
        hidden = functional.relu(self.trunk(functional.relu(self.context(questions))))
        return self.head(hidden).squeeze(1) + self.shift
