"""Columns that rules join to each other, and what was found out about each such group so far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._space import Allowed
from counterflownet.tabular.elimination import IMPOSSIBLE, Costs, CostTable, Plan, Table
from counterflownet.tabular.network import Network, Options

MOST_KNOWN = 20_000_000  # numbers that are kept in mind of one component


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """Columns that rules join to each other, by number of the variable; ``free`` are the options of the helpers."""

    plan: Plan
    options: dict[int, Options]
    free: dict[int, Costs]
    tables: Sequence[CostTable]

    @property
    def columns(self) -> list[int]:
        return [options.column for options in self.options.values()]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is needed in each distinct situation of a component, and with each option of its columns."""

    key: Int[ndarray, " state"]
    least: Int[ndarray, " key"]
    with_option: dict[int, Costs]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What was found for situations of a component, by their names, as long as the same is ``allowed``."""

    allowed: Allowed
    names: NDArray[np.uint64]  # rising
    place: Int[ndarray, " known"]
    columns: tuple[int, ...]
    costs: list[Costs]

    @classmethod
    def nothing(cls, part: Component, allowed: Allowed) -> "Known":
        costs = [np.zeros((0, part.plan.sizes[v]), dtype=np.int16) for v in part.options]
        return cls(allowed, np.zeros(0, np.uint64), np.zeros(0, np.int64), tuple(part.options), costs)

    def is_about(self, allowed: Allowed) -> bool:
        """Whether it was found under what is allowed now, and there is still room."""
        same = self.allowed.codes is allowed.codes and self.allowed.required is allowed.required
        return same and sum(cost.size for cost in self.costs) < MOST_KNOWN

    def has(self, names: NDArray[np.uint64]) -> Bool[ndarray, " key"]:
        at = np.minimum(np.searchsorted(self.names, names), max(len(self.names) - 1, 0))
        return self.names[at] == names if len(self.names) else np.zeros(len(names), dtype=np.bool_)

    def joined_by(self, names: NDArray[np.uint64], costs: list[Costs]) -> "Known":
        """The same with more situations."""
        every = np.concatenate([self.names, names])
        place = np.concatenate([self.place, len(self.names) + np.arange(len(names))])
        order = np.argsort(every)
        both = [np.concatenate([old, new]) for old, new in zip(self.costs, costs, strict=True)]
        return Known(self.allowed, every[order], place[order], self.columns, both)

    def found(self, names: NDArray[np.uint64], key: Int[ndarray, " state"]) -> Found:
        """What is known of these names, which every state has one of."""
        at = self.place[np.searchsorted(self.names, names)]
        costs = [cost[at] for cost in self.costs]
        return Found(key, costs[0].min(axis=1).astype(np.int64), dict(zip(self.columns, costs, strict=True)))


def components_of(network: Network) -> list[Component]:
    """The variables that tables join, directly or by others; columns that no table speaks of are left out."""
    leader = list(range(len(network.sizes)))

    def found(v: int) -> int:
        while leader[v] != v:
            v = leader[v]
        return v

    for table in network.tables:
        for v in table.scope[1:]:
            leader[found(v)] = found(table.scope[0])
    spoken = sorted({v for table in network.tables for v in table.scope})
    groups: dict[int, list[int]] = {}
    for v in spoken:
        groups.setdefault(found(v), []).append(v)
    return [_component(network, group) for group in groups.values()]


def _component(network: Network, group: list[int]) -> Component:
    number = {v: place for place, v in enumerate(group)}
    tables = [
        Table(tuple(number[v] for v in table.scope), table.cells).as_costs()
        for table in network.tables
        if table.scope[0] in number
    ]
    plan = Plan(tuple(network.sizes[v] for v in group), tuple(table.scope for table in tables))
    free = {
        number[v]: np.where(network.possible[v], 0, IMPOSSIBLE).astype(np.int16) for v in group if v in network.possible
    }
    options = {number[v]: network.options[v] for v in group if v in network.options}
    return Component(plan, options, free, tables)
