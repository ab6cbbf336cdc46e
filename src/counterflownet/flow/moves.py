"""What may be done next in a state: the one place that rollout, likelihood, enumeration and training ask."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from counterflownet._device import CPU, on_device
from counterflownet._space import Allowed, CodeSpace
from counterflownet._states import States
from counterflownet.flow.masking import legal_actions


@dataclass(frozen=True, slots=True, eq=False)
class Legal:
    """The legal actions of states; the codes of a state are in the line of ``codes`` that ``row`` says."""

    actions: Bool[Tensor, "state action"]
    codes: Bool[Tensor, "line code"]
    row: Int[Tensor, " state"]


class LegalMoves:
    """Asked about states again and again; what is the same for all states of a row is computed once."""

    def __init__(self, space: CodeSpace, allowed: Allowed) -> None:
        self.space, self.allowed = space, allowed
        self._on_processor = None if allowed.joint is None else on_device(allowed, CPU)
        self._limits = (allowed.editable(space), allowed.required, allowed.most_changes)

    def __call__(self, states: States) -> Legal:
        """What is legal in these states. Where rules join features, each state has codes of its own."""
        if self._on_processor is None or self._on_processor.joint is None:
            editable, required, most = (limit.index_select(0, states.row) for limit in self._limits)
            return Legal(legal_actions(editable, required, most, states.edited), self.allowed.codes, states.row)
        moves = self._on_processor.joint.moves(self._on_processor, on_device(states, CPU))
        moves = on_device(moves, states.row.device)
        every = torch.arange(len(states), device=states.row.device)
        open_ = Allowed(moves.codes, states.edited, every).editable(self.space)
        return Legal(torch.cat([open_, moves.stop[:, None]], dim=1), moves.codes, every)
