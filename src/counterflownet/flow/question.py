"""What the flow is asked: factuals, the class wanted for each, and what may be done to it."""

from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from counterflownet.space import Allowed


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """One row per factual."""

    factual: Int[Tensor, "row feature"]
    target: Int[Tensor, " row"]
    allowed: Allowed

    def __len__(self) -> int:
        return len(self.target)

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "Questions":
        return Questions(self.factual[rows], self.target[rows], self.allowed[rows])
