"""What follows from edits: cells that become something else without being edited, by rules, before a row is decoded.

What follows is a function of the state alone, not of the order of its edits, and nothing follows from it twice.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.tabular.computed import Computed
from counterflownet.tabular.constraint import Flags, Numbers
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.least_steps import least_step
from counterflownet.tabular.pair import Pair
from counterflownet.tabular.rule import IfThen, OneHot, set_number
from counterflownet.tabular.rule_book import AppliedRule, Consequence, RuleBook, Step
from counterflownet.tabular.schema import Schema

if TYPE_CHECKING:
    from counterflownet.tabular.codec import Codec

Which = tuple[int, ...]  # the numbers of the rules, of all that may move a column, that do so together


class Carried(Pair):
    """States with everything that follows: as cells at places, or as values where no place stands for one.

    ``steps`` are those that are carried out; None: all.
    """

    def __init__(self, codec: "Codec", states: States, steps: Sequence[Step] | None = None) -> None:
        self.codec, self.schema = codec, codec.schema
        self.row, self.places, self.edited = states.numpy()
        self.moved = self.edited
        self.loose: dict[int, tuple[Int[ndarray, " some"], pd.Series]] = {}
        self._before: dict[ColumnName, Numbers] = {}  # rules ask again and again
        self._after: dict[ColumnName, Numbers] = {}
        self.unknown = np.zeros(len(self.row), dtype=np.bool_)  # where a table does not tell what follows
        if steps is None:
            steps = () if codec.book is None else codec.book.steps
        if steps:
            self.places, self.moved = self.places.copy(), self.edited.copy()
            for step in steps:
                self._carry_out(step)
                for name in step.writes:
                    self._after.pop(name, None)

    @property
    def states(self) -> States:
        """All cells that are at places, edited or not, as if they were edited."""
        return States.of_arrays(self.row, self.places, self.moved)

    def before(self, name: ColumnName) -> Numbers:
        if name not in self._before:
            self._before[name] = self.codec.own_numbers(self.schema.position(name))[self.row]
        return self._before[name]

    def after(self, name: ColumnName) -> Numbers:
        if name not in self._after:
            self._after[name] = self._numbers_after(name)
        return self._after[name]

    def _numbers_after(self, name: ColumnName) -> Numbers:
        d = self.schema.position(name)
        numbers = self.before(name).copy()
        (at,) = self.moved[:, d].nonzero()
        numbers[at] = self.codec.numbers(d, self.row[at], self.places[at, d])
        if d in self.loose:
            at, values = self.loose[d]
            numbers[at] = self.schema[name].coordinates(values)
        return numbers

    def changed(self, name: ColumnName) -> Flags:
        d = self.schema.position(name)
        changed = self.moved[:, d].copy()
        if d in self.loose:
            changed[self.loose[d][0]] = True
        return changed

    @property
    def followed(self) -> Bool[ndarray, "state feature"]:
        """Which cells are another value without having been edited."""
        followed = self.moved & ~self.edited
        for d, (at, _) in self.loose.items():
            followed[at, d] = True
        return followed

    def _carry_out(self, step: Step) -> None:
        if isinstance(step, Consequence):
            self._move(step)
            return
        (applied,) = step.rules
        if isinstance(applied.rule, OneHot):
            self._unset(applied.rule, applied.rows)
        elif isinstance(applied.rule, Derived):
            self._compute(applied.rule, applied.rows)

    def _move(self, step: Consequence) -> None:
        """Columns that were not edited go where the rules whose conditions hold send them."""
        (name,) = step.writes
        d = self.schema.position(name)
        active = np.stack(active_rules(step, self, self.row), axis=1)
        for which, number in self.codec.followed_numbers[name].items():
            wanted = np.isin(np.arange(active.shape[1]), which)
            (at,) = (~self.edited[:, d] & (active == wanted).all(axis=1)).nonzero()
            at = at[~np.isnan(number[self.row[at]]) & (number[self.row[at]] != self.codec.own_numbers(d)[self.row[at]])]
            self.places[at, d] = self.codec.places_of(d, self.row[at], number[self.row[at]])
            self.moved[at, d] = True

    def _unset(self, rule: OneHot, rows: Flags) -> None:
        """Where one of a group was set, those that were set before are no longer."""
        columns = [self.schema.position(name) for name in rule.names]
        sets = [set_number(self.schema, name) for name in rule.names]
        newly = [
            self.edited[:, d] & (self.after(name) == one)
            for d, name, one in zip(columns, rule.names, sets, strict=True)
            if self.edited[:, d].any()
        ]
        if not newly:
            return
        somewhere = np.logical_or.reduce(newly) & rows[self.row]
        for d, name, one in zip(columns, rule.names, sets, strict=True):
            (at,) = (somewhere & ~self.edited[:, d] & (self.before(name) == one)).nonzero()
            self.places[at, d] = unset_code(self.schema, name)
            self.moved[at, d] = True

    def _compute(self, rule: Derived, rows: Flags) -> None:
        """A column anew where one that it is computed from has another value."""
        sources = np.logical_or.reduce([self.changed(name) for name in rule.from_])
        (at,) = (sources & rows[self.row]).nonzero()
        if len(at) == 0:
            return
        computed = self._computed(rule, at)
        d, numbers = self.schema.position(rule.column), computed.numbers
        self.unknown[at] |= ~computed.known
        same = numbers == self.codec.own_numbers(d)[self.row[at]]
        places = self.codec.places_of(d, self.row[at], numbers)
        held = ~same & (places >= 0)
        self.places[at[held], d] = places[held]
        self.moved[at[held], d] = True
        loose = ~same & (places < 0)
        loose &= ~(np.isnan(numbers) & pd.isna(self.codec.columns[d].array)[self.row[at]])  # missing before and after
        if loose.any():
            self._keep_loose(d, at[loose], computed[loose.nonzero()[0]].values)

    def _computed(self, rule: Derived, at: Int[ndarray, " some"]) -> Computed:
        """What a column becomes in some states; a function of one column is asked about each of its values once."""
        d = self.schema.position(rule.from_[0])
        if d not in self.loose and (known := self.codec.computed(rule, self.places[at, d])) is not None:
            return known
        return Computed.of(rule, self.schema, self.codec.decoded_columns(self, rule.from_, at))

    def _keep_loose(self, d: int, at: Int[ndarray, " some"], values: pd.Series) -> None:
        if d in self.loose:
            before, others = self.loose[d]
            at, values = np.concatenate([before, at]), pd.concat([others, values], ignore_index=True)
        self.loose[d] = at, values


def active_rules(step: Consequence, pair: Pair, row: Int[ndarray, " state"]) -> list[Flags]:
    """Where the condition of each rule of a step holds."""
    return [applied.rule.condition.holds(pair.truth) & applied.rows[row] for applied in step.rules]  # type: ignore[attr-defined]


def followed_numbers(book: RuleBook, rows: pd.DataFrame) -> dict[ColumnName, dict[Which, Float[ndarray, " row"]]]:
    """By column, and by the rules that are active together, the number that each row's cell would go to.

    Its own number if that is enough; NaN if nothing is, or if one of the rules does not apply to the row.
    """
    return {
        step.writes[0]: _numbers_of_step(step, book.schema, rows[step.writes[0]])
        for step in book.steps
        if isinstance(step, Consequence)
    }


def _numbers_of_step(step: Consequence, schema: Schema, column: pd.Series) -> dict[Which, Float[ndarray, " row"]]:
    feature = schema[step.writes[0]]
    found: dict[Which, Any] = {}
    for which in _occurring(step):
        rules = [step.rules[number] for number in which]
        numbers = least_step(_atoms(step, rules), feature, column)
        found[which] = np.where(np.logical_and.reduce([applied.rows for applied in rules]), numbers, np.nan)
    return found


def _occurring(step: Consequence) -> list[Which]:
    """All sets of rules of which some row has every one: rules of different rows never move a cell together."""
    own = {tuple(np.flatnonzero(row).tolist()) for row in np.stack([applied.rows for applied in step.rules], axis=1)}
    sets = {which for rules in own for size in range(1, 1 + len(rules)) for which in combinations(rules, size)}
    return sorted(sets, key=lambda which: (len(which), which))


def _atoms(step: Consequence, rules: Sequence[AppliedRule]) -> list[Any]:
    return [atom for applied in rules if isinstance(applied.rule, IfThen) for atom in step.atoms(applied.rule)]


def unset_code(schema: Schema, name: ColumnName) -> int:
    """The code of 0 or False in a column."""
    return next((code for code, value in enumerate(schema[name].values) if value == 0), 0)
