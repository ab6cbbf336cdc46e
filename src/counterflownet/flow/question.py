"""The input of the flow: factuals, the target class of each, and what may change."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor

from counterflownet._space import Allowed


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """One row per factual.

    ``offset`` is where each value lies within its code, from -1 to 1: the reward depends on the value itself, so the
    flow must tell values of the same bin apart. None places all of them in the middle.
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
