"""The values of a training column that answers can take, and on which of them answers are tight."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

MOST = 256  # values of a grid; of columns that have more, as many equally spaced by the rank of rows, and of values
MOST_FINE = 16_384  # values that are kept besides
ORDINARY = ((0.05, 0.95), (0.01, 0.99), (0.0, 1.0))  # the shares of rows between which the spread is measured


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The ``fine`` values of a column, and those among them that are its ``grid``, with the share of rows below each.

    ``spread`` is how far ordinary rows lie apart.
    """

    fine: Float[ndarray, " fine"]
    grid: Float[ndarray, " value"]
    ranks: Float[ndarray, " value"]
    spread: float

    @classmethod
    def of(cls, numbers: Float[ndarray, " row"]) -> "Grid":
        seen, times = np.unique(numbers, return_counts=True)
        rows_below = np.cumsum(times)
        shares = (rows_below - times / 2) / len(numbers)
        chosen = np.union1d(spaced_by_rank(rows_below, MOST), spaced_by_rank(np.arange(1, len(seen) + 1), MOST))
        fine = np.union1d(spaced_by_rank(rows_below, MOST_FINE), chosen)  # where a grid is, answers can stop
        return cls(seen[fine], seen[chosen], shares[chosen], _spread(numbers))


def spaced_by_rank(rows_below: Int[ndarray, " value"], most: int) -> Int[ndarray, " chosen"]:
    """The numbers of at most ``most`` values: all, or some so that about as many rows lie between any two.

    Values that many rows have take several of these places; what they leave free goes to others of the rest.
    """
    if len(rows_below) <= most:
        return np.arange(len(rows_below))
    rows = np.linspace(0, rows_below[-1] - 1, most).round()
    by_rows = np.unique(np.searchsorted(rows_below, rows, side="right"))
    rest = np.setdiff1d(np.arange(len(rows_below)), by_rows)
    filled = rest[np.linspace(0, len(rest) - 1, most - len(by_rows)).round().astype(np.int64)]
    return np.union1d(by_rows, filled)


def _spread(numbers: Float[ndarray, " row"]) -> float:
    """From where to where ordinary rows reach: a few enormous numbers say nothing about what is a large step."""
    for shares in ORDINARY:
        low, high = np.quantile(numbers, shares)
        if high > low:
            return float(high - low)
    return 1.0
