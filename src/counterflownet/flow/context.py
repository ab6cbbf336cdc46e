"""What the flow is asked, and the same as one vector: the factual, the target, and what is allowed."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from counterflownet._preferences import Preferences
from counterflownet._space import Allowed, CodeSpace
from counterflownet.flow.code_table import CodeTable
from counterflownet.flow.interval_code import IntervalCode
from counterflownet.flow.known import Reach
from counterflownet.flow.preference_code import PreferenceCode


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """One row per factual.

    ``offset`` says where inside its code each value lies, from -1 to 1: the reward knows the value itself, so the flow
    must not take all values of a bin for the same. None: in the middle, all of them. ``preferences`` say what is a
    good answer; None: what the flow was made for. The ``target`` is the number of a class, or the places of the ends of
    an interval and of the factual's own prediction. ``reach`` is how far codes are, for flows that are told.
    """

    factual: Int[Tensor, "row feature"]
    target: Int[Tensor, " row"] | Float[Tensor, "row 3"]
    allowed: Allowed
    offset: Float[Tensor, "row feature"] | None = None
    preferences: Preferences | None = None
    reach: Reach | None = None

    def __len__(self) -> int:
        return len(self.target)

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "Questions":
        offset = None if self.offset is None else self.offset[rows]
        preferences = None if self.preferences is None else self.preferences[rows]
        reach = None if self.reach is None else self.reach[rows]
        return Questions(self.factual[rows], self.target[rows], self.allowed[rows], offset, preferences, reach)

    @property
    def identity(self) -> Int[Tensor, "row number"]:
        """Factual and target as whole numbers, by which equal questions are recognised."""
        exact = self.target.view(torch.int32).long() if self.target.is_floating_point() else self.target[:, None]
        return torch.cat([self.factual, exact], dim=1)


class Context(nn.Module):
    """A sum of learned vectors: for each cell of the factual, the target, each lock, the change budget, preferences.

    Without classes, targets are intervals.

    A first layer without one-hot vectors. Because the policy sees the constraints, it can adapt to them.

    Missing and never-seen values start as zero vectors, so a value that never occurs in training adds nothing.
    """

    starts: Tensor

    def __init__(
        self,
        space: CodeSpace,
        class_count: int,
        width: int,
        standard: Preferences | None = None,
        *,
        informed: bool = True,
    ) -> None:
        super().__init__()
        self.space = space
        ends = [count + 2 for count in space.code_counts]  # two more codes: missing, never seen
        starts = torch.tensor([0, *ends]).cumsum(0)
        self.register_buffer("starts", starts[:-1], persistent=False)
        scale = (space.feature_count + 1) ** -0.5  # as many rows are summed: the sum begins with variance one
        self.cells = CodeTable(space, width, scale=scale, special_codes=2)
        self.slopes = nn.Parameter(torch.zeros(int(starts[-1]), width))  # how each cell's row turns along its bin
        self.targets = nn.Embedding(class_count, width) if class_count else IntervalCode(width)
        self.locks = nn.Parameter(torch.zeros(space.feature_count, width))
        self.budgets = nn.Parameter(torch.zeros(space.feature_count + 1, width))
        nn.init.normal_(self.targets.weight, std=scale)
        self.bias = nn.Parameter(torch.zeros(width))
        self.code = None if standard is None else PreferenceCode(standard, informed=informed)
        self.wishes = None if self.code is None else nn.Parameter(torch.zeros(self.code.size, width))
        special = self.starts + torch.tensor(space.code_counts)
        with torch.no_grad():
            self.cells.rows[special] = 0.0
            self.cells.rows[special + 1] = 0.0

    def wish(self, questions: Questions) -> Float[Tensor, "row number"] | None:
        """The code of what is preferred; None if that is the standard."""
        return None if self.code is None or questions.preferences is None else self.code(questions.preferences)

    def forward(
        self, questions: Questions, wish: Float[Tensor, "row number"] | None = None
    ) -> Float[Tensor, "row width"]:
        cell_rows = questions.factual + self.starts
        cells = functional.embedding_bag(cell_rows, self.cells.weight, mode="sum")
        if questions.offset is not None:
            offset = questions.offset
            cells = cells + functional.embedding_bag(cell_rows, self.slopes, mode="sum", per_sample_weights=offset)
        allowed = questions.allowed
        # embedding, not indexing: the gradient of indexing adds up in whatever order threads arrive
        budgets = functional.embedding(allowed.most_changes, self.budgets)
        constraints = allowed.locked(self.space) @ self.locks + budgets
        summed = self.bias + cells + self.targets(questions.target) + constraints
        return summed if wish is None or self.wishes is None else summed + wish @ self.wishes
