"""What a chunk of rows is searched with: samples of the flow as they are, or a hunt for valid candidates."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._space import CodeSpace
from counterflownet._states import States
from counterflownet.explain.examples import Examples
from counterflownet.explain.foresight import Foreseen
from counterflownet.explain.reduction import FEW
from counterflownet.explain.sampler import Sampler
from counterflownet.explain.tracks import Ground
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories, final_states
from counterflownet.flow.importance import log_probabilities, resampled
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.factors import Scores
from counterflownet.reward.goals import ClassGoals, Goals
from counterflownet.reward.reward import Reward
from counterflownet.seeds import keyed_uniforms
from counterflownet.tabular.rule_judge import rules_kept

RESAMPLING = 1 << 32  # the place of the number that resampling takes from a factual's stream, far behind all draws
MOST_TRAJECTORIES = 50_000  # in one round of a chunk
MOST_CELLS = 10_000_000  # of all states that come of these trajectories, or of looking around a row
STATES_OF_ROW = 1_200  # that looking around a row may make at once


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Candidates and how they were judged; those that came first stand first."""

    candidates: Candidates
    scores: Scores

    @property
    def row(self) -> Int[ndarray, " candidate"]:
        return self.candidates.row


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Every sample of the factuals that were asked: the number of its candidate, -1 where it changed nothing."""

    pool: Pool
    asked: Int[ndarray, " asked"]
    sample: Int[ndarray, "asked sample"]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Where candidates of some factuals come from, and how they are judged.

    ``goals`` are None where the classes that the questions name are all that is wanted.
    """

    sampler: Sampler
    reward: Reward
    questions: Questions
    ground: Ground
    examples: Examples
    confidence: float | None = None
    goals: Goals | None = None
    foreseen: Foreseen | None = None

    @property
    def costs(self) -> Float[ndarray, "row feature"] | None:
        """What a change of each column costs, if that was said."""
        return None if self.reward.preferences is None else self.reward.preferences.costs.numpy()

    def ask(self, states: States) -> Candidates:
        """The states decoded, and the classifier asked about them."""
        row = states.row.numpy()
        target = self.questions.target.numpy()[row] if self.goals is None else self.goals[row]
        return self.reward.candidates(self.ground.table, states, target, self.confidence)

    def known(self, asked: Int[ndarray, " asked"]) -> Candidates | None:
        """What the classifier was asked about these factuals before anybody searched; None if it was not."""
        if self.foreseen is None:
            return None
        (some,) = self.foreseen.about(asked).nonzero()
        states, outputs = self.foreseen.states[some], self.foreseen.outputs[some]
        row = states.row.numpy()
        target = self.questions.target.numpy()[row] if self.goals is None else self.goals[row]
        return Candidates(self.ground.table, states, target, self.foreseen.rows.take(some), outputs, self.confidence)

    def asked_for(self, row: int) -> int | Goals:
        """What one factual is to become: the number of a class, or a goal of another kind."""
        return int(self.questions.target[row]) if self.goals is None else self.goals[np.array([row])]

    def aimed(self, turn: int) -> Questions:
        """The questions as the flow is asked in a turn: one that knows single classes is asked for each in turn."""
        if not isinstance(self.goals, ClassGoals):
            return self.questions
        return replace(self.questions, target=torch.from_numpy(self.goals.aims(turn)))

    def kept(self, states: States) -> Bool[ndarray, " state"]:
        """Which states break no rule."""
        return rules_kept(self.ground.table.codec, states)

    def judged(self, states: States) -> Pool:
        """The states with everything that the reward says of them."""
        candidates = self.ask(states)
        return Pool(candidates, self.reward.scores(candidates))

    def draw(self, asked: Int[ndarray, " asked"]) -> Drawn:
        """One round of samples as they are, valid or not; equal ones are judged once."""
        return self._drawn(self.sampler.draw(self.questions, asked), asked)[0]

    def resample(self, asked: Int[ndarray, " asked"], count: int) -> Drawn:
        """The same, corrected: ``count`` of the samples by their importance weights, so nearer to proportional."""
        trajectories = self.sampler.draw(self.questions, asked)
        drawn, log_rewards = self._drawn(trajectories, asked)
        log_probs = log_probabilities(self.sampler.policy, self.questions, trajectories).numpy().astype(np.float64)
        uniform = keyed_uniforms(self.sampler.keys(self.questions, asked), RESAMPLING)
        chosen = resampled((log_rewards - log_probs).reshape(drawn.sample.shape), count, uniform)
        return Drawn(drawn.pool, asked, np.take_along_axis(drawn.sample, chosen, axis=1))

    def _drawn(
        self, trajectories: Trajectories, asked: Int[ndarray, " asked"]
    ) -> tuple[Drawn, Float[ndarray, " state"]]:
        """What trajectories lead to, and the log-reward of each."""
        states = self.ground.settled(final_states(trajectories, self.questions.factual))
        first, number = states.distinct()
        pool = self.judged(states[first])
        sample = np.where(states.change_counts > 0, number, -1).reshape(len(asked), self.sampler.samples)
        return Drawn(pool, asked, sample), pool.scores.log_reward[number]


def trajectories_at_once(space: CodeSpace) -> int:
    """How many trajectories fit into memory: each has the codes of a column to choose from, then subsets of changes."""
    return min(MOST_TRAJECTORIES, MOST_CELLS // max(*space.code_counts, 2**FEW * space.feature_count))


def rows_at_once(space: CodeSpace, samples: int) -> int:
    """How many rows fit into memory: each has its trajectories, and many states around it."""
    around = MOST_CELLS // (STATES_OF_ROW * space.feature_count)
    return max(1, min(trajectories_at_once(space) // samples, around))
