"""Least numbers of further edits, exactly: variables of few options, costs over some of them, eliminated one by one.

Costs are counts of edits; IMPOSSIBLE is more than there can ever be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.tabular.backtracking import cheapest

Costs = NDArray[np.int16]
IMPOSSIBLE = 400  # sums of dozens of them still fit into 16 bits
MOST_CELLS = 5_000_000  # of one table; a network that needs a larger one is searched instead


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Something about combinations of options: an axis for rows (of length 1 if all are alike), one per variable.

    ``scope`` are the numbers of the variables, rising.
    """

    scope: tuple[int, ...]
    cells: ndarray

    def along(self, scope: Sequence[int]) -> ndarray:
        """The cells with an axis for every variable of a larger scope."""
        sizes = dict(zip(self.scope, self.cells.shape[1:], strict=True))
        return self.cells.reshape(len(self.cells), *(sizes.get(variable, 1) for variable in scope))

    def as_costs(self) -> "CostTable":
        """Free where the cells are true, else impossible."""
        cells = np.where(self.cells, 0, IMPOSSIBLE).astype(np.int16)
        return CostTable(self.scope, np.ascontiguousarray(np.moveaxis(cells, 0, -1)))


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """What combinations of options cost: one axis per variable, then one for rows.

    Rows come last because sums and least values over options are then taken of many rows at once.
    """

    scope: tuple[int, ...]
    cells: Costs

    def of_rows(self, rows: Int[ndarray, " some"]) -> "CostTable":
        """The same for these rows alone."""
        return self if self.cells.shape[-1] == 1 else CostTable(self.scope, self.cells[..., rows])

    def along(self, scope: Sequence[int]) -> Costs:
        """The cells with an axis for every variable of a larger scope."""
        sizes = dict(zip(self.scope, self.cells.shape, strict=False))
        return self.cells.reshape(*(sizes.get(variable, 1) for variable in scope), self.cells.shape[-1])


@dataclass(frozen=True, eq=False)
class Plan:
    """In which order the variables of a network are eliminated, for each of them that is to be left."""

    sizes: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        return tuple(order for order, _ in self._found)

    @cached_property
    def largest(self) -> int:
        """The cells of the largest table on the way, for one row."""
        return max(cells for _, cells in self._found)

    @cached_property
    def _found(self) -> list[tuple[tuple[int, ...], int]]:
        return [self._ordered(left) for left in range(len(self.sizes))]

    def _ordered(self, left: int) -> tuple[tuple[int, ...], int]:
        """Greedily, always the variable whose table is the smallest."""
        scopes, order, largest = [set(scope) for scope in self.scopes], [], 1
        waiting = set(range(len(self.sizes))) - {left}
        while waiting:
            tables = {v: set().union({v}, *(scope for scope in scopes if v in scope)) for v in waiting}
            v = min(sorted(waiting), key=lambda v: prod(self.sizes[u] for u in tables[v]))
            largest = max(largest, prod(self.sizes[u] for u in tables[v]))
            scopes = [scope for scope in scopes if v not in scope] + [tables[v] - {v}]
            waiting.remove(v)
            order.append(v)
        return tuple(order), largest


def least_costs(plan: Plan, unary: Sequence[Costs], tables: Sequence[CostTable], wanted: Sequence[int]) -> list[Costs]:
    """For each variable that is ``wanted``, and each of its options, the least cost of all variables with it.

    ``unary`` are the costs of the options of each variable by themselves, in as many rows as are asked about; so are
    those that come back, rows first.
    """
    if plan.largest > MOST_CELLS:
        others = [(table.scope, np.moveaxis(table.cells, -1, 0)) for table in tables]
        return cheapest(unary, others, wanted, IMPOSSIBLE)
    size = max(1, MOST_CELLS // plan.largest)
    parts = [_in_part(plan, unary, tables, wanted, rows) for rows in _chunks(len(unary[0]), size)]
    return [np.concatenate(costs) for costs in zip(*parts, strict=True)]


def _in_part(
    plan: Plan, unary: Sequence[Costs], tables: Sequence[CostTable], wanted: Sequence[int], rows: ndarray
) -> list[Costs]:
    own = [CostTable((v,), np.ascontiguousarray(cost[rows].T)) for v, cost in enumerate(unary)]
    every = [*own, *(table.of_rows(rows) for table in tables)]
    return [_left(every, v, plan.orders[v]).T for v in wanted]


def _left(tables: list[CostTable], left: int, order: tuple[int, ...]) -> Costs:
    for v in order:
        touching = [table for table in tables if v in table.scope]
        scope = tuple(sorted({u for table in touching for u in table.scope}))
        least = _summed(touching, scope).min(axis=scope.index(v))
        tables = [table for table in tables if v not in table.scope]
        tables.append(CostTable(tuple(u for u in scope if u != v), np.minimum(least, IMPOSSIBLE)))
    return np.minimum(_summed(tables, (left,)), IMPOSSIBLE)


def _summed(tables: Sequence[CostTable], scope: tuple[int, ...]) -> Costs:
    total = tables[0].along(scope)
    for table in tables[1:]:
        total = total + table.along(scope)
    return total


def _chunks(count: int, size: int) -> Iterator[ndarray]:
    return (np.arange(start, min(start + size, count)) for start in range(0, max(count, 1), size))
