"""Which columns follow from another: each value of the source meets a single value of the derived column."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from counterflownet.tabular.feature import TIMES, Kind
from counterflownet.tabular.relations.seen import SeenColumn, SeenTable
from counterflownet.tabular.relations.surprise import is_surprising, log_chance_of_dependency

MOST_VALUES = 256  # a longer lookup is nothing that a person would read
ROWS_PER_VALUE = 10  # fewer on average, and the source is a key (or nearly one), from which everything follows
CONFIRMED = 10  # rows that repeat a less common value of the derived column; the common one is easy to guess


@dataclass(frozen=True, slots=True, eq=False)
class Dependency:
    """A column, the one it follows from, and how many rows repeat what another row has shown."""

    derived: SeenColumn
    source: SeenColumn
    one_to_one: bool
    support: int


def dependencies(table: SeenTable) -> tuple[Dependency, ...]:
    """For each column that follows from others, the coarsest of these.

    What follows from that in turn goes without saying, and of columns that say the same one is the source of all.
    """
    columns = [column for column in table.columns if _can_be_looked_up(column)]
    if len(columns) < 2:
        return ()
    follows = _follows(table, columns)
    names = _speakers(columns, follows)
    found = (_best(columns, follows, names, number) for number in range(len(columns)))
    return tuple(dependency for dependency in found if dependency is not None)


def _can_be_looked_up(column: SeenColumn) -> bool:
    """Whether its values can stand in a table to look up; what follows from a date is computed, not looked up."""
    return column.complete and 2 <= column.value_count <= MOST_VALUES and column.feature.kind not in TIMES


def _follows(table: SeenTable, columns: Sequence[SeenColumn]) -> Bool[ndarray, "source derived"]:
    """Which columns follow from which, by all rows, and not by accident."""
    tried = len(columns) * (len(columns) - 1)
    follows = np.zeros((len(columns), len(columns)), dtype=np.bool_)
    for source, derived in _worth_a_look(table, columns):
        follows[source, derived] = _determines(columns[source], columns[derived], tried)
    return follows


def _worth_a_look(table: SeenTable, columns: Sequence[SeenColumn]) -> Iterator[tuple[int, int]]:
    """The pairs that a few rows do not refuse: sorted by the source, all columns are compared at once."""
    few = np.stack([column.codes[table.first_look] for column in columns], axis=1)
    for source, column in enumerate(columns):
        if table.row_count < ROWS_PER_VALUE * column.value_count:
            continue
        ordered = few[np.argsort(few[:, source], kind="stable")]
        differs = ordered[1:] != ordered[:-1]
        for derived in np.flatnonzero(~(differs & ~differs[:, [source]]).any(axis=0)).tolist():
            if derived != source:
                yield source, derived


def _determines(source: SeenColumn, derived: SeenColumn, tried: int) -> bool:
    lookup = np.zeros(source.value_count, dtype=np.int64)
    lookup[source.codes] = derived.codes
    if not (lookup[source.codes] == derived.codes).all():
        return False
    rare = lookup != derived.counts.argmax()
    confirmed = int((source.counts[rare] - 1).sum())
    chance = log_chance_of_dependency(source.counts, derived.counts)
    return confirmed >= CONFIRMED and is_surprising(chance, tried)


def _speakers(columns: Sequence[SeenColumn], follows: Bool[ndarray, "source derived"]) -> list[int]:
    """For each column, which of those that say the same speaks for all: words before numbers, then the first."""
    same = follows & follows.T
    np.fill_diagonal(same, val=True)
    return [
        min(np.flatnonzero(same[number]).tolist(), key=lambda other: (_place(columns[other]), other))
        for number in range(len(columns))
    ]


def _place(column: SeenColumn) -> int:
    kind = column.feature.kind
    return 0 if kind in {Kind.CATEGORICAL, Kind.ORDERED} else 1 + column.is_flag


def _best(
    columns: Sequence[SeenColumn], follows: Bool[ndarray, "source derived"], speakers: list[int], derived: int
) -> Dependency | None:
    speaker = speakers[derived]
    if speaker != derived:
        return _dependency(columns[derived], columns[speaker], one_to_one=True)
    sources = [number for number in np.flatnonzero(follows[:, derived]).tolist() if speakers[number] != speaker]
    if not sources:
        return None
    source = min(sources, key=lambda number: (columns[number].value_count, speakers[number] != number, number))
    return _dependency(columns[derived], columns[source], one_to_one=False)


def _dependency(derived: SeenColumn, source: SeenColumn, *, one_to_one: bool) -> Dependency:
    return Dependency(derived, source, one_to_one, len(source.codes) - source.value_count)
