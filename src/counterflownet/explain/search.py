"""The search for valid candidates: rounds of samples, more of them only where too few were found."""

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.explain.candidates import Candidates, Edited, Sampler
from counterflownet.explain.reduction import FEW, Reduction
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.importance import log_probabilities, resampled
from counterflownet.flow.question import Questions
from counterflownet.reward.reward import Factuals, Reward
from counterflownet.reward.terms import lead_of_target
from counterflownet.seeds import keyed_uniforms

# The share of uniform actions. Minimal answers profit from it in every round: what is not needed is undone, so strange
# changes cost nothing and lead to more sets of few. Other answers keep all their changes, so there the policy alone
# speaks first, and only rows that it cannot help are tried in other ways.
EXPLORATION = 0.2

RESAMPLING = 1 << 32  # the place of the number that resampling takes from a factual's stream, far behind all draws


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Every sample of some factuals: the number of its candidate, -1 where it changed nothing."""

    candidates: Candidates
    asked: Int[ndarray, " asked"]
    sample: Int[ndarray, "asked sample"]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Where candidates of some factuals come from, and how they are judged."""

    sampler: Sampler
    reward: Reward
    factuals: Factuals
    questions: Questions
    told: list[tuple[ndarray, ndarray]] = field(default_factory=list)  # which states the classifier was asked about

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
        return Drawn(drawn.candidates, asked, np.take_along_axis(drawn.sample, chosen, axis=1))

    def _drawn(
        self, trajectories: Trajectories, asked: Int[ndarray, " asked"]
    ) -> tuple[Drawn, Float[ndarray, " state"]]:
        """What trajectories lead to, and the logarithm of each one's reward."""
        states = Edited.ends_of(trajectories, self.questions)
        first, number = states.distinct()
        judged = self.judged(states[first])
        log_rewards = judged.scores.log_reward[number]
        sample = np.where(states.touched, number, -1).reshape(len(asked), self.sampler.samples)
        return Drawn(judged, asked, sample), log_rewards

    def find(self, asked: Int[ndarray, " asked"], *, wanted: int, rounds: int, minimal: bool) -> Candidates:
        """Valid candidates only; factuals with fewer than ``wanted`` are sampled again, ``rounds`` times in all."""
        return self.judged(self._minimal(asked, wanted, rounds) if minimal else self._valid(asked, wanted, rounds))

    def _valid(self, asked: Int[ndarray, " asked"], wanted: int, rounds: int) -> Edited:
        """Samples that are valid as they were drawn."""
        found = Edited.none_of(self.questions)
        for number in range(rounds):
            states = self._states(asked, number, epsilon=EXPLORATION if number else 0.0)
            found = found.with_new(states[self._leads(states) > 0])
            asked = found.short_of(asked, wanted)
            if len(asked) == 0:
                break
        return found

    def _minimal(self, asked: Int[ndarray, " asked"], wanted: int, rounds: int) -> Edited:
        """What is minimal in samples of few changes; longer ones are shortened only where that is not enough."""
        own, required = self.factuals.codec.codes, self.questions.allowed.required.numpy()
        reduction = Reduction(own, required, self._leads)
        found = long = Edited.none_of(self.questions)
        for number in range(rounds):
            states = self._states(asked, number, epsilon=EXPLORATION)
            found = found.with_new(reduction.irreducible(states))
            long = Edited.joined([long, states[states.changed.sum(axis=1) > FEW]])
            asked = found.short_of(asked, wanted)
            if len(asked) and _shortening_is_due(number, rounds):
                found = found.with_new(reduction.irreducible_after_undoing(long[np.isin(long.row, asked)]))
                asked, long = found.short_of(asked, wanted), Edited.none_of(self.questions)
            if len(asked) == 0:
                break
        return found

    def _states(self, asked: Int[ndarray, " asked"], round_number: int, *, epsilon: float) -> Edited:
        trajectories = self.sampler.draw(self.questions, asked, round_number=round_number, epsilon=epsilon)
        states = Edited.ends_of(trajectories, self.questions)
        states = states[states.touched]
        return states[states.distinct()[0]]

    def _leads(self, states: Edited) -> Float[ndarray, " state"]:
        if len(states) == 0:
            return np.zeros(0)
        rows = self.factuals.codec.decode(states.row, states.codes, states.changed)
        probabilities = self.reward.classifier.probabilities(rows)
        self.told.append((states.keys(), probabilities))
        return lead_of_target(probabilities, self._targets(states))

    def judged(self, states: Edited) -> Candidates:
        """The states with all that the reward says of them."""
        scores = self.reward.scores(
            self.factuals, states.row, states.codes, states.changed, self._targets(states), self._remembered(states)
        )
        return Candidates(states, scores)

    def _remembered(self, states: Edited) -> Float[ndarray, "state class"] | None:
        """What the classifier said of the states, if it was asked about all of them already."""
        if not self.told:
            return None
        keys = np.concatenate([keys for keys, _ in self.told])
        order = np.argsort(keys)
        place = order[np.searchsorted(keys, states.keys(), sorter=order).clip(max=len(keys) - 1)]
        if (keys[place] != states.keys()).any():
            return None
        return np.concatenate([probabilities for _, probabilities in self.told])[place]

    def _targets(self, states: Edited) -> Int[ndarray, " state"]:
        return self.questions.target.numpy()[states.row]


def _shortening_is_due(round_number: int, rounds: int) -> bool:
    """After two rounds, four, eight, and the last: it takes five calls of the classifier or more, a round takes one."""
    done = round_number + 1
    return done == rounds or (done > 1 and done.bit_count() == 1)
