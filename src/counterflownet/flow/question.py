"""What the flow is asked: factuals, the class wanted for each, and what may be done to it."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor

from counterflownet._space import Allowed


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """One row per factual.

    ``offset`` says where inside its code each value lies, from -1 to 1: the reward knows the value itself, so the flow
    must not take all values of a bin for the same. None: in the middle, all of them.
    """

    factual: Int[Tensor, "row feature"]
    target: Int[Tensor, " row"]
    allowed: Allowed
    offset: Float[Tensor, "row feature"] | None = None

    def __len__(self) -> int:
        return len(self.target)

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "Questions":
        offset = None if self.offset is None else self.offset[rows]
        return Questions(self.factual[rows], self.target[rows], self.allowed[rows], offset)
