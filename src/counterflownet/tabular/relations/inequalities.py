"""Which numbers or dates are never above another: found in all rows, and worth saying."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from counterflownet.tabular.feature import Kind
from counterflownet.tabular.relations.seen import SeenColumn, SeenTable

FEWEST_VALUES = 5  # of a column with fewer, an order of sizes says little
FEWEST_ROWS = 50
SHUFFLED = 0.05  # the share of rows that would break it if one column were shuffled: else the ranges say it all
NEAR = 0.1  # of the smaller spread of the two: nearer than that, the border is felt
NEAR_SHARE = 0.005  # of the rows
RELATED = 0.5  # the least rank correlation: a part grows with its whole
LIKE = 3.0  # the most by which the spreads of fractions of one unit differ
LIKE_COUNTS = 30.0  # the same of whole numbers: a few of many are still counted in one unit


@dataclass(frozen=True, slots=True, eq=False)
class Inequality:
    """A column that is never above another, and how many rows bring the two near each other."""

    low: SeenColumn
    high: SeenColumn
    strict: bool
    support: int


def inequalities(table: SeenTable) -> tuple[Inequality, ...]:
    """The inequalities that hold in all rows, without those that follow from others."""
    columns = [column for column in table.columns if column.feature.numeric and column.value_count >= FEWEST_VALUES]
    if len(columns) < 2 or table.row_count < FEWEST_ROWS:
        return ()
    pairs = [(low, high) for low, high in _worth_a_look(table, columns) if _is_told(columns[low], columns[high])]
    holds = np.zeros((len(columns), len(columns)), dtype=np.bool_)
    holds[tuple(np.array(pairs, dtype=np.int64).reshape(-1, 2).T)] = True
    implied = holds & (holds.astype(np.int64) @ holds.astype(np.int64) > 0)
    return tuple(_inequality(columns[low], columns[high]) for low, high in pairs if not implied[low, high])


def _worth_a_look(table: SeenTable, columns: Sequence[SeenColumn]) -> Iterator[tuple[int, int]]:
    """The pairs that a few rows do not refuse, of one kind."""
    few = table.numbers(columns, table.first_look)
    dated = np.array([column.feature.kind is Kind.DATE for column in columns])
    for low in range(len(columns)):
        above = (few[:, [low]] > few).any(axis=0) | (dated != dated[low])
        above[low] = True
        yield from ((low, high) for high in np.flatnonzero(~above).tolist())


def _is_told(low: SeenColumn, high: SeenColumn) -> bool:
    """Whether it holds in all rows, and the numbers are of like size, related, near each other, and might break it."""
    both = (low.codes >= 0) & (high.codes >= 0)
    small, large = low.numbers[both], high.numbers[both]
    if len(small) < FEWEST_ROWS or (small > large).any() or (small == large).all():
        return False
    spreads = _spread(small), _spread(large)
    if max(spreads) > min(spreads) * (LIKE_COUNTS if _whole(low, high) else LIKE):
        return False
    return (
        bool(_near(small, large).mean() >= NEAR_SHARE) and _broken_if_shuffled(small, large) and _related(small, large)
    )


def _spread(numbers: Float[ndarray, " row"]) -> float:
    """How far ordinary values lie apart; heavy tails do not count."""
    low, high = np.quantile(numbers, [0.05, 0.95])
    return float(high - low)


def _near(small: Float[ndarray, " row"], large: Float[ndarray, " row"]) -> Bool[ndarray, " row"]:
    return large - small <= NEAR * min(_spread(small), _spread(large))


def _broken_if_shuffled(small: Float[ndarray, " row"], large: Float[ndarray, " row"]) -> bool:
    below = np.searchsorted(np.sort(large), small, side="left") / len(large)
    return float(below.mean()) >= SHUFFLED


def _related(small: Float[ndarray, " row"], large: Float[ndarray, " row"]) -> bool:
    ranks = np.stack([np.searchsorted(np.sort(numbers), numbers) for numbers in (small, large)])
    return float(np.asarray(np.corrcoef(ranks))[0, 1]) >= RELATED


def _inequality(low: SeenColumn, high: SeenColumn) -> Inequality:
    both = (low.codes >= 0) & (high.codes >= 0)
    small, large = low.numbers[both], high.numbers[both]
    strict = _whole(low, high) and bool((small < large).all())  # fractions are hardly ever equal, whatever the rule
    return Inequality(low, high, strict, int(_near(small, large).sum()))


def _whole(low: SeenColumn, high: SeenColumn) -> bool:
    return low.feature.whole and high.feature.whole
