"""Trajectories of edits, and the states they pass through."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from counterflownet._states import States, unedited


@dataclass(frozen=True, slots=True, eq=False)
class Trajectories:
    """Edits in the order they were made; positions after the last edit hold feature 0, code 0 and do not count."""

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
        """Where there is a state: one more than edits, since the factual itself is the first."""
        return torch.arange(self.feature.shape[1] + 1, device=self.feature.device) <= self.length[:, None]


def final_states(trajectories: Trajectories, factual: Int[Tensor, "row feature"]) -> States:
    """Where each trajectory ended."""
    states = unedited(factual, trajectories.row)
    trajectory, step = trajectories.taken.nonzero(as_tuple=True)
    feature = trajectories.feature[trajectory, step]
    states.codes[trajectory, feature] = trajectories.code[trajectory, step]
    states.edited[trajectory, feature] = True
    return states


def visited_states(trajectories: Trajectories, factual: Int[Tensor, "row feature"]) -> States:
    """Every state of every trajectory, in the order of ``trajectories.visited``."""
    state = unedited(factual, trajectories.row)
    passed = [state]
    for step, taken in enumerate(trajectories.taken.T):
        state = _after(state, taken, trajectories.feature[:, step], trajectories.code[:, step])
        passed.append(state)
    codes = torch.stack([state.codes for state in passed], dim=1)[trajectories.visited]
    edited = torch.stack([state.edited for state in passed], dim=1)[trajectories.visited]
    return States(trajectories.row.repeat_interleave(trajectories.length + 1), codes, edited)


def _after(
    states: States, taken: Bool[Tensor, " state"], feature: Int[Tensor, " state"], code: Int[Tensor, " state"]
) -> States:
    """The states after ``feature <- code`` where an edit was ``taken``; the given states are not modified."""
    at = taken.nonzero().squeeze(1)
    codes, edited = states.codes.clone(), states.edited.clone()
    codes[at, feature[at]] = code[at]
    edited[at, feature[at]] = True
    return States(states.row, codes, edited)
