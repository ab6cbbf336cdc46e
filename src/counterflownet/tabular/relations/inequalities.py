"""Which numbers or dates are never above another: found in all rows, and worth saying."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.tabular.feature import TIMES
from counterflownet.tabular.relations.seen import SeenColumn, SeenTable

FEWEST_VALUES = 5  # of a column with fewer, an order of sizes says little
FEWEST_ROWS = 50
JUDGED_ROWS = 5_000  # by which it is judged whether a rule that all rows keep says something
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


@dataclass(frozen=True, eq=False)
class Glimpse:
    """Numbers of one column, as they are compared with those of another: sorted once for all others."""

    numbers: Float[ndarray, " row"]

    @cached_property
    def ordered(self) -> Float[ndarray, " row"]:
        return np.sort(self.numbers)

    @cached_property
    def ranks(self) -> Float[ndarray, " row"]:
        """How many are lower than each, around their mean."""
        ranks = np.searchsorted(self.ordered, self.numbers).astype(np.float64)
        return ranks - ranks.mean()

    @cached_property
    def spread(self) -> float:
        """How far ordinary values lie apart; heavy tails do not count."""
        low, high = np.quantile(self.ordered, [0.05, 0.95])
        return float(high - low)


def inequalities(table: SeenTable) -> tuple[Inequality, ...]:
    """The inequalities that hold in all rows, without those that follow from others."""
    columns = [column for column in table.columns if column.feature.numeric and column.value_count >= FEWEST_VALUES]
    if len(columns) < 2 or table.row_count < FEWEST_ROWS:
        return ()
    some = table.some_rows(JUDGED_ROWS)
    glimpses = [Glimpse(column.numbers[some]) for column in columns]
    pairs = [
        (low, high)
        for low, high in _worth_a_look(table, columns)
        if not (columns[low].numbers > columns[high].numbers).any()
        and _is_told(*_present(glimpses[low], glimpses[high]), whole=_whole(columns[low], columns[high]))
    ]
    holds = np.zeros((len(columns), len(columns)), dtype=np.bool_)
    holds[tuple(np.array(pairs, dtype=np.int64).reshape(-1, 2).T)] = True
    implied = holds & (holds.astype(np.int64) @ holds.astype(np.int64) > 0)
    return tuple(_inequality(columns[low], columns[high]) for low, high in pairs if not implied[low, high])


def _worth_a_look(table: SeenTable, columns: Sequence[SeenColumn]) -> Iterator[tuple[int, int]]:
    """The pairs that a few rows do not refuse, of one kind."""
    few = np.stack([column.numbers[table.first_look] for column in columns], axis=1)
    dated = np.array([str(column.feature.kind) if column.feature.kind in TIMES else "" for column in columns])
    for low in range(len(columns)):
        above = (few[:, [low]] > few).any(axis=0) | (dated != dated[low])
        above[low] = True
        yield from ((low, high) for high in np.flatnonzero(~above).tolist())


def _present(low: Glimpse, high: Glimpse) -> tuple[Glimpse, Glimpse]:
    """The rows in which neither value is missing."""
    missing = np.isnan(low.numbers) | np.isnan(high.numbers)
    return (Glimpse(low.numbers[~missing]), Glimpse(high.numbers[~missing])) if missing.any() else (low, high)


def _is_told(low: Glimpse, high: Glimpse, *, whole: bool) -> bool:
    """Whether the numbers are of like size, near each other, related, and might break it."""
    if len(low.numbers) < FEWEST_ROWS or (low.numbers == high.numbers).all():
        return False
    spreads = low.spread, high.spread
    if max(spreads) > min(spreads) * (LIKE_COUNTS if whole else LIKE):
        return False
    near = float(_near(low, high).mean())
    return near >= NEAR_SHARE and _related(low, high) and _broken_if_shuffled(low, high)


def _near(low: Glimpse, high: Glimpse) -> Bool[ndarray, " row"]:
    return high.numbers - low.numbers <= NEAR * min(low.spread, high.spread)


def _broken_if_shuffled(low: Glimpse, high: Glimpse) -> bool:
    below: Int[ndarray, " row"] = np.searchsorted(high.ordered, low.ordered, side="left")
    return float(below.mean()) >= SHUFFLED * len(low.numbers)


def _related(low: Glimpse, high: Glimpse) -> bool:
    sizes = np.linalg.norm(low.ranks) * np.linalg.norm(high.ranks)
    return bool(low.ranks @ high.ranks >= RELATED * sizes)


def _inequality(low: SeenColumn, high: SeenColumn) -> Inequality:
    small, large = _present(Glimpse(low.numbers), Glimpse(high.numbers))
    always_below = bool((small.numbers < large.numbers).all())
    strict = _whole(low, high) and always_below  # fractions are hardly ever equal, whatever the rule
    return Inequality(low, high, strict, int(_near(small, large).sum()))


def _whole(low: SeenColumn, high: SeenColumn) -> bool:
    return low.feature.whole and high.feature.whole
