"""How surprising a relation is: what chance alone would make of columns that have nothing to do with each other."""

import math

import numpy as np
from jaxtyping import Int
from numpy import ndarray

ODDS = 1e-9  # that one suggestion of a whole table is an accident, if its columns were independent


def is_surprising(log_chance: float, tried: int) -> bool:
    """Whether chance, given as many tries as there were, would hardly ever bring it about."""
    return log_chance + math.log(max(tried, 1)) < math.log(ODDS)


def log_chance_of_dependency(source_counts: Int[ndarray, " source"], derived_counts: Int[ndarray, " derived"]) -> float:
    """The chance that every value of one column meets a single value of the other, were the two independent.

    Drawn independently, the rows of a value that occurs ``n`` times agree with the chance ``sum(share ** n)`` over the
    values of the other column: 1 for a value that occurs once, and near 1 if nearly all rows are alike.
    """
    log_shares = np.log(derived_counts / derived_counts.sum())
    sizes, times = np.unique(source_counts, return_counts=True)
    exponents = sizes[:, None] * log_shares[None, :]
    highest = exponents.max(axis=1)
    agree = highest + np.log(np.exp(exponents - highest[:, None]).sum(axis=1))
    return float((times * agree).sum())


def log_chance_of_one_set(counts: Int[ndarray, " flag"], row_count: int) -> float:
    """The chance that exactly one flag is set in every row, were they set independently."""
    shares = counts / row_count
    one = sum(float(share * np.prod(1 - np.delete(shares, k))) for k, share in enumerate(shares))
    return float(row_count * np.log(one)) if one > 0 else -np.inf
