"""The search for valid candidates: rounds of samples, more of them only where too few were found."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._space import CodeSpace
from counterflownet._states import States, unedited
from counterflownet.explain.reduction import FEW, Reduction
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories, final_states
from counterflownet.flow.importance import log_probabilities, resampled
from counterflownet.flow.policy import Policy
from counterflownet.flow.rollout import rollout
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.reward import Reward, Scores
from counterflownet.seeds import keyed_uniforms, row_keys, sample_keys
from counterflownet.tabular.factuals import Factuals

# The share of uniform actions. Minimal answers profit from it in every round: what is not needed is undone, so strange
# changes cost nothing and lead to more sets of few. Other answers keep all their changes, so there the policy alone
# speaks first, and only rows that it cannot help are tried in other ways.
EXPLORATION = 0.2

RESAMPLING = 1 << 32  # the place of the number that resampling takes from a factual's stream, far behind all draws
MOST_SAMPLES = 20_000  # of all factuals together in a round that grows because time is left
MOST_TRAJECTORIES = 50_000  # in one round of a chunk
MOST_CELLS = 10_000_000  # of all states that come of these trajectories


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """How states are drawn: ``samples`` of each factual at a time, unless a draw says otherwise."""

    policy: Policy
    samples: int
    seed: int

    def draw(
        self,
        questions: Questions,
        asked: Int[ndarray, " asked"],
        *,
        count: int | None = None,
        start: int = 0,
        epsilon: float = 0.0,
    ) -> Trajectories:
        """``count`` trajectories of every factual that is asked, those of one factual together.

        They are its samples number ``start`` and following. ``epsilon`` is the share of uniformly random actions.
        """
        count = self.samples if count is None else count
        keys = sample_keys(self.keys(questions, asked), count, start=start)
        row = torch.from_numpy(np.repeat(asked, count))
        return rollout(self.policy, questions, keys, row=row, epsilon=epsilon)

    def keys(self, questions: Questions, asked: Int[ndarray, " asked"]) -> NDArray[np.uint64]:
        """A stream of random numbers for each factual and target, whatever else is asked beside them."""
        identity = torch.cat([questions.factual, questions.target[:, None]], dim=1).numpy()[asked]
        return row_keys(identity, seed=self.seed)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long a factual is searched: for ``rounds``, or until it has as many candidates as are ``wanted``.

    Factuals that are short after all rounds are sampled on ``until`` then (as :func:`time.monotonic` counts), in rounds
    that double.
    """

    wanted: int
    rounds: int
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Where candidates of some factuals come from, and how they are judged."""

    sampler: Sampler
    reward: Reward
    table: Factuals
    questions: Questions

    def ask(self, states: States) -> Candidates:
        """The states decoded, and the classifier asked about them."""
        return self.reward.candidates(self.table, states, self.questions.target.numpy()[states.row.numpy()])

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
        states = final_states(trajectories, self.questions.factual)
        first, number = states.distinct()
        pool = self.judged(states[first])
        sample = np.where(states.change_counts > 0, number, -1).reshape(len(asked), self.sampler.samples)
        return Drawn(pool, asked, sample), pool.scores.log_reward[number]

    def find(self, asked: Int[ndarray, " asked"], effort: Effort, *, minimal: bool) -> Pool:
        """Valid candidates only, all of them minimal if that is asked for."""
        finds = self._minimal(asked, effort) if minimal else self._valid(asked, effort)
        candidates = finds.joined() if finds.parts else self.ask(self._no_states())
        return Pool(candidates, self.reward.scores(candidates))

    def _valid(self, asked: Int[ndarray, " asked"], effort: Effort) -> "_Finds":
        """Samples that are valid as they were drawn."""
        finds = _Finds()
        for turn in self._turns(asked, effort):
            candidates = self.ask(self._states(asked, turn, epsilon=EXPLORATION if turn.number else 0.0))
            finds.add(candidates[np.flatnonzero(candidates.valid)])
            asked = finds.short_of(asked, effort.wanted)
            if len(asked) == 0:
                break
        return finds

    def _minimal(self, asked: Int[ndarray, " asked"], effort: Effort) -> "_Finds":
        """What is minimal in samples of few changes; longer ones are shortened only where that is not enough."""
        required = self.questions.allowed.required.numpy()
        reduction = Reduction(self.table.codec.codes, required, self.ask)
        finds, long = _Finds(), self._no_states()
        for turn in self._turns(asked, effort):
            states = self._states(asked, turn, epsilon=EXPLORATION)
            finds.add(reduction.irreducible(states))
            long = States.joined([long, states[states.change_counts > FEW]])
            asked = finds.short_of(asked, effort.wanted)
            if len(asked) and turn.shortening_is_due:
                finds.add(reduction.irreducible_after_undoing(long[np.isin(long.row.numpy(), asked)]))
                asked, long = finds.short_of(asked, effort.wanted), self._no_states()
            if len(asked) == 0:
                break
        return finds

    def _turns(self, asked: Int[ndarray, " asked"], effort: Effort) -> "Iterator[_Turn]":
        samples = self.sampler.samples
        for number in range(effort.rounds):
            yield _Turn(number, number * samples, samples, last=number + 1 == effort.rounds)
        number, start, count = effort.rounds, effort.rounds * samples, samples
        most = min(MOST_SAMPLES, trajectories_at_once(self.table.codec.schema.space))
        most = max(most // max(len(asked), 1), samples)
        while effort.until is not None and time.monotonic() < effort.until:
            count = min(2 * count, most)
            yield _Turn(number, start, count, last=True)
            number, start = number + 1, start + count

    def _states(self, asked: Int[ndarray, " asked"], turn: "_Turn", *, epsilon: float) -> States:
        """Distinct states, other than the factuals, that the policy leads to."""
        trajectories = self.sampler.draw(self.questions, asked, count=turn.count, start=turn.start, epsilon=epsilon)
        states = final_states(trajectories, self.questions.factual)
        states = states[states.change_counts > 0]
        return states[states.distinct()[0]]

    def _no_states(self) -> States:
        return unedited(self.questions.factual, self.questions.target[:0])


def trajectories_at_once(space: CodeSpace) -> int:
    """How many trajectories fit into memory: each has the codes of a column to choose from, then subsets of changes."""
    return min(MOST_TRAJECTORIES, MOST_CELLS // max(*space.code_counts, 2**FEW * space.feature_count))


@dataclass(frozen=True, slots=True)
class _Turn:
    """One round: the samples from number ``start`` on, ``count`` of them for each factual."""

    number: int
    start: int
    count: int
    last: bool

    @property
    def shortening_is_due(self) -> bool:
        """After two rounds, four, eight, and the last: it takes five calls of the classifier or more, a round one."""
        done = self.number + 1
        return self.last or (done > 1 and done.bit_count() == 1)


class _Finds:
    """Distinct candidates, in the order in which they came."""

    def __init__(self) -> None:
        self.parts: list[Candidates] = []
        self._keys: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._rows: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def add(self, candidates: Candidates) -> None:
        """Those of the candidates, which are distinct themselves, that are new."""
        keys = candidates.states.keys()
        new = np.flatnonzero(~np.isin(keys, self._keys))
        self.parts.append(candidates if len(new) == len(keys) else candidates[new])
        self._keys = np.concatenate([self._keys, keys[new]])
        self._rows = np.concatenate([self._rows, candidates.row[new]])

    def short_of(self, asked: Int[ndarray, " asked"], wanted: int) -> Int[ndarray, " short"]:
        """Which of the factuals that are asked have fewer than ``wanted`` candidates."""
        counts = np.bincount(self._rows, minlength=int(asked.max(initial=-1)) + 1)
        return asked[counts[asked] < wanted]

    def joined(self) -> Candidates:
        return Candidates.joined(self.parts)
