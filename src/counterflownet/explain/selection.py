"""Which candidates are shown, and in which order."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._space import CodeSpace
from counterflownet.explain.candidates import Candidates, places

DiversityOver = Literal["changed", "all"]
STEPS_APART = 4  # a number that moved by the whole of its codes over this many counts as wholly different
SWAPS = 2  # how often every choice is reconsidered


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Candidates in the order in which they are shown, row after row."""

    number: Int[ndarray, " chosen"]
    row: Int[ndarray, " chosen"]
    rank: Int[ndarray, " chosen"]


def choose(
    candidates: Candidates, space: CodeSpace, count: int, diversity: float, over: DiversityOver = "all"
) -> Chosen:
    """At most ``count`` candidates of each factual, best first.

    They maximise ``(1 - diversity) * mean reward + diversity * mean distance between two of them``, as far as a greedy
    choice and some exchanges find it. With a diversity of 0 these are the candidates of highest reward (the paper's).

    The distance is the mean difference over ``"all"`` features, or over as many as two candidates of the factual
    have ``"changed"`` together: those of few changes are all alike in the many features that none of them touches.
    """
    order = _by_reward(candidates, np.arange(len(candidates.row)))
    place = places(candidates.row[order])
    if diversity == 0:
        return _ranked(candidates, order[place < count])
    crowded = np.bincount(candidates.row)[candidates.row[order]] > count
    spread = _spread(candidates, space, order[crowded], count, diversity, over)
    chosen = np.concatenate([order[~crowded], spread])
    return _ranked(candidates, _by_reward(candidates, chosen))


def _spread(
    candidates: Candidates,
    space: CodeSpace,
    numbers: Int[ndarray, " some"],
    count: int,
    diversity: float,
    over: DiversityOver,
) -> Int[ndarray, " chosen"]:
    """The choice for factuals that have more candidates than ``count``; ``numbers`` stand by factual, best first."""
    if len(numbers) == 0 or count == 1:
        return numbers[places(candidates.row[numbers]) < count]
    _, line = np.unique(candidates.row[numbers], return_inverse=True)
    place = places(line)
    pool = _Pool(np.full((line.max() + 1, place.max() + 1), -1), diversity, count)
    pool.number[line, place] = numbers
    features = np.full(len(pool.number), float(space.feature_count))
    if over == "changed":
        changes = np.bincount(line, candidates.edited.changed[numbers].sum(axis=1)) / np.bincount(line)
        features = np.minimum(features, 2 * changes)
    return pool.choose(candidates.scores.reward, _coordinates(candidates.edited.codes, space), features)


@dataclass(frozen=True, slots=True, eq=False)
class _Pool:
    """The candidates of some factuals, a line each; -1 where a line is over."""

    number: Int[ndarray, "line place"]
    diversity: float
    count: int

    def choose(
        self,
        reward: Float[ndarray, " candidate"],
        coordinates: Float[ndarray, "candidate feature"],
        features: Float[ndarray, " line"],
    ) -> Int[ndarray, " chosen"]:
        """Greedily one after the other, then each again in the company of all others.

        Candidates of a line that differ wholly in so many ``features`` are wholly different.
        """
        line = np.arange(len(self.number))
        quality = np.where(self.number >= 0, (1 - self.diversity) * reward[self.number], -np.inf)
        points = coordinates[self.number]
        taken: Bool[ndarray, "line place"] = np.zeros(self.number.shape, dtype=bool)
        chosen = np.zeros((self.count, len(line)), dtype=np.int64)
        apart = np.zeros((self.count, *self.number.shape), dtype=np.float32)
        for turn in range(self.count * (1 + SWAPS)):
            k = turn % self.count
            first_time = turn < self.count
            if not first_time:
                taken[line, chosen[k]] = False
                apart[k] = 0.0
            company = max(turn, 1) if first_time else self.count - 1
            value = quality + 2 * self.diversity * apart.sum(axis=0) / company
            chosen[k] = np.where(taken, -np.inf, value).argmax(axis=1)
            taken[line, chosen[k]] = True
            apart[k] = np.minimum(_differences(points, points[line, chosen[k]]) / features[:, None], 1.0)
        return self.number[taken]


def _coordinates(codes: Int[ndarray, "candidate feature"], space: CodeSpace) -> Float[ndarray, "candidate feature"]:
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


def _by_reward(candidates: Candidates, numbers: Int[ndarray, " some"]) -> Int[ndarray, " some"]:
    return numbers[np.lexsort((numbers, -candidates.scores.reward[numbers], candidates.row[numbers]))]


def _ranked(candidates: Candidates, order: Int[ndarray, " chosen"]) -> Chosen:
    row = candidates.row[order]
    return Chosen(order, row, places(row) + 1)
