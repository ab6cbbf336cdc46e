"""Which candidates are shown, and in which order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from counterflownet.explain.candidates import Candidates
from counterflownet.seeds import row_keys


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Candidates in the order in which they are shown, row after row."""

    number: Int[ndarray, " chosen"]
    row: Int[ndarray, " chosen"]
    rank: Int[ndarray, " chosen"]


def best(candidates: Candidates, count: int) -> Chosen:
    """The valid candidates of highest reward, at most ``count`` for each factual (paper: candidate selection)."""
    order = _by_reward(candidates, np.flatnonzero(candidates.scores.valid))
    return _ranked(candidates, order[_places(candidates.row[order]) < count])


def different(candidates: Candidates, count: int) -> Chosen:
    """The best way to change each set of columns, then the second best of each, until there are ``count``.

    So a duration of 14 months does not take the place of another kind of answer than 15 months is.
    """
    order = _by_reward(candidates, np.flatnonzero(candidates.scores.valid))
    way = row_keys(np.column_stack([candidates.row, candidates.changed])[order].astype(np.int64), seed=0)
    alike = np.argsort(way, kind="stable")
    round_number = np.empty_like(order)
    round_number[alike] = _places(way[alike])
    order = order[np.lexsort((np.arange(len(order)), round_number, candidates.row[order]))]
    return _ranked(candidates, _by_reward(candidates, order[_places(candidates.row[order]) < count]))


def as_drawn(candidates: Candidates) -> Chosen:
    """Every sample in the order it was drawn, valid or not, doubles and all, but those that changed nothing."""
    asked, place = np.nonzero(candidates.sample >= 0)
    return Chosen(candidates.sample[asked, place], candidates.asked[asked], place + 1)


SELECTIONS: Mapping[str, Callable[[Candidates, int], Chosen]] = MappingProxyType({"best": best, "different": different})


def _by_reward(candidates: Candidates, numbers: Int[ndarray, " some"]) -> Int[ndarray, " some"]:
    return numbers[np.lexsort((numbers, -candidates.scores.reward[numbers], candidates.row[numbers]))]


def _ranked(candidates: Candidates, order: Int[ndarray, " chosen"]) -> Chosen:
    row = candidates.row[order]
    return Chosen(order, row, _places(row) + 1)


def _places(group: ndarray) -> Int[ndarray, " chosen"]:
    """The place of each entry among those of the same group, which stand together."""
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])) if len(group) else np.zeros(0, np.int64)
    lengths = np.diff(np.append(starts, len(group)))
    return np.arange(len(group)) - np.repeat(starts, lengths)
