"""The search for valid candidates: rounds of samples, more of them only where too few were found."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.explain.candidates import Candidates, Edited, Sampler
from counterflownet.explain.reduction import irreducible
from counterflownet.flow.edits import Trajectories
from counterflownet.flow.importance import log_probabilities, resampled
from counterflownet.flow.question import Questions
from counterflownet.reward.reward import Factuals, Reward
from counterflownet.seeds import keyed_uniforms

LATER_EXPLORATION = 0.2  # the share of uniform actions in later rounds: what the policy likes was tried in the first

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
        found = self._valid(asked, 0, minimal=minimal)
        for number in range(1, rounds):
            counts = np.bincount(found.row, minlength=len(self.questions.target))
            asked = asked[counts[asked] < wanted]
            if len(asked) == 0:
                break
            found = Edited.joined([found, self._valid(asked, number, minimal=minimal)])
            found = found[found.distinct()[0]]
        return self.judged(found)

    def _valid(self, asked: Int[ndarray, " asked"], round_number: int, *, minimal: bool) -> Edited:
        epsilon = 0.0 if round_number == 0 else LATER_EXPLORATION
        trajectories = self.sampler.draw(self.questions, asked, round_number=round_number, epsilon=epsilon)
        states = Edited.ends_of(trajectories, self.questions)
        states = states[states.touched]
        states = states[states.distinct()[0]]
        valid = states[self._leads(states) > 0]
        if not minimal:
            return valid
        own, required = self.factuals.codec.codes, self.questions.allowed.required.numpy()
        return irreducible(valid, own, required, self._leads)

    def _leads(self, states: Edited) -> Float[ndarray, " state"]:
        return self.reward.leads(self.factuals, states.row, states.codes, states.changed, self._targets(states))

    def judged(self, states: Edited) -> Candidates:
        """The states with all that the reward says of them."""
        scores = self.reward.scores(self.factuals, states.row, states.codes, states.changed, self._targets(states))
        return Candidates(states, scores)

    def _targets(self, states: Edited) -> Int[ndarray, " state"]:
        return self.questions.target.numpy()[states.row]
