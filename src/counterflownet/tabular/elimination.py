"""Least numbers of further edits, exactly: variables of few options, eliminated one by one, then asked the way back.

Costs are counts of edits; the ``limit`` of a network is more than there can ever be of them: as small as that allows,
because narrow numbers are added up faster.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.tabular.backtracking import cheapest

Costs = NDArray[np.signedinteger]
MOST_CELLS = 5_000_000  # of all tables on the way; a network of which one situation needs more is searched instead


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

    def as_costs(self, limit: np.signedinteger) -> "CostTable":
        """Free where the cells are true, else impossible."""
        cells = np.where(np.moveaxis(self.cells, 0, -1), limit.dtype.type(0), limit)
        return CostTable(self.scope, np.ascontiguousarray(cells))


def scope_of(tables: Sequence[Table]) -> tuple[int, ...]:
    """All variables that the tables speak of, rising."""
    return tuple(sorted({v for table in tables for v in table.scope}))


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """What combinations of options cost: one axis per variable, then one for situations (of length 1 if all are alike).

    Situations come last because sums and least values over options are then taken of many at once.
    """

    scope: tuple[int, ...]
    cells: Costs

    def of_rows(self, rows: Int[ndarray, " some"]) -> "CostTable":
        """The same for these rows alone."""
        return self if self.cells.shape[-1] == 1 else CostTable(self.scope, self.cells[..., rows])

    def along(self, scope: tuple[int, ...]) -> Costs:
        """The cells with an axis for every variable of a larger scope."""
        return self.cells[_spread(self.scope, scope)]

    def least_over(self, scope: tuple[int, ...], limit: np.signedinteger) -> "CostTable":
        """The least cost for each combination of the options of some of the variables."""
        return CostTable(scope, np.minimum(self.cells.min(axis=_others(self.scope, scope)), limit))


@lru_cache(maxsize=4096)
def _spread(own: tuple[int, ...], scope: tuple[int, ...]) -> tuple[slice | None, ...]:
    """How cells of some variables are indexed to stand among those of a larger scope."""
    return (*(slice(None) if variable in own else None for variable in scope), slice(None))


@lru_cache(maxsize=4096)
def _others(own: tuple[int, ...], scope: tuple[int, ...]) -> tuple[int, ...]:
    """The axes of the variables that a smaller scope is without."""
    return tuple(axis for axis, variable in enumerate(own) if variable not in scope)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A variable with all that stand in a table with it when it is eliminated, and which bucket is told of the rest."""

    variable: int
    scope: tuple[int, ...]
    parent: int

    @property
    def told(self) -> tuple[int, ...]:
        """The variables that the parent hears of."""
        return tuple(v for v in self.scope if v != self.variable)


@dataclass(frozen=True, slots=True)
class Plan:
    """The buckets of a network in the order of elimination, and how many cells they have for one situation."""

    buckets: tuple[Bucket, ...]
    cells: int


@lru_cache(maxsize=256)
def plan_of(sizes: tuple[int, ...], scopes: tuple[tuple[int, ...], ...]) -> Plan:
    """Greedily, always the variable whose table is the smallest."""
    left, order, found = [set(scope) for scope in scopes], [], []
    waiting = set(range(len(sizes)))
    while waiting:
        joined = {v: set().union({v}, *(scope for scope in left if v in scope)) for v in waiting}
        v = min(sorted(waiting), key=lambda v: prod(sizes[u] for u in joined[v]))
        left = [scope for scope in left if v not in scope] + [joined[v] - {v}]
        waiting.remove(v)
        order.append(v)
        found.append(tuple(sorted(joined[v])))
    parents = [
        min((order.index(u) for u in scope if u != v), default=-1) for v, scope in zip(order, found, strict=True)
    ]
    buckets = tuple(map(Bucket, order, found, parents))
    return Plan(buckets, sum(prod(sizes[v] for v in scope) for scope in found))


def limit_of(columns: int, tables: int) -> np.signedinteger:
    """More than all ``columns`` can cost, of a type in which so many ``tables`` can be added up."""
    most = (columns + 1) * (2 * columns + 2 * tables)
    kinds = (np.int8, np.int16, np.int32)
    return next((kind for kind in kinds if most <= np.iinfo(kind).max), np.int64)(columns + 1)


def least_costs(
    plan: Plan, unary: Sequence[Costs], tables: Sequence[CostTable], limit: np.signedinteger
) -> list[Costs]:
    """For each variable and each of its options the least cost of all variables with it, at most ``limit``.

    ``unary`` are the costs of the options of each variable by themselves, in as many situations as are asked about, a
    line for each; so are those that come back. ``tables`` are those of the same situations.
    """
    if plan.cells > MOST_CELLS:
        others = [(table.scope, np.moveaxis(table.cells, -1, 0)) for table in tables]
        return cheapest(unary, others, int(limit))
    size = max(1, MOST_CELLS // plan.cells)
    parts = [_in_part(plan, unary, tables, limit, some) for some in _chunks(len(unary[0]), size)]
    return parts[0] if len(parts) == 1 else [np.concatenate(costs) for costs in zip(*parts, strict=True)]


def _in_part(
    plan: Plan, unary: Sequence[Costs], tables: Sequence[CostTable], limit: np.signedinteger, some: ndarray
) -> list[Costs]:
    whole = len(some) == len(unary[0])
    own = [CostTable((v,), np.ascontiguousarray((cost if whole else cost[some]).T)) for v, cost in enumerate(unary)]
    every = [*own, *(table if whole else table.of_rows(some) for table in tables)]
    totals = _asked_back(plan, *_eliminated(plan, every, limit), limit)
    by_variable = {bucket.variable: total for bucket, total in zip(plan.buckets, totals, strict=True)}
    return [by_variable[v].least_over((v,), limit).cells.T for v in range(len(unary))]


def _eliminated(
    plan: Plan, tables: Sequence[CostTable], limit: np.signedinteger
) -> tuple[list[CostTable], list[CostTable]]:
    """The sums of all buckets, of what they hold and hear, and what each of them tells its parent."""
    place = {bucket.variable: number for number, bucket in enumerate(plan.buckets)}
    held: list[list[CostTable]] = [[] for _ in plan.buckets]
    for table in tables:
        held[min(place[v] for v in table.scope)].append(table)
    totals, told = [], []
    for bucket, holds in zip(plan.buckets, held, strict=True):
        totals.append(CostTable(bucket.scope, _summed(holds, bucket.scope)))
        told.append(totals[-1].least_over(bucket.told, limit))
        if bucket.parent >= 0:
            held[bucket.parent].append(told[-1])
    return totals, told


def _asked_back(plan: Plan, totals: list[CostTable], told: list[CostTable], limit: np.signedinteger) -> list[CostTable]:
    """The sums of all buckets with what their parents know besides: parents first."""
    for number in reversed(range(len(totals) - 1)):
        bucket, parent = plan.buckets[number], totals[plan.buckets[number].parent]
        others = CostTable(parent.scope, parent.cells - told[number].along(parent.scope))
        elsewhere = others.least_over(bucket.told, limit)
        totals[number] = CostTable(bucket.scope, totals[number].cells + elsewhere.along(bucket.scope))
    return totals


def _summed(tables: Sequence[CostTable], scope: tuple[int, ...]) -> Costs:
    parts = [table.along(scope) for table in tables]
    total = np.empty(np.broadcast_shapes(*(part.shape for part in parts)), dtype=parts[0].dtype)
    np.copyto(total, parts[0])
    for part in parts[1:]:
        total += part  # in place: memory of its own for every sum would take longer than the sum
    return total


def _chunks(count: int, size: int) -> Iterator[ndarray]:
    return (np.arange(start, min(start + size, count)) for start in range(0, max(count, 1), size))
