"""Entries that stand together by group, and their order within it."""

import numpy as np
from jaxtyping import Int
from numpy import ndarray


def rank_within(group: Int[ndarray, " entry"]) -> Int[ndarray, " entry"]:
    """How many entries of the same group stand before each; the entries of a group must stand together."""
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])) if len(group) else np.zeros(0, np.int64)
    lengths = np.diff(np.append(starts, len(group)))
    return np.arange(len(group)) - np.repeat(starts, lengths)
