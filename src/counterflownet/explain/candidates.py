"""Candidates for some factuals: drawn from the policy, and judged once each."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.flow.edits import final_states
from counterflownet.flow.policy import Policy
from counterflownet.flow.question import Questions
from counterflownet.flow.rollout import rollout
from counterflownet.reward.reward import Factuals, Reward, Scores
from counterflownet.seeds import row_keys, sample_keys


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Distinct candidates of some factuals, and which of them each sample was.

    ``sample`` has one entry per factual that was ``asked`` and sample: the candidate's number, -1 where the sample
    changed nothing.
    """

    row: Int[ndarray, " candidate"]
    changed: Bool[ndarray, "candidate feature"]
    scores: Scores
    asked: Int[ndarray, " asked"]
    sample: Int[ndarray, "asked sample"]


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """How candidates are drawn and judged."""

    policy: Policy
    reward: Reward
    samples: int
    seed: int

    def draw(self, factuals: Factuals, questions: Questions, asked: Int[ndarray, " asked"]) -> Candidates:
        """What trajectories of the factuals that are asked lead to; equal ones are judged once."""
        keys = sample_keys(self._row_keys(questions)[asked], self.samples)
        row = np.repeat(asked, self.samples)
        trajectories = rollout(self.policy, questions, keys, row=torch.from_numpy(row))
        states = final_states(trajectories, questions.factual)
        codes, changed = states.codes.numpy(), states.edited.numpy()
        first, sample = _distinct(row, codes, changed)
        target = questions.target.numpy()[row[first]]
        scores = self.reward.scores(factuals, row[first], codes[first], changed[first], target)
        return Candidates(row[first], changed[first], scores, asked, sample.reshape(len(asked), self.samples))

    def _row_keys(self, questions: Questions) -> NDArray[np.uint64]:
        """A stream for each factual and target, whatever else is asked beside them."""
        return row_keys(torch.cat([questions.factual, questions.target[:, None]], dim=1).numpy(), seed=self.seed)


def _distinct(
    row: Int[ndarray, " state"], codes: Int[ndarray, "state feature"], changed: Bool[ndarray, "state feature"]
) -> tuple[Int[ndarray, " candidate"], Int[ndarray, " state"]]:
    """Where each distinct changed state first occurs, and the number of every state among these."""
    keys = row_keys(np.column_stack([row, codes]), seed=0)
    edited = changed.any(axis=1)
    _, first, number = np.unique(keys[edited], return_index=True, return_inverse=True)
    order = np.argsort(first)  # in the order of being drawn, which breaks ties between equal rewards
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    sample = np.full(len(row), -1)
    sample[edited] = place[number]
    return np.flatnonzero(edited)[first[order]], sample
