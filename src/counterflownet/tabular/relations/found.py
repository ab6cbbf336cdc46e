"""The relations that all rows of a table keep, as rules: what is found column by column, put together and checked."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.relations.co_movements import co_movements
from counterflownet.tabular.relations.dependencies import Dependency, dependencies
from counterflownet.tabular.relations.inequalities import Inequality, inequalities
from counterflownet.tabular.relations.one_hot_groups import one_hot_groups
from counterflownet.tabular.relations.seen import SeenTable
from counterflownet.tabular.rule import Constraint, LessEqual, OneHot, Rule, Together
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.suggestion import Suggestion


def relations(schema: Schema, rows: pd.DataFrame) -> tuple[Suggestion, ...]:
    """What joins columns in every row, without what goes without saying; no row breaks any of it."""
    table = SeenTable.of(schema, rows)
    found = _Found(table, rows)
    return tuple(one for one in found.suggestions() if _kept_everywhere(one.rule, schema, rows))


class _Found:
    """What was found of each kind; that which says the same as something before it is left out."""

    def __init__(self, table: SeenTable, rows: pd.DataFrame) -> None:
        self.rows = rows
        self.row_count = table.row_count
        dependent = dependencies(table)
        groups = [tuple(flag.name for flag in group) for group in one_hot_groups(table)]
        self.groups = [group for group in groups if not _is_derived(group, dependent)]
        inside = {pair for group in self.groups for pair in combinations(group, 2)}
        self.dependent = [one for one in dependent if not {_names(one), _names(one)[::-1]} & inside]
        self.told = {frozenset(_names(one)) for one in self.dependent}
        self.unequal = [one for one in inequalities(table) if frozenset((one.low.name, one.high.name)) not in self.told]
        moving = [tuple(column.name for column in group) for group in co_movements(table)]
        self.moving = [group for group in moving if not _is_derived(group[1:], self.dependent)]

    def suggestions(self) -> Iterator[Suggestion]:
        yield from map(self._derived, self.dependent)
        yield from map(self._less_equal, self.unequal)
        yield from map(self._one_hot, self.groups)
        yield from map(self._together, self.moving)

    def _derived(self, found: Dependency) -> Suggestion:
        derived, source = _names(found)
        each = "its own value" if found.one_to_one else "one value"
        sentence = f"each value of {source!r} has {each} of {derived!r}; {found.support:,} rows repeat it"
        return Suggestion(Derived.lookup(derived, source, self.rows), found.support, sentence)

    def _less_equal(self, found: Inequality) -> Suggestion:
        never = "always below" if found.strict else "never above"
        sentence = f"{found.low.name!r} is {never} {found.high.name!r}, and near it in {found.support:,} rows"
        return Suggestion(LessEqual(found.low.name, found.high.name, strict=found.strict), found.support, sentence)

    def _one_hot(self, names: Sequence[ColumnName]) -> Suggestion:
        return Suggestion(OneHot(*names), self.row_count, f"exactly one of these is set in all {self.row_count:,} rows")

    def _together(self, names: Sequence[ColumnName]) -> Suggestion:
        sentence = f"of {self.row_count:,} rows, one that is higher in one of these columns is higher in all of them"
        return Suggestion(Together(*names), self.row_count, sentence)


def _names(found: Dependency) -> tuple[ColumnName, ColumnName]:
    return found.derived.name, found.source.name


def _is_derived(names: Sequence[ColumnName], dependent: Sequence[Dependency]) -> bool:
    """Whether all of these columns follow from columns that are not among them."""
    outside = {one.derived.name for one in dependent if one.source.name not in names}
    return set(names) <= outside


def _kept_everywhere(rule: Constraint, schema: Schema, rows: pd.DataFrame) -> bool:
    """Whether every row keeps the rule, as the answer to another row: rules of changes speak of two rows.

    Rows that are equal in the columns of the rule are one to it.
    """
    assert isinstance(rule, Rule)  # noqa: S101 - nothing else is found
    different = rows[list(rule.columns(schema))].drop_duplicates()
    others = different.take(np.roll(np.arange(len(different)), 1))
    return bool(rule.kept(schema, others, different).all())
