"""The least cost of a network whose tables would be too large: its options tried one after the other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.signedinteger]
Scoped = tuple[tuple[int, ...], Costs]


def cheapest(unary: Sequence[Costs], factors: Sequence[Scoped], limit: int) -> list[Costs]:
    """For each variable and option the least cost of all variables with it, at most ``limit``; row by row."""
    found = [np.full_like(costs, limit) for costs in unary]
    for row in range(len(unary[0])):
        tables = [(scope, cost[min(row, len(cost) - 1)]) for scope, cost in factors]
        search = _Search([cost[row] for cost in unary], tables, limit)
        for v, costs in enumerate(found):
            costs[row] = [search.least(v, option) for option in range(len(costs[row]))]
    return found


class _Search:
    """Depth first, cheapest options first; a branch ends where it can no longer be cheaper than what was found."""

    def __init__(self, unary: Sequence[Costs], factors: Sequence[Scoped], limit: int) -> None:
        self.unary, self.limit = unary, limit
        self.factors: list[list[Scoped]] = [[] for _ in unary]
        for scope, cost in factors:
            for v in scope:
                self.factors[v].append((scope, cost))

    def least(self, v: int, option: int) -> int:
        """The least cost with this option of a variable."""
        cost = self._left(v, {}).get(option)  # tables of this variable alone are looked at nowhere else
        return self.limit if cost is None else self._least({v: option}, cost, self.limit)

    def _least(self, chosen: dict[int, int], cost: int, best: int) -> int:
        """The least cost of all that goes on from what is chosen, if it is less than ``best``."""
        options = self._options(chosen)
        if cost + sum(min(left.values(), default=self.limit) for left in options.values()) >= best:
            return best
        if not options:
            return cost
        v = min(options, key=lambda v: len(options[v]))  # the fewest options first: most branches end early
        for option, more in sorted(options[v].items(), key=lambda pair: pair[1]):
            if cost + more < best:
                best = self._least({**chosen, v: option}, cost + more, best)
        return best

    def _options(self, chosen: dict[int, int]) -> dict[int, dict[int, int]]:
        """What is left of each variable that is open, by what it costs: options that fit all that is chosen."""
        return {v: self._left(v, chosen) for v in range(len(self.unary)) if v not in chosen}

    def _left(self, v: int, chosen: dict[int, int]) -> dict[int, int]:
        possible = self.unary[v] < self.limit
        for scope, cost in self.factors[v]:
            at = tuple(chosen.get(u, slice(None)) for u in scope)
            axes = [u for u in scope if u not in chosen]
            others = tuple(axis for axis, u in enumerate(axes) if u != v)
            possible = possible & (cost[at].min(axis=others) < self.limit)
        return {int(option): int(self.unary[v][option]) for option in np.flatnonzero(possible)}
