"""How a column of numbers is cut into bins, and which value represents a bin."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from counterflownet.errors import InvalidInputError, check_count, check_one_of

ENDS_FROM = 16  # bins: with fewer, bins for the two ends alone would cost more than they bring
Numbers = NDArray[np.float64]
Strategy = Literal["uniform", "quantile"]
Decode = Literal["nearest", "centre"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """How numbers become codes, and codes numbers.

    >>> Bins(count=16, strategy="uniform").decode
    'nearest'

    Attributes:
        count: The largest number of bins.
        strategy: ``"quantile"`` for equal frequencies, in which a value more frequent than a bin gets its own, and of
            16 bins or more each end of the column; ``"uniform"`` for equal widths (the paper's).
        decode: Which number represents a bin: ``"nearest"``, the training value closest to its centre, or the median of
            those in it if it is a quantile bin (bins without training values are dropped); or ``"centre"`` itself
            (paper, eq. decode).
        distinct: Whether a column of at most ``count`` different values gets one code per value instead of bins.
        edges: Bin edges that override ``count`` and ``strategy``.
    """

    count: int = 64
    strategy: Strategy = "quantile"
    decode: Decode = "nearest"
    distinct: bool = True
    edges: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        check_count("Bins.count", self.count)
        check_one_of("Bins.strategy", self.strategy, get_args(Strategy))
        check_one_of("Bins.decode", self.decode, get_args(Decode))
        if self.edges is not None:
            _check_edges(self.edges)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Bin edges (one more than bins) and the number that represents each bin, both strictly increasing."""

    edges: Numbers
    values: Numbers


def cut(numbers: Numbers, bins: Bins, *, whole: bool = False, held: Callable[[Numbers], Numbers] = np.asarray) -> Cut:
    """The bins of a column; with ``whole``, each is represented by an integer inside it.

    ``held`` rounds numbers to what the column's type can hold, such as narrow floats or dates in seconds.
    """
    numbers = held(numbers)
    seen = np.unique(numbers)
    if bins.edges is None and bins.distinct and len(seen) <= bins.count:
        return Cut(np.concatenate([seen[:1], _borders(seen[:-1], seen[1:]), seen[-1:]]), seen)
    edges = _raw_edges(numbers, bins)
    by_rank = bins.strategy == "quantile" and bins.decode == "nearest" and bins.edges is None
    values = _medians(edges, numbers) if by_rank else _representatives(edges, seen, bins, whole=whole)
    return _without_empty_bins(edges, _kept_inside(edges, values, held))


def code_of(numbers: Numbers, edges: Numbers) -> NDArray[np.int64]:
    """The bin of each number; numbers outside all bins go into the first or last one."""
    return np.searchsorted(edges[1:-1], numbers, side="right").astype(np.int64)


def _check_edges(edges: tuple[float, ...]) -> None:
    given = np.asarray(edges, dtype=np.float64)
    if len(given) < 2 or not np.isfinite(given).all() or (np.diff(given) <= 0).any():
        raise InvalidInputError(
            f"Bins.edges must be at least two finite numbers in increasing order; got {edges!r}. "
            "Give the lowest value, the boundaries between bins, and the highest value."
        )


def _borders(low: Numbers, high: Numbers) -> Numbers:
    middle = (low + high) / 2
    return np.where(middle > low, middle, high)  # a bin holds its lower border, which must not be its neighbour's value


def _raw_edges(numbers: Numbers, bins: Bins) -> Numbers:
    if bins.edges is not None:
        return np.asarray(bins.edges, dtype=np.float64)
    if bins.strategy == "uniform":
        return np.unique(np.linspace(numbers.min(), numbers.max(), bins.count + 1))
    keep_ends = bins.decode == "nearest" and bins.count >= ENDS_FROM and bool(numbers.min() < numbers.max())
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, bins.count + 1)))
    if (len(edges) > bins.count or len(edges) == 1) and not keep_ends:
        return edges
    return _edges_around_heavy_values(numbers, bins.count, keep_ends=keep_ends)


def _edges_around_heavy_values(numbers: Numbers, count: int, *, keep_ends: bool) -> Numbers:
    """Edges of equal-frequency bins when some values are more frequent than a bin: each of those gets its own bin.

    Plain quantiles coincide at such a value, and losing those bins may leave a column with a single one. So does each
    end of the column if that is asked for: 0 and 100 of a hundred are values like no other.
    """
    values, times = np.unique(numbers, return_counts=True)
    heavy = values[np.argsort(-times, kind="stable")][: int((times > len(numbers) / count).sum())]
    if keep_ends:
        heavy = np.concatenate([values[[0, -1]], heavy[~np.isin(heavy, values[[0, -1]])]])
    for kept in range(len(heavy), -1, -1):
        alone = np.sort(heavy[:kept])
        light = numbers[~np.isin(numbers, alone)]
        between = [part for part in np.split(np.sort(light), np.searchsorted(np.sort(light), alone)) if len(part)]
        if kept + len(between) <= count:
            break
    shares = _shared_out(count - kept, [len(part) for part in between])
    inner = [np.quantile(part, np.linspace(0, 1, n + 1))[1:-1] for part, n in zip(between, shares, strict=True)]
    followed = alone[~np.isin(_next_of(alone, values), alone)]  # between two heavy neighbours there is nothing to hold
    return np.unique(np.concatenate([values[[0, -1]], alone, np.nextafter(followed, np.inf), *inner]))


def _next_of(chosen: Numbers, values: Numbers) -> Numbers:
    """The value that follows each of the chosen ones; NaN after the last."""
    return np.append(values, np.nan)[np.searchsorted(values, chosen) + 1]


def _shared_out(seats: int, sizes: list[int]) -> list[int]:
    """How many seats each part gets: at least one, the rest where the most members share a seat."""
    shares = [1] * len(sizes)
    for _ in range(seats - len(sizes)):
        crowding = [size / share for size, share in zip(sizes, shares, strict=True)]
        if crowding:
            shares[int(np.argmax(crowding))] += 1
    return shares


def _medians(edges: Numbers, numbers: Numbers) -> Numbers:
    """The training value in the middle of each bin by rank; NaN for a bin that holds none."""
    if len(edges) == 1:  # a single value
        return edges
    rising = np.sort(numbers)
    ends = np.bincount(code_of(rising, edges), minlength=len(edges) - 1).cumsum()
    starts = np.concatenate([[0], ends[:-1]])
    return np.where(ends > starts, rising[np.minimum((starts + ends) // 2, len(rising) - 1)], np.nan)


def _representatives(edges: Numbers, seen: Numbers, bins: Bins, *, whole: bool) -> Numbers:
    """The number that represents each bin; NaN for a bin that has none."""
    if len(edges) == 1:  # a single value
        return edges
    centres = (edges[:-1] + edges[1:]) / 2
    if bins.decode == "nearest":
        seen = seen[(seen >= edges[0]) & (seen <= edges[-1])]
        return _nearest_seen(centres, seen, code_of(seen, edges))
    return _whole_inside(edges, centres) if whole else centres


def _nearest_seen(centres: Numbers, seen: Numbers, code: NDArray[np.int64]) -> Numbers:
    nearest = np.full(len(centres), np.nan)
    by_distance = np.argsort(-np.abs(seen - centres[code]), kind="stable")  # the nearest is written last
    nearest[code[by_distance]] = seen[by_distance]
    return nearest


def _whole_inside(edges: Numbers, centres: Numbers) -> Numbers:
    lowest, highest = np.ceil(edges[:-1]), np.ceil(edges[1:]) - 1  # a bin holds its lower edge, not its upper one
    highest[-1] = np.floor(edges[-1])  # the last bin holds both
    return np.where(lowest <= highest, np.clip(np.round(centres), lowest, highest), np.nan)


def _kept_inside(edges: Numbers, values: Numbers, held: Callable[[Numbers], Numbers]) -> Numbers:
    """The values as the column holds them; NaN if that falls outside the bin."""
    kept = np.flatnonzero(~np.isnan(values))
    rounded = held(values[kept])
    inside = (code_of(rounded, edges) == kept) & (rounded >= edges[0]) & (rounded <= edges[-1])
    inside_values = np.full(len(values), np.nan)
    inside_values[kept[inside]] = rounded[inside]
    return inside_values


def _without_empty_bins(edges: Numbers, values: Numbers) -> Cut:
    if len(edges) == 1:
        return Cut(np.repeat(edges, 2), values)
    kept = np.flatnonzero(~np.isnan(values))
    if len(kept) == 0:
        raise InvalidInputError(
            f"no bin between {edges[0]:g} and {edges[-1]:g} holds a usable value. Give wider Bins.edges."
        )
    # The neighbours of a dropped bin share its range.
    borders = (edges[kept[:-1] + 1] + edges[kept[1:]]) / 2
    return Cut(np.concatenate([edges[:1], borders, edges[-1:]]), values[kept])
