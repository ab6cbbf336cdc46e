"""What rows prefer: the exponents of the reward's terms, its temperature, and what a change of each column costs."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

MOST_COST = 16.0
PAID = ("proximity", "sparsity")  # the terms that costs enter
BETA_RANGE = 4.0  # a preference's beta is at most so many times that of the fit, and at least its so-manieth part


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: == on tensors has no single truth value
class Preferences:
    """One row per factual; the exponents stand in the order of ``terms``, which are names.

    A cost multiplies the distance that a column moves and what its change counts: 1 by default, 0 for a free column.
    """

    terms: tuple[str, ...]
    weights: Float[Tensor, "row term"]
    beta: Float[Tensor, " row"]
    costs: Float[Tensor, "row feature"]

    def __len__(self) -> int:
        return len(self.beta)

    def __getitem__(self, rows: Tensor | ndarray | slice) -> "Preferences":
        index = rows if isinstance(rows, slice) else torch.as_tensor(rows)
        return Preferences(self.terms, self.weights[index], self.beta[index], self.costs[index])

    def exponents(self, name: str) -> Float[ndarray, " row"]:
        """The exponent of one term in every row."""
        return self.weights[:, self.terms.index(name)].numpy()

    def single(self) -> "Preferences":
        """The same in single precision, which every device knows: as the flow reads them."""
        return Preferences(self.terms, self.weights.float(), self.beta.float(), self.costs.float())

    def repeated(self, count: int) -> "Preferences":
        """So many rows that all prefer what the first row does."""
        first: Int[Tensor, " row"] = torch.zeros(count, dtype=torch.int64)
        return self[first]
