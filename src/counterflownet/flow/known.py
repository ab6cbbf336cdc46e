"""What is known of an edit before anyone is asked: how far it moves the row, and what one more change costs.

The flow adds it to its logits and learns the rest. Balance decides what is right, so nothing depends on it but where
the flow begins, and so how fast it learns.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet._preferences import Preferences
from counterflownet._space import CodeSpace


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """How far each code is from the factual's value, and which features' changes count as such, for every row."""

    distance: Float[Tensor, "row code"]
    counted: Float[Tensor, "row feature"]

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "Reach":
        return Reach(self.distance[rows], self.counted[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What the reward of each row is known to lose: by each code, by any change of a feature, by one change more.

    ``features`` sums the ``codes`` of each feature that are allowed, since to choose a feature is to choose one of
    them. A change costs its ``price``, of which as much as ``spared`` is free.
    """

    codes: Float[Tensor, "row code"]
    features: Float[Tensor, "row feature"]
    price: Float[Tensor, "row feature"]
    spared: Float[Tensor, " row"]

    @classmethod
    def of(cls, space: CodeSpace, reach: Reach, preferences: Preferences, allowed: Bool[Tensor, "row code"]) -> "Known":
        """Under preferences, of which there is one for each row or one for all."""
        near, few = (preferences.weights[:, preferences.terms.index(name)] for name in ("proximity", "sparsity"))
        beta, costs = preferences.beta, preferences.costs
        counts = torch.tensor(space.code_counts, device=costs.device)
        paid = (beta * near)[:, None] * costs
        codes = -paid.repeat_interleave(counts, dim=1) * reach.distance
        price = (beta * few)[:, None] * costs * reach.counted
        return cls(codes, _summed(space, codes, allowed), price, (beta * few).expand(len(codes)))

    def actions(
        self, row: Int[Tensor, " state"], edited: Bool[Tensor, "state feature"]
    ) -> Float[Tensor, "state action"]:
        """What choosing each feature next is known to lose, and STOP nothing."""
        price, spared = self.price.index_select(0, row), self.spared.index_select(0, row)[:, None]
        spent = (price * edited).sum(dim=1, keepdim=True) - spared
        more = (spent + price).clamp(min=0.0) - spent.clamp(min=0.0)
        return torch.nn.functional.pad(self.features.index_select(0, row) - more, (0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class KnownCodes:
    """What is known of codes, and in which row of it each state is."""

    codes: Float[Tensor, "row code"]
    row: Int[Tensor, " state"]

    def of_feature(self, span: slice, states: Int[Tensor, " some"]) -> Float[Tensor, "some code"]:
        """Of the codes of one feature, for some of the states."""
        return self.codes[:, span].index_select(0, self.row[states])

    def at(self, states: Int[Tensor, " batch"], place: Int[Tensor, "batch place"]) -> Float[Tensor, "batch place"]:
        """Of other codes for each of some states."""
        return self.codes.take(self.row[states][:, None] * self.codes.shape[1] + place)


def _summed(
    space: CodeSpace, codes: Float[Tensor, "row code"], allowed: Bool[Tensor, "row code"]
) -> Float[Tensor, "row feature"]:
    """The logarithm of the sum over the codes of each feature; 0 where none is allowed."""
    masked = torch.where(allowed, codes, -torch.inf)
    # One feature at a time: padded to the widest, a table with one wide column would not fit into memory.
    spans = masked.split(space.code_counts, dim=1)  # type: ignore[no-untyped-call]
    sums = torch.stack([span.logsumexp(dim=1) for span in spans], dim=1)
    return torch.where(sums.isneginf(), 0.0, sums)
