"""Trajectories drawn from the policy in one batch; those that stop leave it, those that meet continue together."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from counterflownet._device import CPU, on_device
from counterflownet._space import CodeSpace
from counterflownet._states import States
from counterflownet.flow.code_draw import draw_codes
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.masking import draw, masked_softmax, running_sums
from counterflownet.flow.moves import LegalMoves
from counterflownet.flow.policy import Policy, Tables
from counterflownet.seeds import keyed_uniforms, mixed

Each = Int[Tensor, " trajectory"]


@torch.no_grad()
def rollout(
    policy: Policy, questions: Questions, keys: NDArray[np.uint64], *, row: Each | None = None, epsilon: float = 0.0
) -> Trajectories:
    """One trajectory per key, starting at the factual given by ``row`` (the key's own index if None).

    Every draw depends only on its key and step, never on other trajectories. Computed on the policy's device, returned
    on the CPU.
    """
    device, questions = policy.device, on_device(questions, policy.device)
    row = torch.arange(len(keys), device=device) if row is None else row.to(device)
    record = _Record(row, policy.space.feature_count)
    tables, legal_moves = policy.tables(), LegalMoves(policy.space, questions.allowed)
    # Only factuals that are asked about are looked at: in others, constraints may leave nothing to do.
    places, at = row.unique(return_inverse=True)  # type: ignore[no-untyped-call]
    asked, alive = policy.asked(questions), torch.arange(len(row), device=device)
    frontier = _Frontier.of_factuals(policy.space, questions.factual, asked.context, places)
    for step in range(policy.space.feature_count + 1):
        told = asked.in_states(frontier.row, frontier.edited)
        hidden = policy.hidden(frontier.first, told.leaning)
        legal = legal_moves(frontier.states)
        actions = masked_softmax(policy.action_logits(hidden, told.leaning, told.actions), legal.actions)
        sums = running_sums(actions, legal.actions, epsilon)
        feature = draw(sums.index_select(0, at), _uniforms(keys, alive, 2 * step))
        going = (feature != policy.stop).nonzero().squeeze(1)
        if len(going) == 0:
            break
        alive, feature, at = (part.index_select(0, going) for part in (alive, feature, at))
        uniform = _uniforms(keys, alive, 2 * step + 1)
        code = draw_codes(policy, tables, hidden, legal.codes, legal.row, feature, at, uniform, epsilon, told.codes)
        record.add(step, alive, feature, code)
        frontier, at = frontier.after(policy, tables, at, feature, code)
    return on_device(record.trajectories(), CPU)


def _uniforms(keys: NDArray[np.uint64], alive: Each, step: int) -> Float[Tensor, " trajectory"]:
    numbers = keyed_uniforms(keys[alive.cpu().numpy()], step)
    return torch.from_numpy(numbers).float().to(alive.device)


@dataclass(frozen=True, slots=True, eq=False)
class _Frontier:
    """The current states of all trajectories, each once: a state does not depend on the path to it.

    ``name`` identifies a state: random numbers for its factual and each of its ``edits``, combined by exclusive or, so
    that the order of edits does not matter.
    """

    row: Int[Tensor, " place"]
    first: Float[Tensor, "place width"]
    codes: Int[Tensor, "place feature"]
    edited: Bool[Tensor, "place feature"]
    name: Int[Tensor, " place"]
    edits: Int[Tensor, " code"]

    @classmethod
    def of_factuals(
        cls,
        space: CodeSpace,
        factual: Int[Tensor, "row feature"],
        context: Float[Tensor, "row width"],
        row: Int[Tensor, " place"],
    ) -> "_Frontier":
        total = space.code_total
        edited = torch.zeros(len(row), space.feature_count, dtype=torch.bool, device=row.device)
        names = torch.from_numpy(mixed(np.arange(total + len(factual), dtype=np.uint64)).view(np.int64))
        names = names.to(row.device)
        return cls(row, context[row], factual[row], edited, name=names[total:][row], edits=names[:total])

    @property
    def states(self) -> States:
        return States(self.row, self.codes, self.edited)

    def after(self, policy: Policy, tables: Tables, at: Each, feature: Each, code: Each) -> tuple["_Frontier", Each]:
        """The states after one edit of every trajectory, and at which of them each is."""
        name, now = (self.name[at] ^ self.edits[policy.starts[feature] + code]).unique(return_inverse=True)  # type: ignore[no-untyped-call]
        # The first to arrive speaks for all: sums of the same edits in a different order differ in the last bits.
        order = torch.arange(len(at), device=at.device)
        speaker = torch.full_like(name, len(at)).scatter_reduce(0, now, order, "amin")
        at, feature, code = at[speaker], feature[speaker], code[speaker]
        first = self.first.index_select(0, at).add_(policy.edit_rows(tables, feature, code))
        edited = self.edited.index_select(0, at).scatter(1, feature[:, None], True)
        codes = self.codes.index_select(0, at).scatter(1, feature[:, None], code[:, None])
        return _Frontier(self.row[at], first, codes, edited, name, self.edits), now


class _Record:
    """Which trajectory edited what, and when."""

    def __init__(self, row: Each, most: int) -> None:
        self.row = row
        self.feature = torch.zeros(len(row), most, dtype=torch.int64, device=row.device)
        self.code = torch.zeros_like(self.feature)
        self.length = torch.zeros_like(row)

    def add(self, step: int, alive: Each, feature: Each, code: Each) -> None:
        self.feature[alive, step] = feature
        self.code[alive, step] = code
        self.length[alive] = step + 1

    def trajectories(self) -> Trajectories:
        longest = int(self.length.max()) if len(self.length) else 0
        return Trajectories(self.row, self.feature[:, :longest], self.code[:, :longest], self.length)
