"""Which candidates are shown, and in which order."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._space import CodeSpace
from counterflownet._states import rank_within
from counterflownet.explain.request import DiversityOver
from counterflownet.explain.search import Drawn, Pool

STEPS_APART = 4  # a number that moved by the whole of its codes over this many counts as wholly different
SWAPS = 2  # how often every choice is reconsidered


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Candidates in the order in which they are shown, row after row."""

    number: Int[ndarray, " chosen"]
    row: Int[ndarray, " chosen"]
    rank: Int[ndarray, " chosen"]

    def __getitem__(self, kept: Bool[ndarray, " chosen"]) -> "Chosen":
        return Chosen(self.number[kept], self.row[kept], self.rank[kept])

    def ranked_anew(self, kept: Bool[ndarray, " chosen"]) -> "Chosen":
        """Those that are kept, without gaps between their ranks."""
        return Chosen(self.number[kept], self.row[kept], rank_within(self.row[kept]) + 1)


def every_sample(drawn: Drawn) -> Chosen:
    """All samples in the order they were drawn, doubles and all, but those that changed nothing."""
    at, place = np.nonzero(drawn.sample >= 0)
    return Chosen(drawn.sample[at, place], drawn.asked[at], place + 1)


def choose(pool: Pool, space: CodeSpace, count: int, diversity: float, over: DiversityOver = "all") -> Chosen:
    """At most ``count`` candidates of each factual, best first.

    They maximise ``(1 - diversity) * mean reward + diversity * mean distance between two of them``, as far as a greedy
    choice and some exchanges find it. With a diversity of 0 these are the candidates of highest reward (the paper's).

    The distance is the mean difference over ``"all"`` features, or over as many as two candidates of the factual
    have ``"changed"`` together: those of few changes are all alike in the many features that none of them touches.
    """
    order = _by_reward(pool, np.arange(len(pool.row)))
    place = rank_within(pool.row[order])
    if diversity == 0:
        return _ranked(pool, order[place < count])
    crowded = np.bincount(pool.row)[pool.row[order]] > count
    spread = _spread(pool, space, order[crowded], count, diversity, over)
    chosen = np.concatenate([order[~crowded], spread])
    return _ranked(pool, _by_reward(pool, chosen))


def _spread(
    pool: Pool,
    space: CodeSpace,
    numbers: Int[ndarray, " some"],
    count: int,
    diversity: float,
    over: DiversityOver,
) -> Int[ndarray, " chosen"]:
    """The choice for factuals that have more candidates than ``count``; ``numbers`` stand by factual, best first."""
    if len(numbers) == 0 or count == 1:
        return numbers[rank_within(pool.row[numbers]) < count]
    _, line = np.unique(pool.row[numbers], return_inverse=True)
    place = rank_within(line)
    number = np.full((line.max() + 1, place.max() + 1), -1)  # a line for each factual, -1 where it is over
    number[line, place] = numbers
    features = np.full(len(number), float(space.feature_count))  # that differ where candidates differ wholly
    if over == "changed":
        changes = np.bincount(line, pool.candidates.changed[numbers].sum(axis=1)) / np.bincount(line)
        features = np.minimum(features, 2 * changes)
    quality = np.where(number >= 0, (1 - diversity) * pool.scores.reward[number], -np.inf)
    points = _scaled_codes(pool.candidates.states.codes.numpy(), space)[number]
    return number[_exchanged(quality, points, features, count, diversity)]


def _exchanged(
    quality: Float[ndarray, "line place"],
    points: Float[ndarray, "line place feature"],
    features: Float[ndarray, " line"],
    count: int,
    diversity: float,
) -> Bool[ndarray, "line place"]:
    """Which are chosen: greedily one after the other, then each again in the company of all others."""
    line = np.arange(len(quality))
    taken: Bool[ndarray, "line place"] = np.zeros(quality.shape, dtype=bool)
    chosen = np.zeros((count, len(line)), dtype=np.int64)
    apart = np.zeros((count, *quality.shape), dtype=np.float32)
    for turn in range(count * (1 + SWAPS)):
        k = turn % count
        first_time = turn < count
        if not first_time:
            taken[line, chosen[k]] = False
            apart[k] = 0.0
        company = max(turn, 1) if first_time else count - 1
        value = quality + 2 * diversity * apart.sum(axis=0) / company
        chosen[k] = np.where(taken, -np.inf, value).argmax(axis=1)
        taken[line, chosen[k]] = True
        apart[k] = np.minimum(_differences(points, points[line, chosen[k]]) / features[:, None], 1.0)
    return taken


def _scaled_codes(codes: Int[ndarray, "candidate feature"], space: CodeSpace) -> Float[ndarray, "candidate feature"]:
    """Codes on a scale on which a difference of 1 or more counts as wholly different."""
    counts = np.array(space.code_counts)
    scale = np.where(space.ordered_flags, np.minimum(1.0, STEPS_APART / counts), 1.0)
    return np.where(codes < counts, codes * scale, -1.0).astype(np.float32)  # missing and never seen: far from all


def _differences(
    points: Float[ndarray, "line place feature"], centre: Float[ndarray, "line feature"]
) -> Float[ndarray, "line place"]:
    """In how many features each candidate is different from the chosen one of its line, small differences in part."""
    apart: ndarray = np.minimum(np.abs(points - centre[:, None, :]), 1.0).sum(axis=2)
    return apart


def _by_reward(pool: Pool, numbers: Int[ndarray, " some"]) -> Int[ndarray, " some"]:
    return numbers[np.lexsort((numbers, -pool.scores.reward[numbers], pool.row[numbers]))]


def _ranked(pool: Pool, order: Int[ndarray, " chosen"]) -> Chosen:
    row = pool.row[order]
    return Chosen(order, row, rank_within(row) + 1)
