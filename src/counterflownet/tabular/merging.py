"""Options that no table tells apart, as one: in the eyes of rules, the many codes of a column are of few kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.seeds import mixed, scattered
from counterflownet.tabular.dissolving import without_helpers
from counterflownet.tabular.elimination import Table

Names = NDArray[np.uint64]
WORD = 8  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """The kind of each option of each column in each row, tables over kinds, and a name for each row.

    The columns are the first variables of the tables; of the ``helpers`` behind them it is known which kinds are
    possible. Rows of one name have the same tables. Kinds are numbered in the order of their first options, so that
    rows in which a column rises to other values than in others are often alike.
    """

    kinds: tuple[Int[ndarray, "row _"], ...]
    sizes: tuple[int, ...]
    tables: tuple[Table, ...]
    helpers: tuple[Bool[ndarray, "row _"], ...]
    row_names: Names


def merged(
    sizes: Sequence[int], tables: Sequence[Table], helpers: Sequence[Bool[ndarray, "_ _"]], row_count: int
) -> Merged:
    """Options become one kind where they are the same in all tables; helpers are the last of the variables."""
    kinds, counts = [], []
    for v in range(len(sizes)):
        names = [_option_names(table, v, number) for number, table in enumerate(tables) if v in table.scope]
        kind, first = _kinds(reduce(np.add, names))
        tables = [_taken(table, v, first) if v in table.scope else table for table in tables]
        kinds.append(np.broadcast_to(kind, (row_count, kind.shape[1])))
        counts.append(first.shape[1])
    columns = len(sizes) - len(helpers)
    possible = {v: _of_kinds(helpers[v - columns], kinds[v], counts[v]) for v in range(columns, len(sizes))}
    tables, left = without_helpers(tables, counts, possible)
    return _numbered(kinds[:columns], counts, tables, {v: possible[v] for v in left})


def _numbered(
    kinds: Sequence[ndarray], sizes: Sequence[int], tables: Sequence[Table], helpers: Mapping[int, ndarray]
) -> Merged:
    """The same with all variables that are left numbered one after the other."""
    left = [*range(len(kinds)), *helpers]
    number = {v: place for place, v in enumerate(left)}
    names = [names_of_bits(table.cells.reshape(len(table.cells), -1)) for table in tables]
    tables = [
        Table(tuple(number[v] for v in table.scope), table.cells[:1] if (name == name[0]).all() else table.cells)
        for table, name in zip(tables, names, strict=True)
    ]
    salted = [mixed(name ^ scattered(1 + number)[number]) for number, name in enumerate(names)]
    row_names = reduce(np.add, salted, np.zeros(len(kinds[0]), np.uint64))
    return Merged(tuple(kinds), tuple(sizes[v] for v in left), tuple(tables), tuple(helpers.values()), row_names)


def names_of_bits(flags: NDArray[np.bool_]) -> Names:
    """A number for each line of flags (the last axis) by which equal ones are recognised."""
    packed = np.packbits(flags, axis=-1)
    padded = np.zeros((*packed.shape[:-1], packed.shape[-1] + -packed.shape[-1] % WORD), dtype=np.uint8)
    padded[..., : packed.shape[-1]] = packed
    words = padded.view(np.uint64)
    return mixed(words ^ scattered(words.shape[-1])).sum(axis=-1, dtype=np.uint64)


def _option_names(table: Table, v: int, number: int) -> Names:
    """For each row and option of a variable, a number by which options that are the same in a table are known.

    Those of several tables are added up, so they depend on the number of the table.
    """
    cells = np.moveaxis(table.cells, 1 + table.scope.index(v), 1)
    return mixed(names_of_bits(cells.reshape(*cells.shape[:2], -1)) ^ scattered(1 + number)[number])


def _kinds(names: Names) -> tuple[Int[ndarray, "row option"], Int[ndarray, "row kind"]]:
    """The kind of each option, and the first option of each kind; the first of all where a row has fewer kinds."""
    order = np.argsort(names, axis=1, kind="stable")
    in_order = np.take_along_axis(names, order, axis=1)
    starts = np.ones(names.shape, dtype=np.bool_)
    starts[:, 1:] = in_order[:, 1:] != in_order[:, :-1]
    place = np.maximum.accumulate(np.where(starts, np.arange(names.shape[1]), 0), axis=1)
    first = np.empty_like(order)
    np.put_along_axis(first, order, np.take_along_axis(order, place, axis=1), axis=1)
    leads = first == np.arange(names.shape[1])
    rank = np.cumsum(leads, axis=1) - 1
    leaders = np.zeros((len(names), int(rank.max()) + 1), dtype=np.int64)
    row, option = leads.nonzero()
    leaders[row, rank[row, option]] = option
    return np.take_along_axis(rank, first, axis=1), leaders


def _of_kinds(possible: Bool[ndarray, "_ option"], kinds: Int[ndarray, "row option"], count: int) -> ndarray:
    """Which kinds have an option that is possible, in each row."""
    row, option = np.broadcast_to(possible, kinds.shape).nonzero()
    found = np.zeros((len(kinds), count), dtype=np.bool_)
    found[row, kinds[row, option]] = True
    return found


def _taken(table: Table, v: int, options: Int[ndarray, "row kind"]) -> Table:
    """The table with some options of a variable, for each row its own."""
    axis = 1 + table.scope.index(v)
    if len(options) == 1:
        return Table(table.scope, np.take(table.cells, options[0], axis=axis))
    shape = [1] * table.cells.ndim
    shape[0], shape[axis] = options.shape
    cells = np.broadcast_to(table.cells, (len(options), *table.cells.shape[1:]))
    return Table(table.scope, np.take_along_axis(cells, options.reshape(shape), axis=axis))
