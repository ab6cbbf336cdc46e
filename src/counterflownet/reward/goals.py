"""What makes candidates valid, and by how much they are: several classes will do, or a prediction must lie somewhere.

One class is the usual goal, and told by its number alone (see :mod:`counterflownet.reward.candidates`).
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.reward.ranks import CLOSED, Ranks

TINY = 1e-300  # a probability whose logarithm is still finite
SURE = 0.1  # the share of training rows between a prediction and the end of its interval from which on it is sure
LEAST_SURE = 1e-3  # of an interval that has hardly any

Outputs = Float[ndarray, "row output"]
Numbers = Float[ndarray, " row"]
Verdict = Bool[ndarray, " row"]


@runtime_checkable
class Goals(Protocol):
    """One goal per row; ``outputs`` are what the model says of as many rows."""

    def __getitem__(self, rows: Int[ndarray, " some"] | slice) -> "Goals": ...

    def lead(self, outputs: Outputs) -> Numbers:
        """From -1 to 1, how well the goal is reached; below 0 it is not."""

    def told(self, outputs: Outputs) -> Numbers:
        """The number that people are told: the probability of the goal, or the prediction."""

    def slack(self, outputs: Outputs) -> Numbers:
        """By how much the goal is reached, or missed if negative, on a scale on which changes roughly add up."""

    def valid(self, outputs: Outputs) -> Verdict:
        """Whether the goal is reached."""

    def suits(self, outputs: Outputs) -> Verdict:
        """Which of any number of rows are examples of what the first of the goals asks for."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassGoals:
    """Several classes will do: those that ``accepted`` marks; one of them must win, together they must be so probable.

    For a row that accepts one class alone, all this is what it is for that class. ``before`` is what the model says of
    the rows as they are.
    """

    accepted: Bool[ndarray, "row class"]
    before: Float[ndarray, "row class"]
    confidence: float | None = None

    def __getitem__(self, rows: Int[ndarray, " some"] | slice) -> "ClassGoals":
        return ClassGoals(self.accepted[rows], self.before[rows], self.confidence)

    def lead(self, outputs: Outputs) -> Numbers:
        """The probability of the strongest class that is accepted minus that of the strongest other one."""
        best = np.where(self.accepted, outputs, -np.inf).max(axis=1)
        return best - np.where(self.accepted, -np.inf, outputs).max(axis=1)

    def told(self, outputs: Outputs) -> Numbers:
        """The probability of all accepted classes together."""
        return np.where(self.accepted, outputs, 0.0).sum(axis=1)

    def slack(self, outputs: Outputs) -> Numbers:
        wanted, others = np.where(self.accepted, outputs, 0.0), np.where(self.accepted, 0.0, outputs)
        ahead = _log(wanted.max(axis=1)) - _log(others.max(axis=1))
        if self.confidence is not None:
            asked = np.log(max(self.confidence, TINY)) - np.log(max(1.0 - self.confidence, TINY))
            ahead = np.minimum(ahead, _log(wanted.sum(axis=1)) - _log(others.sum(axis=1)) - asked)
        return on_its_side(ahead, self.valid(outputs))

    def valid(self, outputs: Outputs) -> Verdict:
        wins = self.lead(outputs) > 0
        return wins if self.confidence is None else wins & (self.told(outputs) >= self.confidence)

    def suits(self, outputs: Outputs) -> Verdict:
        return self.accepted[0][outputs.argmax(axis=1)]

    def aims(self, turn: int) -> Int[ndarray, " row"]:
        """The accepted class that a flow for single classes is asked for in a turn, the most probable one first."""
        order = np.argsort(-np.where(self.accepted, self.before, -1.0), axis=1, kind="stable")
        return order[np.arange(len(order)), turn % self.accepted.sum(axis=1)]


@dataclass(frozen=True, slots=True, eq=False)
class IntervalGoals:
    """The prediction must lie from ``low`` to ``high``, either of which may be infinite."""

    low: Numbers
    high: Numbers
    ranks: Ranks

    def __getitem__(self, rows: Int[ndarray, " some"] | slice) -> "IntervalGoals":
        return IntervalGoals(self.low[rows], self.high[rows], self.ranks)

    @classmethod
    def of_places(cls, places: Float[ndarray, "row place"], ranks: Ranks) -> "IntervalGoals":
        """The goals whose ends have these places, as the flow is told them (see :meth:`Ranks.ends`)."""
        low, high = places[:, 0].astype(np.float64), places[:, 1].astype(np.float64)
        below, above = low < -CLOSED - 0.01, high > 1 + CLOSED + 0.01  # rounded, but far enough apart
        return cls(np.where(below, -np.inf, ranks.value(low)), np.where(above, np.inf, ranks.value(high)), ranks)

    def lead(self, outputs: Outputs) -> Numbers:
        """Outside, minus the share of training rows between; inside, how sure it is that it stays there."""
        place, low, high = (self.ranks.place(part) for part in (outputs[:, 0], self.low, self.high))
        inside = np.minimum(place - low, high - place)
        room = np.clip((np.clip(high, 0, 1) - np.clip(low, 0, 1)) / 2, LEAST_SURE, SURE)
        lead = np.clip(np.where(inside >= 0, inside / room, inside), -1.0, 1.0)
        return on_its_side(lead, self.valid(outputs))

    def told(self, outputs: Outputs) -> Numbers:
        return outputs[:, 0]

    def slack(self, outputs: Outputs) -> Numbers:
        """The distance from the nearer end, in units of predictions: their changes add up, those of ranks do not."""
        predictions = outputs[:, 0]
        inside = np.minimum(predictions - self.low, self.high - predictions) / self.ranks.unit
        return on_its_side(inside, self.valid(outputs))

    def valid(self, outputs: Outputs) -> Verdict:
        return (outputs[:, 0] >= self.low) & (outputs[:, 0] <= self.high)

    def suits(self, outputs: Outputs) -> Verdict:
        """Those inside; if there are none, the twentieth of all that is nearest."""
        first = self[np.zeros(len(outputs), dtype=np.int64)]
        inside, slack = first.valid(outputs), first.slack(outputs)
        return inside if inside.any() or not len(outputs) else slack >= np.quantile(slack, 0.95)

    @property
    def within_reach(self) -> Verdict:
        """Whether any training row has a prediction that would do."""
        pairs = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return np.array([self.ranks.holds_any(low, high) for low, high in pairs], dtype=np.bool_)


def on_its_side(measure: Numbers, valid: Verdict) -> Numbers:
    """The measure as rounding leaves it: what is valid has none below 0, nor anything else one above."""
    return np.where(valid, np.maximum(measure, 0.0), np.minimum(measure, 0.0))


def _log(probability: Numbers) -> Numbers:
    return np.log(np.maximum(probability, TINY))
