"""Where the valid steps of many tracks begin, if all that lie behind a valid one are valid: asked about few of them."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

PROBES = 15  # steps of a track that are asked about at once: a call costs more than some more steps in it

Steps = Int[ndarray, " step"]


def begins(counts: Int[ndarray, " track"], valid: Callable[[Steps, Steps], Bool[ndarray, " step"]]) -> Steps:
    """The first valid step of each track of so many steps; their count for tracks that have none.

    ``valid`` is asked about steps by the numbers of their tracks and their own.
    """
    low, high = np.zeros_like(counts), counts.copy()  # the first one is not before low, and not behind high
    while (low < high).any():
        track, step = _probes(low, high)
        _narrow(low, high, track, step, valid(track, step))
    return high


def _probes(low: Steps, high: Steps) -> tuple[Steps, Steps]:
    """Steps that cut what is open of each track into parts of the same size."""
    (open_,) = (low < high).nonzero()
    share = np.arange(1, PROBES + 1)
    step = low[open_, None] + (high - low)[open_, None] * share // (PROBES + 1)
    fresh = np.ones(step.shape, dtype=np.bool_)
    fresh[:, 1:] = step[:, 1:] != step[:, :-1]
    at, _ = fresh.nonzero()
    return open_[at], step[fresh]


def _narrow(low: Steps, high: Steps, track: Steps, step: Steps, valid: Bool[ndarray, " step"]) -> None:
    """Bring low and high together by what was said of some steps, which rise within each track."""
    np.minimum.at(high, track[valid], step[valid])
    below = ~valid & (step < high[track])
    np.maximum.at(low, track[below], step[below] + 1)
