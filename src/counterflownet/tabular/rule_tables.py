"""Each rule of a book as tables of a network."""

from functools import reduce
from itertools import pairwise
from math import prod

import numpy as np
import pandas as pd

from counterflownet.errors import ConstraintError
from counterflownet.tabular.computed import Computed
from counterflownet.tabular.condition import Atom, Condition
from counterflownet.tabular.constraint import Flags
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.elimination import Table, scope_of
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.network import Network
from counterflownet.tabular.rule import IfThen, LessEqual, OneHot, Rule, Together, set_number
from counterflownet.tabular.rule_book import AppliedRule, Consequence, OwnConstraint, RuleBook

MOST_CELLS = 5_000_000  # of all combinations of the values that a column is computed from, in all rows


class RuleTables:
    """Writes the rules of a book into a network."""

    def __init__(self, network: Network, book: RuleBook) -> None:
        self.network, self.book, self.codec = network, book, network.codec
        self.schema, self.row_count = book.schema, len(network.codec)
        self._values: dict[ColumnName, tuple[Table, Table]] = {}

    def write(self) -> None:
        """All of them."""
        for applied in self.book.applied:
            self._write(applied.rule, applied.rows)
        for step in self.book.steps:
            if isinstance(step, Consequence):
                self._consequence(step)
        for own in self.book.own_constraints:
            self._own(own, own.column)

    def _write(self, rule: Rule, rows: Flags) -> None:
        if isinstance(rule, LessEqual):
            self._less_equal(rule, rows)
        elif isinstance(rule, OneHot):
            self._one_hot(rule, rows)
        elif isinstance(rule, Together):  # neighbours that move alike are enough, and are small tables
            for pair in pairwise(rule.names):
                self._demand(Together(*pair).demand(), rows)
        elif isinstance(rule, IfThen) and not rule.follows:
            self._demand(rule.demand(), rows)
        elif isinstance(rule, Derived) and rule.looked_up:
            self._known(rule, rows)

    def numbers(self, name: ColumnName) -> tuple[Table, Table]:
        """The numbers of a column over the options it depends on, and where they are not the row's own."""
        if name not in self._values:
            derived = [applied for applied in self.book.applied_as(Derived) if applied.rule.column == name]  # type: ignore[attr-defined]
            everywhere = any(applied.rows.all() for applied in derived)
            values = None if everywhere else self._plain(name)
            for applied in derived:
                values = self._derived(applied, values)
            self._values[name] = values  # type: ignore[assignment]
        return self._values[name]

    def _plain(self, name: ColumnName) -> tuple[Table, Table]:
        variable = self.network.column(name)
        options = self.network.options[variable]
        return Table((variable,), options.numbers), Table((variable,), options.moved[None, :])

    def _derived(self, applied: AppliedRule, otherwise: tuple[Table, Table] | None) -> tuple[Table, Table]:
        """A column that is computed in some rows, over all combinations of what it is computed from."""
        rule = applied.rule
        sources = [self.numbers(name) for name in rule.from_]  # type: ignore[attr-defined]
        scope = scope_of([table for pair in sources for table in pair])
        shape = (self.row_count, *(self.network.sizes[v] for v in scope))
        if prod(shape) > MOST_CELLS:
            raise ConstraintError(
                f"{rule!r} is computed from {prod(shape[1:]):,} combinations of values in each row: too many to see "
                "which of them keep what "
                f"is asked of {rule.column!r}. Give its sources fewer bins, or ask about fewer rows at a time."  # type: ignore[attr-defined]
            )
        moved = np.broadcast_to(reduce(np.logical_or, [changed.along(scope) for _, changed in sources]), shape)
        values = self._computed(rule, scope, shape, moved)  # type: ignore[arg-type]
        own = self.codec.own_numbers(self.schema.position(rule.column)).reshape(-1, *(1,) * len(scope))  # type: ignore[attr-defined]
        values = np.where(moved, values, own)
        changed = moved & ~((values == own) | (np.isnan(values) & np.isnan(own)))
        if otherwise is None:
            return Table(scope, values), Table(scope, changed)
        both = scope_of([Table(scope, values), *otherwise])
        rows = applied.rows.reshape(-1, *(1,) * len(both))
        return tuple(  # type: ignore[return-value]
            Table(both, np.where(rows, Table(scope, mine).along(both), other.along(both)))
            for mine, other in zip((values, changed), otherwise, strict=True)
        )

    def _computed(self, rule: Derived, scope: tuple[int, ...], shape: tuple[int, ...], moved: np.ndarray) -> np.ndarray:
        at = np.nonzero(moved)
        numbers = np.full(shape, np.nan)
        if len(at[0]):
            numbers[at] = self._made_of(rule, scope, at).numbers
        return numbers

    def _made_of(self, rule: Derived, scope: tuple[int, ...], at: tuple[np.ndarray, ...]) -> Computed:
        """What a rule makes of combinations of options; of a column that is not computed itself, each value once."""
        source = rule.from_[0]
        if self.book.derived(source) is None:
            variable = self.network.column(source)
            place = self.network.options[variable].places[at[0], at[1 + scope.index(variable)]]
            known = self.codec.computed(rule, place) if (place >= 0).all() else None
            if known is not None:
                return known
        columns = {name: self._cells(name, scope, at) for name in rule.from_}
        return Computed.of(rule, self.schema, pd.DataFrame(columns))

    def _cells(self, name: ColumnName, scope: tuple[int, ...], at: tuple[np.ndarray, ...]) -> pd.Series:
        """The values of a source in combinations of options."""
        derived = self.book.derived(name)
        if derived is not None:
            return self._values_of_derived(name, scope, at)
        variable, d = self.network.column(name), self.schema.position(name)
        options = self.network.options[variable]
        option = at[1 + scope.index(variable)]
        place = options.places[at[0], option]
        return pd.Series(self.codec.cells(d, at[0], place, place >= 0))

    def _values_of_derived(self, name: ColumnName, scope: tuple[int, ...], at: tuple[np.ndarray, ...]) -> pd.Series:
        """The same of a source that is itself computed: its numbers, as its codes write them."""
        numbers, _ = self.numbers(name)
        feature = self.schema[name]
        wide = np.broadcast_to(numbers.along(scope), (self.row_count, *(self.network.sizes[v] for v in scope)))[at]
        if feature.numeric:
            return pd.Series(feature.values_of(np.nan_to_num(wide))).where(~np.isnan(wide))
        values = pd.Series(list(feature.values), dtype=object)
        return values.reindex(wide).reset_index(drop=True)

    def atom(self, atom: Atom) -> Table:
        """Where a condition of a column is true."""
        numbers, changed = self.numbers(atom.column)
        d = self.schema.position(atom.column)
        own = self.codec.own_numbers(d).reshape(-1, *(1,) * len(numbers.scope))
        moved = changed.along(numbers.scope)
        cells = atom.truth(self.schema[atom.column], own, numbers.cells, moved)
        return Table(
            numbers.scope, np.broadcast_to(cells, np.broadcast_shapes(cells.shape, (1, *numbers.cells.shape[1:])))
        )

    def _demand(self, condition: Condition, rows: Flags) -> None:
        self.network.join(self.network.truth(condition, self.atom), rows)

    def _less_equal(self, rule: LessEqual, rows: Flags) -> None:
        (low, _), (high, _) = self.numbers(rule.low), self.numbers(rule.high)
        scope = scope_of([low, high])
        self.network.join(Table(scope, rule.fits(self.schema, low.along(scope), high.along(scope))), rows)

    def _known(self, rule: Derived, rows: Flags) -> None:
        """A table can be looked up only where it has a value."""
        (source,) = rule.from_
        values, changed = self.numbers(source)
        at = np.nonzero(np.broadcast_to(changed.along(values.scope), values.cells.shape))
        known = np.ones(values.cells.shape, dtype=np.bool_)
        known[at] = self._made_of(rule, values.scope, at).known
        if not known.all():
            self.network.join(Table(values.scope, known), rows)

    def _own(self, own: OwnConstraint, name: ColumnName) -> None:
        """What a constraint says of a column that follows."""
        numbers, changed = self.numbers(name)
        feature, d = self.schema[name], self.schema.position(name)
        before = self.codec.own_numbers(d).reshape(-1, *(1,) * len(numbers.scope))
        keeps = own.constraint.keeps(feature, self.codec.columns[d]).reshape(before.shape)
        permitted = own.constraint.permits(feature, before, numbers.cells)
        self.network.join(Table(numbers.scope, np.where(changed.along(numbers.scope), permitted, keeps)), own.rows)

    def _consequence(self, step: Consequence) -> None:
        """The column follows exactly where a condition holds and it was not edited; if it was, it must fit."""
        (name,) = step.writes
        variable = self.network.column(name)
        options = self.network.options[variable]
        conditions = [self._active(applied) for applied in step.rules]
        scope = scope_of([*conditions, Table((variable,), options.numbers)])
        active = [table.along(scope) for table in conditions]
        fits = [self._fits(step, applied, variable).along(scope) for applied in step.rules]
        possible = reduce(np.logical_and, [~now | fit for now, fit in zip(active, fits, strict=True)])
        shape = (self.row_count, *(self.network.sizes[v] for v in scope))
        possible = np.broadcast_to(possible, shape).copy()
        axis = 1 + scope.index(variable)
        for number, which in enumerate(self.codec.followed_numbers[name]):
            at = [slice(None)] * len(shape)
            at[axis] = slice(options.first_follow + number, options.first_follow + number + 1)
            exactly = reduce(np.logical_and, [now if rule in which else ~now for rule, now in enumerate(active)])
            possible[tuple(at)] &= exactly
        self.network.join(Table(scope, possible), np.ones(self.row_count, dtype=np.bool_))

    def _active(self, applied: AppliedRule) -> Table:
        truth = self.network.named(self.network.truth(applied.rule.condition, self.atom))  # type: ignore[attr-defined]
        rows = applied.rows.reshape(-1, *(1,) * len(truth.scope))
        return Table(truth.scope, truth.cells & rows)

    def _fits(self, step: Consequence, applied: AppliedRule, variable: int) -> Table:
        tables = [self.atom(atom) for atom in step.atoms(applied.rule)]  # type: ignore[arg-type]
        return Table((variable,), reduce(np.logical_and, [table.along((variable,)) for table in tables]))

    def _one_hot(self, rule: OneHot, rows: Flags) -> None:
        """One helper says what happens to a group: nothing, one is set, or all but one of those set are unset."""
        ones = [set_number(self.schema, name) for name in rule.names]
        own = np.stack([self.codec.own_numbers(self.schema.position(name)) for name in rule.names], axis=1) == ones
        set_count, count = own.sum(axis=1, keepdims=True), len(rule.names)
        possible = np.concatenate([set_count == 1, np.ones((len(own), count), bool), own & (set_count > 1)], axis=1)
        for name in rule.names:
            self.network.column(name)  # before the helper, whose number is to be higher
        helper = self.network.helper(possible | ~rows[:, None])
        for number, (name, one) in enumerate(zip(rule.names, ones, strict=True)):
            table = self._member(name, one, helper, number, own)
            options = table.cells.shape[1]
            spared = (
                np.arange(options)[None, :, None] < options - 1
            )  # all but what follows from the group, which is last
            self.network.tables.append(Table(table.scope, np.where(rows[:, None, None], table.cells, spared)))

    def _member(self, name: ColumnName, one: float, helper: int, number: int, own: np.ndarray) -> Table:
        """What the helper leaves to one column of the group."""
        variable = self.network.column(name)
        options = self.network.options[variable]
        count = own.shape[1]
        option = np.arange(options.numbers.shape[1])
        stay, follow = option == 0, option >= options.first_follow
        code = ~stay & ~follow
        sets, unsets = code & (options.numbers == one), code & (options.numbers != one)
        mine = own[:, number, None]
        other_set = np.where(mine, follow, stay)
        other_kept = np.where(mine, unsets, stay)
        cells = np.repeat(other_set[:, :, None], 1 + 2 * count, axis=2)
        cells[:, :, 0] = stay
        cells[:, :, 1 + count :] = other_kept[:, :, None]
        cells[:, :, 1 + number] = sets
        cells[:, :, 1 + count + number] = stay
        return Table((variable, helper), cells)
