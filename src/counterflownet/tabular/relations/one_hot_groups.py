"""Groups of flags of which every row sets exactly one."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from counterflownet.tabular.relations.seen import SeenColumn, SeenTable
from counterflownet.tabular.relations.surprise import is_surprising, log_chance_of_one_set

MOST_TRIES = 5_000  # ways of putting a group together that are looked at for one table


def one_hot_groups(table: SeenTable) -> tuple[tuple[SeenColumn, ...], ...]:
    """The groups, each flag in one of them at most, in the order of the columns."""
    flags = [column for column in table.columns if column.is_flag and column.complete and column.counts.all()]
    if len(flags) < 2:
        return ()
    search = _Search(np.stack([column.codes == 1 for column in flags], axis=1))
    groups = [tuple(flags[number] for number in group) for group in search.groups()]
    tried = len(flags) ** 2
    return tuple(
        group
        for group in groups
        if is_surprising(log_chance_of_one_set(np.array([flag.counts[1] for flag in group]), table.row_count), tried)
    )


class _Search:
    """Looks for flags that exclude each other and together cover all rows: an exact cover, row by row."""

    def __init__(self, is_set: Bool[ndarray, "row flag"]) -> None:
        self.is_set = is_set
        counted = is_set.astype(np.float64)
        self.together = counted.T @ counted > 0
        self.tries = 0

    def groups(self) -> list[tuple[int, ...]]:
        """Disjoint groups, one after the other; the tries are shared by all."""
        found: list[tuple[int, ...]] = []
        free = np.ones(self.is_set.shape[1], dtype=np.bool_)
        for first in range(self.is_set.shape[1]):
            if free[first] and (group := self._cover([first], free)):
                found.append(tuple(sorted(group)))
                free[list(group)] = False
        return found

    def _cover(self, chosen: list[int], free: Bool[ndarray, " flag"]) -> list[int] | None:
        """The chosen flags with others that make exactly one be set everywhere; None if there are none."""
        self.tries += 1
        uncovered = ~self.is_set[:, chosen].any(axis=1)
        if not uncovered.any():
            return chosen if len(chosen) > 1 else None
        fits = free & ~self.together[chosen].any(axis=0)
        for other in self._by_nearness(chosen, self.is_set[int(uncovered.argmax())] & fits):
            if self.tries > MOST_TRIES:
                return None
            if covered := self._cover([*chosen, other], free):
                return covered
        return None

    def _by_nearness(self, chosen: Sequence[int], candidates: Bool[ndarray, " flag"]) -> list[int]:
        """Neighbours first: the columns of one group mostly stand side by side."""
        return sorted(np.flatnonzero(candidates).tolist(), key=lambda other: abs(other - chosen[-1]))
