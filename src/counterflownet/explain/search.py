"""The search for valid candidates: rounds of samples, more of them only where too few were found."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.explain.candidates import Candidates, Edited, Sampler
from counterflownet.explain.reduction import irreducible
from counterflownet.flow.question import Questions
from counterflownet.reward.reward import Factuals, Reward

LATER_EXPLORATION = 0.2  # the share of uniform actions in later rounds: what the policy likes was tried in the first


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
        states = self.sampler.draw(self.questions, asked)
        edited = states.touched
        first, number = states[edited].distinct()
        sample = np.full(len(states), -1)
        sample[edited] = number
        candidates = self._judged(states[edited][first])
        return Drawn(candidates, asked, sample.reshape(len(asked), self.sampler.samples))

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
        return self._judged(found)

    def _valid(self, asked: Int[ndarray, " asked"], round_number: int, *, minimal: bool) -> Edited:
        epsilon = 0.0 if round_number == 0 else LATER_EXPLORATION
        states = self.sampler.draw(self.questions, asked, round_number=round_number, epsilon=epsilon)
        states = states[states.touched]
        states = states[states.distinct()[0]]
        valid = states[self._leads(states) > 0]
        if not minimal:
            return valid
        own, required = self.factuals.codec.codes, self.questions.allowed.required.numpy()
        return irreducible(valid, own, required, self._leads)

    def _leads(self, states: Edited) -> Float[ndarray, " state"]:
        return self.reward.leads(self.factuals, states.row, states.codes, states.changed, self._targets(states))

    def _judged(self, states: Edited) -> Candidates:
        scores = self.reward.scores(self.factuals, states.row, states.codes, states.changed, self._targets(states))
        return Candidates(states, scores)

    def _targets(self, states: Edited) -> Int[ndarray, " state"]:
        return self.questions.target.numpy()[states.row]
