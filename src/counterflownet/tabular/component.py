"""Columns that rules join to each other: the situations they can be in, and what each of their options needs there."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._space import Allowed, CodeSpace
from counterflownet.seeds import row_names
from counterflownet.tabular.elimination import Costs, CostTable, Plan, Table, least_costs, limit_of, plan_of
from counterflownet.tabular.known import Known, Names
from counterflownet.tabular.merging import Merged, merged
from counterflownet.tabular.network import Network, Options

IMPOSSIBLE = 1 << 20  # further edits: more than there can ever be columns
FREE = 0  # the kind of what is not edited, where edits are told by their kind plus one


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is needed in the situations of a component that are known: at least, and beside each kind of option.

    ``key`` is the situation of each state. Situations that nothing completes need IMPOSSIBLE, and the limit of the
    component, which is more than all of its columns, beside each kind.
    """

    key: Int[ndarray, " state"]
    least: Int[ndarray, " situation"]
    beside: Int[ndarray, "situation column kind"]


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """The open code of each kind of each column that is nearest to a row's own value; infinitely far if none is."""

    away: Float[ndarray, "row column kind"]
    code: Int[ndarray, "row column kind"]


@dataclass(eq=False)
class Component:
    """Columns joined by tables over the kinds of their options; what was found out stays ``known``."""

    options: tuple[Options, ...]
    merged: Merged
    known: Known = field(init=False)

    def __post_init__(self) -> None:
        self.known = self.nothing_known()

    def nothing_known(self) -> Known:
        return Known.nothing(len(self.options), self.width, self.limit.dtype)

    @cached_property
    def columns(self) -> list[int]:
        return [options.column for options in self.options]

    @cached_property
    def plan(self) -> Plan:
        return plan_of(self.merged.sizes, tuple(table.scope for table in self.merged.tables))

    @cached_property
    def limit(self) -> np.signedinteger:
        """More than all columns together can cost."""
        return limit_of(len(self.options), len(self.merged.tables) + len(self.merged.helpers))

    @cached_property
    def tables(self) -> tuple[CostTable, ...]:
        return tuple(table.as_costs(self.limit) for table in self.merged.tables)

    @cached_property
    def width(self) -> int:
        """The most kinds that a column has."""
        return max(self.merged.sizes[: len(self.options)])

    @property
    def kind_count(self) -> int:
        """How many kinds the columns have together, if all had as many."""
        return len(self.options) * self.width

    @cached_property
    def kinds(self) -> Int[ndarray, "column row option"]:
        """The kind of each option of each column."""
        longest = max(options.numbers.shape[1] for options in self.options)
        shape = (len(self.options), len(self.merged.row_names), longest)
        kinds = np.zeros(shape, dtype=np.int64)
        for place, kind in enumerate(self.merged.kinds[: len(self.options)]):
            kinds[place, :, : kind.shape[1]] = kind
        return kinds

    def span(self, v: int) -> slice:
        """Where the codes of a column are among those of all columns of the component."""
        return slice(self._ends[v], self._ends[v + 1])

    def of_codes(
        self, of_kinds: Bool[ndarray, "key column kind"], key: Int[ndarray, " state"], row: Int[ndarray, " state"]
    ) -> Bool[ndarray, "state code"]:
        """What is said of kinds, said of the codes of all columns, for states of some rows."""
        first = key * (of_kinds.shape[1] * of_kinds.shape[2])
        kinds, lengths = self._runs
        flags = of_kinds.ravel().take(kinds[row] + first[:, None])
        return np.repeat(flags.ravel(), lengths[row].ravel()).reshape(len(key), self._ends[-1])

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *np.cumsum([options.code_count for options in self.options]).tolist()]

    @cached_property
    def _runs(self) -> tuple[Int[ndarray, "row run"], Int[ndarray, "row run"]]:
        """Of each row the kinds of the codes, one column after the other, and how many codes in a row are of each.

        Codes beside each other are mostly of one kind, so this is quicker to tell than every code by itself. The kinds
        of all columns stand side by side.
        """
        counts = [options.code_count for options in self.options]
        each = [self.width * v + self.kinds[v, :, 1 : 1 + count] for v, count in enumerate(counts)]
        every = np.concatenate(each, axis=1)
        starts = np.ones(every.shape, dtype=np.bool_)
        starts[:, 1:] = every[:, 1:] != every[:, :-1]
        run = np.cumsum(starts, axis=1) - 1
        row, code = starts.nonzero()
        kinds = np.zeros((len(every), int(run.max(initial=0)) + 1), dtype=np.int64)
        kinds[row, run[row, code]] = every[row, code]
        lengths = np.zeros_like(kinds)
        np.add.at(lengths, (np.arange(len(every))[:, None], run), 1)
        return kinds, lengths

    @cached_property
    def free(self) -> list[Costs]:
        """What the kinds of the helpers cost in each row: nothing where they are possible."""
        return [np.where(possible, self.limit.dtype.type(0), self.limit) for possible in self.merged.helpers]

    def least_of_kinds(self, v: int, costs: Int[ndarray, "some option"], rows: Int[ndarray, " some"]) -> Costs:
        """The least cost of the options of each kind of a variable; the limit where a row has no such option."""
        count, kinds = self.merged.sizes[v], self.merged.kinds[v][rows]
        least = np.full(len(costs) * count, self.limit)
        at = np.arange(len(costs))[:, None] * count + kinds
        np.minimum.at(least, at.ravel(), costs.ravel().astype(least.dtype))
        return least.reshape(len(costs), count)


@dataclass(frozen=True, eq=False)
class Standing:
    """A component in rows of which something is ``allowed``; ``row`` says which row of it each of them is."""

    part: Component
    space: CodeSpace
    allowed: Allowed
    row: Int[ndarray, " row"]

    @cached_property
    def costs(self) -> list[Costs]:
        """What the kinds of each column cost before any edit: nothing to stay or to follow, one edit for a code."""
        found = []
        for v, options in enumerate(self.part.options):
            kept = options.possible[self.row] & ~self.allowed.required.numpy()[:, [options.column]]
            codes = self.allowed.codes.numpy()[:, self.space.span(options.column)]
            free, edit = np.where(kept, 0, self.part.limit), np.where(codes, 1, self.part.limit)
            costs = np.concatenate([free[:, :1], edit, free[:, 1:]], axis=1)
            found.append(self.part.least_of_kinds(v, costs, self.row))
        return found

    @cached_property
    def names(self) -> Names:
        """Names of the rows: those of one name need the same."""
        own = [self.part.merged.row_names.view(np.int64)[self.row][:, None]]
        helpers = [free[self.row] for free in self.part.free]
        return row_names(np.concatenate([*own, *self.costs, *helpers], axis=1).astype(np.int64))

    @cached_property
    def nearest(self) -> Nearest:
        """The nearest of the codes that are allowed."""
        rows, shape = np.arange(len(self.row))[:, None], (len(self.row), len(self.part.options), self.part.width)
        away, code = np.full(shape, np.inf), np.zeros(shape, dtype=np.int64)
        for v, options in enumerate(self.part.options):
            open_ = self.allowed.codes.numpy()[:, self.space.span(options.column)]
            far = np.where(open_, options.away()[self.row], np.inf)
            order = np.argsort(far, axis=1, kind="stable")[:, ::-1]  # the nearest is written last
            kind = np.take_along_axis(self.part.kinds[v, self.row, 1 : options.first_follow], order, axis=1)
            away[rows, v, kind], code[rows, v, kind] = np.take_along_axis(far, order, axis=1), order
        return Nearest(away, code)

    def found(
        self,
        row: Int[ndarray, " state"],
        kinds: Int[ndarray, "state column"],
        names: Names,
    ) -> Found:
        """What states of these rows need, with edits of these kinds; those of one name need the same."""
        known = self.part.known
        key = known.places(names)
        (new,) = (key < 0).nonzero()
        if len(new):
            of_new, first = np.unique(names[new], return_index=True)
            at = new[first]
            known = known.joined_by(of_new, *self._needed(row[at], kinds[at]))
            self.part.known = known if known.has_room else self.part.nothing_known()
            key[new] = known.places(names[new])
        return Found(key, known.least, known.beside)

    def _needed(self, row: Int[ndarray, " situation"], kinds: Int[ndarray, "situation column"]) -> tuple[Costs, Costs]:
        """The least number of further edits of situations, and of what each kind of each column needs beside it."""
        part, rows = self.part, self.row[row]
        unary = [_with_edits(cost[row], kinds[:, v], part.limit) for v, cost in enumerate(self.costs)]
        unary += [free[rows] for free in part.free]
        costs = least_costs(part.plan, unary, [table.of_rows(rows) for table in part.tables], part.limit)
        beside = np.full((len(row), len(part.options), part.width), part.limit)
        for v in range(len(part.options)):
            possible = (unary[v] < part.limit) & (costs[v] < part.limit)
            beside[:, v, : costs[v].shape[1]] = np.where(possible, costs[v] - unary[v], part.limit)
        least = costs[0].min(axis=1)
        return np.where(least < part.limit, least.astype(np.int64), IMPOSSIBLE), beside


def _with_edits(costs: Costs, kinds: Int[ndarray, " situation"], limit: np.signedinteger) -> Costs:
    """What is edited costs nothing more, and can be nothing else."""
    costs = costs.copy()
    (at,) = (kinds != FREE).nonzero()
    costs[at] = limit
    costs[at, kinds[at] - 1] = 0
    return costs


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
    """One of them, its columns before its helpers."""
    columns, helpers = [v for v in group if v in network.options], [v for v in group if v in network.possible]
    number = {v: place for place, v in enumerate([*columns, *helpers])}
    tables = [_renumbered(table, number) for table in network.tables if table.scope[0] in number]
    sizes, possible = [network.sizes[v] for v in number], [network.possible[v] for v in helpers]
    every = merged(sizes, tables, possible, len(network.codec))
    return Component(tuple(network.options[v] for v in columns), every)


def _renumbered(table: Table, number: dict[int, int]) -> Table:
    scope = [number[v] for v in table.scope]
    order = np.argsort(scope)
    return Table(tuple(sorted(scope)), table.cells.transpose(0, *(1 + order)))
