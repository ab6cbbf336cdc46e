"""Predictions as places among those of the training rows, which have the same meaning for every model."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet.flow.interval_code import OPEN

KNOTS = 1_024
CLOSED = 0.2  # the farthest place outside of an end that it has
SLACK_OF_DEVIATION = 2.0  # a deviation of predictions counts as so many log-odds in a search

Numbers = Float[ndarray, " number"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """A rising curve from predictions to the share of training rows below, straight between ``knots`` and beyond."""

    knots: Float[ndarray, " knot"]
    places: Float[ndarray, " knot"]
    deviation: float

    def __post_init__(self) -> None:
        sound = len(self.knots) == len(self.places) > 0 and 0 < self.deviation < np.inf
        sound = sound and bool(self.places[0] > 0 and self.places[-1] < 1)
        if not sound or (np.diff(self.knots) <= 0).any() or (np.diff(self.places) <= 0).any():
            raise InvalidInputError("ranks of predictions must rise between 0 and 1, and have a deviation above 0.")

    @classmethod
    def of(cls, predictions: Float[ndarray, " row"]) -> "Ranks":
        """The ranks of these predictions."""
        knots, count = np.unique(predictions, return_counts=True)
        places = (np.cumsum(count) - count / 2) / len(predictions)
        if len(knots) > KNOTS:
            kept = np.unique(np.searchsorted(places, np.linspace(0, 1, KNOTS)).clip(max=len(knots) - 1))
            knots, places = knots[kept], places[kept]
        # If all predictions are the same, their size is the one measure that is left.
        return cls(knots, places, float(predictions.std()) or max(abs(float(knots[0])), 1.0))

    @property
    def least(self) -> float:
        """The lowest prediction of a training row."""
        return float(self.knots[0])

    @property
    def most(self) -> float:
        """The highest prediction of a training row."""
        return float(self.knots[-1])

    @property
    def unit(self) -> float:
        """How much of a prediction counts as one of the log-odds of a classifier."""
        return self.deviation / SLACK_OF_DEVIATION

    def place(self, predictions: Numbers) -> Numbers:
        """Where predictions stand; beyond the lowest and the highest, so much farther as they are deviations away."""
        inside = np.interp(predictions, self.knots, self.places)
        beyond = predictions - np.clip(predictions, self.least, self.most)
        return inside + beyond / (4 * self.deviation)

    def value(self, places: Numbers) -> Numbers:
        """The predictions that stand at these places, if they are not beyond the ends."""
        return np.interp(places, self.places, self.knots)

    def ends(self, low: Numbers, high: Numbers) -> tuple[Numbers, Numbers]:
        """The places of the ends of intervals as the flow is told them; those of open ones lie farther outside."""
        below = np.where(np.isneginf(low), -OPEN, np.clip(self.place(low), -CLOSED, 1 + CLOSED))
        above = np.where(np.isposinf(high), 1 + OPEN, np.clip(self.place(high), -CLOSED, 1 + CLOSED))
        return below, above

    def holds_any(self, low: float, high: float) -> bool:
        """Whether predictions of training rows lie between the two."""
        first, last = np.searchsorted(self.knots, low, side="left"), np.searchsorted(self.knots, high, side="right")
        return bool(last > first)
