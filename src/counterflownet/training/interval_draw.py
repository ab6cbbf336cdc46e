"""Intervals to train for, of all that may be asked: one-sided and two-sided, near and far, narrow and wide."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.flow.interval_code import OPEN
from counterflownet.seeds import numpy_generator

# Where directions of predictions lead, by number; they begin at 0, where a row is.
KINDS = ("prediction", "higher", "lower", "between, higher", "between, lower")
HIGHER = (1, 3)
TWO_SIDED = (3, 4)
EDGE = 0.02  # the share of training rows beyond the place of a row that it takes to ask for more than it has
NEAREST = 0.02  # share of the way to the last training row: what is asked for excludes the row's own prediction
FARTHEST = 0.98
NARROWEST, WIDEST = 0.02, 1.0  # of two-sided ones, in shares of training rows


@dataclass(frozen=True, slots=True, eq=False)
class IntervalDraw:
    """Random intervals for rows of the training table, whose own predictions have the places ``own``."""

    own: Float[ndarray, " row"]
    seed: int

    def __call__(
        self, source: Int[ndarray, " chosen"], kind: Int[ndarray, " chosen"], step: int
    ) -> Float[ndarray, "chosen 3"]:
        """Low end, high end and own place of each; ``kind`` says which side it is on, and how many ends it has.

        A row at the end of all predictions is asked for the other side.
        """
        draw, own = numpy_generator(self.seed, "intervals", step), self.own[source]
        higher = np.isin(kind, HIGHER) & (own < 1 - EDGE) | (own < EDGE)
        way = NEAREST + (FARTHEST - NEAREST) * draw.random(len(source))
        near = np.where(higher, own + way * (1 - own), own - way * own)
        width = NARROWEST * (WIDEST / NARROWEST) ** draw.random(len(source))
        far = np.where(higher, np.minimum(near + width, 1.0), np.maximum(near - width, 0.0))
        far = np.where(np.isin(kind, TWO_SIDED), far, np.where(higher, 1 + OPEN, -OPEN))
        return np.stack([np.minimum(near, far), np.maximum(near, far), own], axis=1).astype(np.float32)
