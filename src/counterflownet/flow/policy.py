"""The two-stage forward policy (paper, eqs. index_policy and value_policy): which feature or STOP, then which code."""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from counterflownet.flow.context import FactualContext
from counterflownet.space import CodeSpace


class Policy(nn.Module):
    """Two hidden layers over context plus edits, and one head per decision.

    The first layer is a sum: ``context + sum of edits``. So an edit is one addition (:meth:`after_edit`), and the
    layer is never computed anew along a trajectory.
    """

    starts: Tensor

    def __init__(self, space: CodeSpace, context: FactualContext, width: int, *, stop_bias: float = 0.0) -> None:
        super().__init__()
        self.space = space
        self.context = context
        self.register_buffer("starts", torch.tensor(space.starts[:-1]), persistent=False)
        self.edits = nn.Embedding(space.code_total, width)
        self.trunk = nn.Linear(width, width)
        self.action_head = nn.Linear(width, space.feature_count + 1)
        self.code_head = nn.Linear(width, space.code_total)
        self._initialise(stop_bias)

    def _initialise(self, stop_bias: float) -> None:
        nn.init.normal_(self.edits.weight, std=(self.space.feature_count + 1) ** -0.5)
        nn.init.kaiming_normal_(self.trunk.weight, nonlinearity="relu")
        for head in (self.action_head, self.code_head):  # begin near uniform
            nn.init.normal_(head.weight, std=0.1 * head.in_features**-0.5)
            nn.init.zeros_(head.bias)
        with torch.no_grad():
            self.action_head.bias[self.stop] = stop_bias

    @property
    def stop(self) -> int:
        """The number of the STOP action, which comes after all features."""
        return self.space.feature_count

    def edit_rows(self, feature: Int[Tensor, "*batch"], code: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch width"]:
        """What each edit adds to the first layer."""
        rows: Tensor = self.edits(self.starts[feature] + code)
        return rows

    def hidden(self, first: Float[Tensor, "batch width"]) -> Float[Tensor, "batch width"]:
        """The last hidden layer, from the sum that is the first."""
        return functional.relu(self.trunk(functional.relu(first)))

    def action_logits(self, hidden: Float[Tensor, "batch width"]) -> Float[Tensor, "batch action"]:
        logits: Tensor = self.action_head(hidden)
        return logits

    def code_logits(self, hidden: Float[Tensor, "batch width"], feature: int) -> Float[Tensor, "batch code"]:
        """Logits over the codes of one feature; the other features' heads are never computed."""
        span = self.space.span(feature)
        return functional.linear(hidden, self.code_head.weight[span], self.code_head.bias[span])


def grouped(features: Int[Tensor, " batch"]) -> Iterator[tuple[int, Int[Tensor, " some"]]]:
    """Each feature that occurs, with the positions at which it does."""
    order = features.argsort(stable=True)
    present, counts = features[order].unique_consecutive(return_counts=True)  # type: ignore[no-untyped-call]
    members = order.split(counts.tolist())  # type: ignore[no-untyped-call]
    yield from zip(present.tolist(), members, strict=True)
