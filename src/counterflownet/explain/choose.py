"""Which candidates are shown, and in which order: different strategies first, then variations of them."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import groups_of, rank_within
from counterflownet.explain.request import DiversityOver
from counterflownet.explain.search import Drawn, Pool
from counterflownet.explain.strategy import FEW_STRATEGIES, Strategies
from counterflownet.tabular.binning import code_of
from counterflownet.tabular.codec import Codec

STEPS_APART = 4  # a number that moved by the whole of its codes over this many counts as wholly different
SWAPS = 2  # how often every choice is reconsidered


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Candidates in the order in which they are shown, row after row; strategies are numbered within each row."""

    number: Int[ndarray, " chosen"]
    row: Int[ndarray, " chosen"]
    rank: Int[ndarray, " chosen"]
    strategy: Int[ndarray, " chosen"]

    @classmethod
    def of(cls, pool: Pool, number: Int[ndarray, " chosen"], rank: Int[ndarray, " chosen"]) -> "Chosen":
        """The chosen candidates, which must stand row after row."""
        row = pool.row[number]
        keys = Strategies.of(pool.candidates.table, pool.candidates.states[number]).keys
        return cls(number, row, rank, _numbered(row, keys))

    def __getitem__(self, kept: Bool[ndarray, " chosen"]) -> "Chosen":
        return Chosen(self.number[kept], self.row[kept], self.rank[kept], self.strategy[kept])

    def ranked_anew(self, kept: Bool[ndarray, " chosen"]) -> "Chosen":
        """Those that are kept, without gaps between their ranks and strategies."""
        row = self.row[kept]
        strategy = _numbered(row, self.strategy[kept].astype(np.uint64))
        return Chosen(self.number[kept], row, rank_within(row) + 1, strategy)


def every_sample(drawn: Drawn) -> Chosen:
    """All samples in the order they were drawn, doubles and all, but those that changed nothing."""
    at, place = np.nonzero(drawn.sample >= 0)
    return Chosen.of(drawn.pool, drawn.sample[at, place], place + 1)


def choose(pool: Pool, count: int, diversity: float, over: DiversityOver = "changed", worth: float = 0.0) -> Chosen:
    """At most ``count`` candidates of each factual, best first, none of them dominated.

    Once a factual has a few strategies, others and variations count only if they have the share ``worth`` of the best
    reward.

    The best of each strategy come before variations. Of more strategies than ``count``, the one of highest reward is
    taken and others with it that maximise ``(1 - diversity) * mean reward + diversity * mean difference between two of
    them``, as far as a greedy choice and some exchanges find it.

    The difference is the share of changes (columns and directions) that only one of two candidates makes
    (``"changed"``), or the mean difference over ``"all"`` columns of the table, as the protocols measure it.
    """
    strategies = Strategies.of(pool.candidates.table, pool.candidates.states)
    order = _by_reward(pool, np.flatnonzero(~strategies.dominated))
    leading = _leading(strategies, order)
    shown = pool.scores.reward[order] >= worth * _best(pool, order)
    shown[leading] |= rank_within(pool.row[order[leading]]) < min(count, FEW_STRATEGIES)
    leaders, variations = order[leading & shown], order[~leading & shown]
    if diversity > 0:
        leaders = _spread(pool, strategies, leaders, count, diversity, over)
    both = np.concatenate([leaders, variations])
    both = both[np.argsort(pool.row[both], kind="stable")]
    chosen = _by_reward(pool, both[rank_within(pool.row[both]) < count])
    return Chosen.of(pool, chosen, rank_within(pool.row[chosen]) + 1)


def far_fetched(pool: Pool, chosen: Chosen, row_count: int) -> Int[ndarray, " row"]:
    """How many strategies each row has that were left out although there would have been room for more."""
    keys = Strategies.of(pool.candidates.table, pool.candidates.states).keys
    found = np.bincount(pool.row[groups_of(keys).first], minlength=row_count)
    shown = np.zeros(row_count, dtype=np.int64)
    np.maximum.at(shown, chosen.row, chosen.strategy)
    return found - shown


def _best(pool: Pool, order: Int[ndarray, " some"]) -> Float[ndarray, " some"]:
    """The highest reward of each one's factual; they stand by factual, best first."""
    row = pool.row[order]
    starts = np.flatnonzero(rank_within(row) == 0)
    return np.repeat(pool.scores.reward[order[starts]], np.diff(np.append(starts, len(order))))


def _leading(strategies: Strategies, order: Int[ndarray, " some"]) -> Bool[ndarray, " some"]:
    """Which are the first of their strategy, in the order given."""
    leading = np.zeros(len(order), dtype=np.bool_)
    leading[groups_of(strategies.keys[order]).first] = True
    return leading


def _spread(
    pool: Pool,
    strategies: Strategies,
    numbers: Int[ndarray, " some"],
    count: int,
    diversity: float,
    over: DiversityOver,
) -> Int[ndarray, " chosen"]:
    """The choice for factuals that have more than ``count``; ``numbers`` stand by factual, best first."""
    crowded = np.bincount(pool.row[numbers], minlength=1)[pool.row[numbers]] > count
    numbers, few = numbers[crowded], numbers[~crowded]
    if len(numbers) == 0 or count == 1:
        return np.concatenate([few, numbers])
    _, line = np.unique(pool.row[numbers], return_inverse=True)
    place = rank_within(line)
    number = np.full((line.max() + 1, place.max() + 1), -1)  # a line for each factual, -1 where it is over
    number[line, place] = numbers
    quality = np.where(number >= 0, (1 - diversity) * pool.scores.reward[number], -np.inf)
    apart = _Apart.changes(strategies, number) if over == "changed" else _Apart.codes(pool, number)
    return np.concatenate([few, number[_exchanged(quality, apart, count, diversity)]])


@dataclass(frozen=True, slots=True, eq=False)
class _Apart:
    """Points whose difference, divided by what may ``differ`` at most, is that of two candidates."""

    points: Float[ndarray, "line place dimension"]
    differ: Float[ndarray, "line place"]
    shared: bool  # whether what differs at most is that of both candidates together

    @classmethod
    def changes(cls, strategies: Strategies, number: Int[ndarray, "line place"]) -> "_Apart":
        """By the changes that only one of two makes, as a share of those that either makes."""
        direction = strategies.direction
        made = np.concatenate([direction == way for way in np.unique(direction[direction > 0])], axis=1)
        return cls(made[number].astype(np.float32), made.sum(axis=1)[number].astype(np.float32), shared=True)

    @classmethod
    def codes(cls, pool: Pool, number: Int[ndarray, "line place"]) -> "_Apart":
        """By the codes of all columns, small differences of ordered ones in part."""
        points = _scaled_codes(pool.candidates.table.codec, pool)[number]
        return cls(points, np.full(number.shape, points.shape[2], dtype=np.float32), shared=False)

    def from_chosen(self, chosen: Int[ndarray, " line"]) -> Float[ndarray, "line place"]:
        """How different each candidate is from the chosen one of its line."""
        line = np.arange(len(chosen))
        differences = np.minimum(np.abs(self.points - self.points[line, chosen][:, None, :]), 1.0).sum(axis=2)
        if not self.shared:
            return np.minimum(differences / self.differ, 1.0)
        either = (self.differ + self.differ[line, chosen][:, None] + differences) / 2
        return differences / np.maximum(either, 1.0)


def _exchanged(
    quality: Float[ndarray, "line place"], apart: _Apart, count: int, diversity: float
) -> Bool[ndarray, "line place"]:
    """Which are chosen: the best, then greedily one after the other, then each again in the company of all others."""
    line = np.arange(len(quality))
    taken: Bool[ndarray, "line place"] = np.zeros(quality.shape, dtype=bool)
    chosen = np.zeros((count, len(line)), dtype=np.int64)
    distance = np.zeros((count, *quality.shape), dtype=np.float32)
    turns = [*range(count), *(k for _ in range(SWAPS) for k in range(1, count))]  # the best one stays
    for turn, k in enumerate(turns):
        if turn >= count:
            taken[line, chosen[k]] = False
            distance[k] = 0.0
        company = max(min(turn, count - 1), 1)
        value = quality + 2 * diversity * distance.sum(axis=0) / company
        chosen[k] = np.where(taken, -np.inf, value).argmax(axis=1)
        taken[line, chosen[k]] = True
        distance[k] = apart.from_chosen(chosen[k])
    return taken


def _scaled_codes(codec: Codec, pool: Pool) -> Float[ndarray, "candidate feature"]:
    """Codes on a scale on which a difference of 1 or more counts as wholly different."""
    row, places, _ = pool.candidates.states.numpy()
    scaled = np.full(places.shape, -1.0, dtype=np.float32)  # missing and never seen: far from all
    for d, feature in enumerate(codec.schema):
        codes = places[:, d]
        if (codes >= feature.first_fine_place).any():
            finer = codes >= feature.first_fine_place
            codes = codes.copy()
            codes[finer] = code_of(codec.numbers(d, row[finer], places[finer, d]), np.asarray(feature.edges))
        unit = min(1.0, STEPS_APART / feature.code_count) if feature.has_order else 1.0
        scaled[:, d] = np.where(codes < feature.code_count, codes * unit, -1.0)
    return scaled


def _by_reward(pool: Pool, numbers: Int[ndarray, " some"]) -> Int[ndarray, " some"]:
    return numbers[np.lexsort((numbers, -pool.scores.reward[numbers], pool.row[numbers]))]


def _numbered(row: Int[ndarray, " chosen"], keys: ndarray) -> Int[ndarray, " chosen"]:
    """Strategies counted from 1 within each row, in the order in which they first occur."""
    _, first, which = np.unique(
        np.column_stack([row.astype(np.uint64), keys.astype(np.uint64)]), axis=0, return_index=True, return_inverse=True
    )
    opened = np.zeros(len(row), dtype=np.int64)
    opened[first] = 1
    so_far = np.cumsum(opened)
    starts = np.flatnonzero(rank_within(row) == 0)
    before = np.repeat(so_far[starts] - 1, np.diff(np.append(starts, len(row))))
    return so_far[first[which.ravel()]] - before
