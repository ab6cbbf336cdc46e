"""Variables that are no columns, taken out of the tables: what they joined is joined directly, where that is small."""

from collections.abc import Sequence
from functools import reduce
from math import prod

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from counterflownet.tabular.elimination import Table, scope_of

FEW_CELLS = 128  # of a row, of a table that may take the place of others that are smaller


def without_helpers(
    tables: Sequence[Table], sizes: Sequence[int], helpers: dict[int, Bool[ndarray, "_ _"]]
) -> tuple[list[Table], list[int]]:
    """The tables without as many of the helpers as can be, which are given with what is possible; and those left."""
    left, tables = dict(helpers), list(tables)
    while left:
        v = min(left, key=lambda v: _growth(v, tables, sizes))
        if _growth(v, tables, sizes) > 0:
            break
        touching = [table for table in tables if v in table.scope]
        tables = [*(table for table in tables if v not in table.scope), _without(v, touching, left.pop(v))]
    return tables, list(left)


def _growth(v: int, tables: Sequence[Table], sizes: Sequence[int]) -> int:
    """By how many cells a row has more if a variable is taken out; none if there are few."""
    touching = [table for table in tables if v in table.scope]
    before = sum(prod(sizes[u] for u in table.scope) for table in touching)
    return prod(sizes[u] for u in scope_of(touching) if u != v) - max(before, FEW_CELLS)


def _without(v: int, touching: Sequence[Table], possible: Bool[ndarray, "_ _"]) -> Table:
    """What is possible with some option of a variable."""
    scope = scope_of(touching)
    joined = reduce(np.logical_and, [table.along(scope) for table in [*touching, Table((v,), possible)]])
    return Table(tuple(u for u in scope if u != v), np.logical_or.reduce(joined, axis=1 + scope.index(v)))
