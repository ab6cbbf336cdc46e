"""Candidates for some factuals: what trajectories of the policy lead to, and how they were judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.flow.edits import Trajectories, final_states
from counterflownet.flow.policy import Policy
from counterflownet.flow.question import Questions
from counterflownet.flow.rollout import rollout
from counterflownet.reward.reward import Scores
from counterflownet.seeds import row_keys, row_names, sample_keys


@dataclass(frozen=True, slots=True, eq=False)
class Edited:
    """Factuals after edits; ``row`` says which factual each began as."""

    row: Int[ndarray, " state"]
    codes: Int[ndarray, "state feature"]
    changed: Bool[ndarray, "state feature"]

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, some: ndarray) -> "Edited":
        return Edited(self.row[some], self.codes[some], self.changed[some])

    @classmethod
    def none_of(cls, questions: Questions) -> "Edited":
        """No state yet of the factuals that these questions are about."""
        codes = questions.factual.numpy()[:0]
        return cls(np.zeros(0, np.int64), codes, codes.astype(bool))

    @classmethod
    def joined(cls, parts: Sequence["Edited"]) -> "Edited":
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "codes", "changed")))

    def with_new(self, others: "Edited") -> "Edited":
        """These and those of the others that are not among them."""
        together = Edited.joined([self, others])
        return together[together.distinct()[0]]

    def short_of(self, asked: Int[ndarray, " asked"], wanted: int) -> Int[ndarray, " short"]:
        """Which of the factuals that are asked have fewer than ``wanted`` states here."""
        counts = np.bincount(self.row, minlength=int(asked.max(initial=-1)) + 1)
        return asked[counts[asked] < wanted]

    @classmethod
    def ends_of(cls, trajectories: Trajectories, questions: Questions) -> "Edited":
        """Where trajectories ended."""
        states = final_states(trajectories, questions.factual)
        return cls(states.row.numpy(), states.codes.numpy(), states.edited.numpy())

    @property
    def touched(self) -> Bool[ndarray, " state"]:
        """Which states differ from their factual at all."""
        return np.asarray(self.changed.any(axis=1))

    def keys(self) -> NDArray[np.uint64]:
        """A number for each state by which equal ones are recognised."""
        return row_names(np.column_stack([self.row, self.codes]))

    def distinct(self) -> tuple[Int[ndarray, " distinct"], Int[ndarray, " state"]]:
        """Where each distinct state first occurs, in the order of occurring, and the number of every state there."""
        _, first, number = np.unique(self.keys(), return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return first[order], place[number]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Distinct candidates and how they were judged; those that came first stand first."""

    edited: Edited
    scores: Scores

    @property
    def row(self) -> Int[ndarray, " candidate"]:
        return self.edited.row


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """How states are drawn: ``samples`` of each factual in a round, every round others."""

    policy: Policy
    samples: int
    seed: int

    def draw(
        self, questions: Questions, asked: Int[ndarray, " asked"], *, round_number: int = 0, epsilon: float = 0.0
    ) -> Trajectories:
        """Trajectories of the factuals that are asked, those of one factual together."""
        keys = sample_keys(self.keys(questions, asked), self.samples, start=round_number * self.samples)
        row = torch.from_numpy(np.repeat(asked, self.samples))
        return rollout(self.policy, questions, keys, row=row, epsilon=epsilon)

    def keys(self, questions: Questions, asked: Int[ndarray, " asked"]) -> NDArray[np.uint64]:
        """A stream of random numbers for each factual and target, whatever else is asked beside them."""
        told = torch.cat([questions.factual, questions.target[:, None]], dim=1).numpy()[asked]
        return row_keys(told, seed=self.seed)


def places(group: ndarray) -> Int[ndarray, " chosen"]:
    """The place of each entry among those of the same group, which stand together."""
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])) if len(group) else np.zeros(0, np.int64)
    lengths = np.diff(np.append(starts, len(group)))
    return np.arange(len(group)) - np.repeat(starts, lengths)
