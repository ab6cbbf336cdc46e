"""The rules of some rows as tables over the options of columns: stay, each code, and what may follow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet.tabular.codec import Codec
from counterflownet.tabular.condition import AllOf, Atom, Condition, Opposite
from counterflownet.tabular.constraint import Flags
from counterflownet.tabular.elimination import Table, scope_of
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.follows import unset_code
from counterflownet.tabular.stand_ins import NONE

FEW_CELLS = (
    2_000  # of a row: larger conditions are split at their &, | and ~, with a variable for the truth of each part
)


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """What a column can be in each row: first as it is, then each code, then each value that may follow.

    ``possible`` tells which of the first and the last there are; codes are as allowed as constraints leave them.
    """

    column: int
    numbers: Float[ndarray, "row option"]
    places: Int[ndarray, "row option"]
    possible: NDArray[np.bool_]
    code_count: int

    @property
    def moved(self) -> Flags:
        """Which options are another value than the row's own."""
        return np.arange(self.numbers.shape[1]) > 0

    def away(self) -> Float[ndarray, "row code"]:
        """How far each code is from the own value of each row, as a share of all codes; 1 if that is not known."""
        codes = self.numbers[:, 1 : self.first_follow]
        spread = np.ptp(codes, axis=1, keepdims=True)
        return np.nan_to_num(np.abs(codes - self.numbers[:, :1]) / np.where(spread > 0, spread, 1.0), nan=1.0)

    @property
    def first_follow(self) -> int:
        return 1 + self.code_count


@dataclass(eq=False)
class Network:
    """Variables, by number, and the tables that join them; those without ``options`` are helpers, free of cost."""

    codec: Codec
    stand_ins: dict[int, Int[ndarray, " row"]]
    sizes: list[int] = field(default_factory=list)
    options: dict[int, Options] = field(default_factory=dict)  # by number of the variable
    possible: dict[int, NDArray[np.bool_]] = field(default_factory=dict)  # of helpers
    tables: list[Table] = field(default_factory=list)
    _columns: dict[int, int] = field(default_factory=dict)

    def column(self, name: ColumnName) -> int:
        """The variable of a column."""
        d = self.codec.schema.position(name)
        if d not in self._columns:
            self._columns[d] = len(self.sizes)
            self.options[len(self.sizes)] = self._options(d)
            self.sizes.append(self.options[len(self.sizes)].numbers.shape[1])
        return self._columns[d]

    def helper(self, possible: NDArray[np.bool_]) -> int:
        """A new variable of which each row has these options."""
        self.possible[len(self.sizes)] = possible
        self.sizes.append(possible.shape[1])
        return len(self.sizes) - 1

    def join(self, table: Table, rows: Flags) -> None:
        """Only what is true in the table is possible, in these rows."""
        if rows.any():
            spared = ~rows.reshape(-1, *(1,) * len(table.scope))
            self.tables.append(Table(table.scope, table.cells if rows.all() else table.cells | spared))

    def truth(self, condition: Condition, atom_table: Callable[[Atom], Table]) -> Table:
        """Where a condition is true, over as few variables as keep the table small."""
        if isinstance(condition, Atom):
            return atom_table(condition)
        if isinstance(condition, Opposite):
            inner = self.truth(condition.condition, atom_table)
            return Table(inner.scope, ~inner.cells)
        parts = [self.truth(part, atom_table) for part in (condition.one, condition.other)]  # type: ignore[attr-defined]
        if self._cells(parts) > FEW_CELLS:
            parts = [self.named(part) for part in parts]
        scope = scope_of(parts)
        joined = np.logical_and if isinstance(condition, AllOf) else np.logical_or
        return Table(scope, reduce(joined, [part.along(scope) for part in parts]))

    def named(self, table: Table) -> Table:
        """The truth of a table as that of a variable of its own, which is joined to the table."""
        if len(table.scope) == 1 and self.sizes[table.scope[0]] <= 2:
            return table
        helper = self.helper(np.ones((1, 2), dtype=np.bool_))
        both = np.stack([~table.cells, table.cells], axis=-1)
        self.tables.append(Table((*table.scope, helper), both))  # the newest variable has the highest number
        return Table((helper,), np.array([[False, True]]))

    def _cells(self, parts: Sequence[Table]) -> int:
        return prod(self.sizes[v] for v in scope_of(parts))

    def _options(self, d: int) -> Options:
        codec = self.codec
        feature, row_count = codec.schema.features[d], len(codec)
        own = codec.own_numbers(d)[:, None]
        places = np.tile(np.arange(feature.code_count), (row_count, 1))
        stand_in = self.stand_ins.get(d)
        if stand_in is not None:
            places = np.where((stand_in == NONE)[:, None], places, stand_in[:, None])
        rows = np.repeat(np.arange(row_count), feature.code_count)
        numbers = codec.numbers(d, rows, places.ravel()).reshape(places.shape)
        followed = self._followed(d)
        follow_places = codec.places_of(d, np.repeat(np.arange(row_count), followed.shape[1]), followed.ravel())
        return Options(
            column=d,
            numbers=np.concatenate([own, numbers, followed], axis=1),
            places=np.concatenate([np.full((row_count, 1), -1), places, follow_places.reshape(followed.shape)], axis=1),
            possible=np.concatenate([np.ones((row_count, 1), np.bool_), ~np.isnan(followed)], axis=1),
            code_count=feature.code_count,
        )

    def _followed(self, d: int) -> Float[ndarray, "row follow"]:
        """The values that follow: those of consequences, and 0 for columns of which one of a group is set."""
        name, codec = self.codec.schema.names[d], self.codec
        moves = list(codec.followed_numbers.get(name, {}).values())
        own = codec.own_numbers(d)
        moves = [np.where(number == own, np.nan, number) for number in moves]
        if codec.book is not None and codec.book.grouped(name):
            zero = codec.schema.features[d].code_numbers[unset_code(codec.schema, name)]
            moves.append(np.where(own == zero, np.nan, zero))
        return np.stack(moves, axis=1) if moves else np.zeros((len(codec), 0))
