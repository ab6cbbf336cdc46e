"""Trajectories of edits, and the states they pass through."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Trajectories:
    """Edits in the order they were made; places after the last edit hold feature 0, code 0 and do not count."""

    row: Int[Tensor, " trajectory"]
    feature: Int[Tensor, "trajectory step"]
    code: Int[Tensor, "trajectory step"]
    length: Int[Tensor, " trajectory"]

    @property
    def taken(self) -> Bool[Tensor, "trajectory step"]:
        """Where an edit was made."""
        return torch.arange(self.feature.shape[1], device=self.feature.device) < self.length[:, None]

    @property
    def visited(self) -> Bool[Tensor, "trajectory state"]:
        """Where a state was: one more than edits, since the factual itself is the first."""
        return torch.arange(self.feature.shape[1] + 1, device=self.feature.device) <= self.length[:, None]


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """Factuals after some edits; ``codes`` holds the factual's own code where nothing was edited."""

    row: Int[Tensor, " state"]
    codes: Int[Tensor, "state feature"]
    edited: Bool[Tensor, "state feature"]

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, some: Int[Tensor, " some"] | Bool[Tensor, " state"]) -> "States":
        return States(self.row[some], self.codes[some], self.edited[some])


def apply_edit(states: States, feature: Int[Tensor, " state"], code: Int[Tensor, " state"]) -> States:
    """The states after ``feature <- code`` in every one; the given states are left alone."""
    at = torch.arange(len(states), device=states.row.device)
    codes, edited = states.codes.clone(), states.edited.clone()
    codes[at, feature] = code
    edited[at, feature] = True
    return States(states.row, codes, edited)


def undo_edit(states: States, feature: Int[Tensor, " state"], factual: Int[Tensor, "row feature"]) -> States:
    """The states before ``feature`` was edited; the inverse of :func:`apply_edit`."""
    at = torch.arange(len(states), device=states.row.device)
    codes, edited = states.codes.clone(), states.edited.clone()
    codes[at, feature] = factual[states.row, feature]
    edited[at, feature] = False
    return States(states.row, codes, edited)


def unedited(factual: Int[Tensor, "row feature"], row: Int[Tensor, " state"]) -> States:
    """The factuals themselves, before any edit."""
    return States(row, factual[row], torch.zeros_like(factual[row], dtype=torch.bool))


def final_states(trajectories: Trajectories, factual: Int[Tensor, "row feature"]) -> States:
    """Where each trajectory ended."""
    states = unedited(factual, trajectories.row)
    trajectory, step = trajectories.taken.nonzero(as_tuple=True)
    feature = trajectories.feature[trajectory, step]
    states.codes[trajectory, feature] = trajectories.code[trajectory, step]
    states.edited[trajectory, feature] = True
    return states


def visited_states(trajectories: Trajectories, factual: Int[Tensor, "row feature"]) -> States:
    """Every state of every trajectory, in the order in which ``trajectories.visited`` lists them."""
    state = unedited(factual, trajectories.row)
    passed = [state]
    for step, taken in enumerate(trajectories.taken.T):
        after = apply_edit(state, trajectories.feature[:, step], trajectories.code[:, step])
        state = States(
            state.row,
            torch.where(taken[:, None], after.codes, state.codes),
            torch.where(taken[:, None], after.edited, state.edited),
        )
        passed.append(state)
    codes = torch.stack([state.codes for state in passed], dim=1)[trajectories.visited]
    edited = torch.stack([state.edited for state in passed], dim=1)[trajectories.visited]
    return States(trajectories.row.repeat_interleave(trajectories.length + 1), codes, edited)
