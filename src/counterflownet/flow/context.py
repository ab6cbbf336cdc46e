"""What the flow is conditioned on, as one vector: the factual, the target, and what is allowed."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from counterflownet._space import CodeSpace
from counterflownet.flow.code_table import CodeTable
from counterflownet.flow.question import Questions


class Context(nn.Module):
    """A sum of learned vectors: one for each cell of the factual, the target, each lock and the change budget.

    A first layer without one-hot vectors. Because the policy sees the constraints, it can adapt to them.

    Missing and never-seen values start as zero vectors, so a value that never occurs in training adds nothing.
    """

    starts: Tensor

    def __init__(self, space: CodeSpace, class_count: int, width: int) -> None:
        super().__init__()
        self.space = space
        ends = [count + 2 for count in space.code_counts]  # two more codes: missing, never seen
        starts = torch.tensor([0, *ends]).cumsum(0)
        self.register_buffer("starts", starts[:-1], persistent=False)
        scale = (space.feature_count + 1) ** -0.5  # as many rows are summed: the sum begins with variance one
        self.cells = CodeTable(space, width, scale=scale, special_codes=2)
        self.slopes = nn.Parameter(torch.zeros(int(starts[-1]), width))  # how each cell's row turns along its bin
        self.targets = nn.Embedding(class_count, width)
        self.locks = nn.Parameter(torch.zeros(space.feature_count, width))
        self.budgets = nn.Parameter(torch.zeros(space.feature_count + 1, width))
        nn.init.normal_(self.targets.weight, std=scale)
        self.bias = nn.Parameter(torch.zeros(width))
        special = self.starts + torch.tensor(space.code_counts)
        with torch.no_grad():
            self.cells.rows[special] = 0.0
            self.cells.rows[special + 1] = 0.0

    def forward(self, questions: Questions) -> Float[Tensor, "row width"]:
        places = questions.factual + self.starts
        cells = functional.embedding_bag(places, self.cells.weight, mode="sum")
        if questions.offset is not None:
            offset = questions.offset
            cells = cells + functional.embedding_bag(places, self.slopes, mode="sum", per_sample_weights=offset)
        allowed = questions.allowed
        # embedding, not indexing: the gradient of indexing adds up in whatever order threads arrive
        budgets = functional.embedding(allowed.most_changes, self.budgets)
        constraints = allowed.locked(self.space) @ self.locks + budgets
        return self.bias + cells + self.targets(questions.target) + constraints
