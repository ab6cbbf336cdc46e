"""Constraints compiled for some rows: what is allowed in each, and where they contradict each other."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._space import Allowed, without_own_codes
from counterflownet.errors import ConstraintError
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.completion import Completion
from counterflownet.tabular.constraint import ColumnConstraint, MaxChanges, NotOneOf, OneOf
from counterflownet.tabular.constraint_checks import (
    Resolved,
    check_labels,
    checked_rules,
    clash,
    resolved,
    rule_clash,
)
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.frame import plain
from counterflownet.tabular.rule import Constraint, Rule
from counterflownet.tabular.rule_book import AppliedRule, OwnConstraint, RuleBook, check_rules, written_by
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.shared import given_among, given_by_rows, name_of, rows_of, shared
from counterflownet.tabular.stand_ins import NONE, stand_ins

LISTED = (OneOf, NotOneOf)  # what these permit has holes


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """What constraints leave of an ordered column: which of its steps and borders each row may stop at.

    Where it is ``unbroken``, all values between two that are permitted are permitted as well.
    """

    steps: Bool[ndarray, "row step"]
    borders: Bool[ndarray, "row border"]
    unbroken: Bool[ndarray, " row"]


@dataclass(frozen=True, slots=True, eq=False)
class Allowance:
    """What is allowed in each row, and, by position, why nothing is; ``ways`` are those of constrained columns.

    Where a column has ``stand_ins``, by its position, an edit of it means that place, whatever its code; else NONE.
    ``closed`` tells of rows that could stay as they are, but in which rules leave nothing to change, which these are.
    """

    allowed: Allowed
    contradictions: Mapping[int, str]
    ways: Mapping[int, Way]
    stand_ins: Mapping[int, Int[ndarray, " row"]] = field(default_factory=dict)
    closed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class CheckedConstraints:
    """Constraints that fit the table: checked once, compiled for any number of rows."""

    everywhere: tuple[Resolved, ...]
    by_label: Mapping[Any, tuple[Resolved, ...]]
    clashes: Mapping[Any, str]  # by label: why the constraints of a row can never be kept together
    rules: tuple[Rule, ...] = ()
    rules_by_label: Mapping[Any, tuple[Rule, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, schema: Schema, constraints: Any, by_label: Any = None, labels: Any = ()) -> "CheckedConstraints":
        """The constraints for all rows, and additional ones for individual rows by index label.

        An error if one does not fit the table, if those for all rows contradict each other, or if a row is not among
        ``labels``. Constraints of a single row that contradict are that row's outcome, and nobody else's.
        """
        everywhere, rules = resolved(schema, constraints), checked_rules(schema, constraints)
        if why := clash(schema, constraints):
            raise ConstraintError(why)
        check_rules(rules)
        check_labels(by_label, labels)
        by_label = by_label or {}
        own = {label: resolved(schema, given) for label, given in by_label.items()}
        own_rules = {label: _others(checked_rules(schema, given), rules) for label, given in by_label.items()}
        clashes = {
            label: clash(schema, [*constraints, *given]) or rule_clash([*rules, *own_rules[label]])
            for label, given in by_label.items()
        }
        told = {label: why for label, why in clashes.items() if why}
        agreeing = {label: given for label, given in own_rules.items() if given and label not in told}
        return cls(everywhere, own, told, rules, agreeing)

    @property
    def has_rules(self) -> bool:
        """Whether there are rules for any row."""
        return bool(self.rules or self.rules_by_label)

    @property
    def has_functions(self) -> bool:
        """Whether a column of some row is computed by a function of the caller's."""
        return any(isinstance(rule, Derived) and not rule.looked_up for rule in self._all_rules())

    @property
    def followers(self) -> frozenset[ColumnName]:
        """The columns that may follow in some row."""
        return frozenset(name for rule in self._all_rules() for name in written_by(rule))

    def _all_rules(self) -> Iterator[Rule]:
        yield from self.rules
        for rules in self.rules_by_label.values():
            yield from rules

    def among(self, index: pd.Index) -> "CheckedConstraints":
        """The same without those of rows that are not among these."""
        if not self.by_label:
            return self
        return replace(
            self,
            by_label=given_among(self.by_label, index),
            clashes=given_among(self.clashes, index),
            rules_by_label=given_among(self.rules_by_label, index),
        )

    def rule_sets(self, index: pd.Index) -> Int[ndarray, " row"]:
        """A number for each row: the same for rows that have the same rules of their own, 0 for rows without any."""
        numbers = np.zeros(len(index), dtype=np.int64)
        known: dict[Hashable, int] = {}
        for label, rules in self.rules_by_label.items():
            numbers[rows_of(label, index)] = known.setdefault(tuple(map(name_of, rules)), 1 + len(known))
        return numbers

    def book(self, schema: Schema, index: pd.Index) -> RuleBook | None:
        """The rules of these rows; None if they have none."""
        every = np.arange(len(index))
        given = [(rule, every) for rule in self.rules]
        given += [(rule, rows) for rules, rows in given_by_rows(self.rules_by_label, index) for rule in rules]
        applied = [AppliedRule(rule, np.isin(every, rows)) for rule, rows in shared(given)]
        if not applied:
            return None
        book = RuleBook(schema, tuple(applied))
        return replace(book, own_constraints=tuple(self._own_constraints(book, index)))

    def _own_constraints(self, book: RuleBook, index: pd.Index) -> Iterator[OwnConstraint]:
        for (constraint, columns), rows in self.by_rows(index):
            if isinstance(constraint, MaxChanges) or constraint.edits_only:
                continue
            for name in columns:
                if name in book.followers:
                    yield OwnConstraint(constraint, name, np.isin(np.arange(len(index)), rows))

    def compiled(self, codec: Codec) -> Allowance:
        """What the constraints leave of each row."""
        draft = _Draft(codec)
        for rule, rows in self.by_rows(codec.rows.index):
            draft.apply(rule, rows)
        allowance = draft.finished()
        clashes = {row: why for label, why in self.clashes.items() for row in rows_of(label, codec.rows.index).tolist()}
        return replace(allowance, contradictions={**allowance.contradictions, **clashes})

    def by_rows(self, index: pd.Index) -> Iterator[tuple[Resolved, Int[ndarray, " row"]]]:
        """Every constraint with the positions of the rows it applies to."""
        every = np.arange(len(index))
        for rule in self.everywhere:
            yield rule, every
        yield from shared((rule, rows) for rules, rows in given_by_rows(self.by_label, index) for rule in rules)


def _others(rules: Sequence[Rule], known: Sequence[Rule]) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if rule not in known)


def allowed_codes(codec: Codec, constraints: Sequence[Constraint]) -> Bool[ndarray, "row code"]:
    """Which new codes the constraints leave for each row, the codes of all features side by side."""
    return CheckedConstraints.of(codec.schema, constraints).compiled(codec).allowed.codes.numpy()


class _Draft:
    """Masks that narrow with every constraint, and a record of which constraint narrowed them."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.space = codec.schema.space
        self.codes = np.ones((len(codec), self.space.code_total), dtype=np.bool_)
        self.keeps = np.ones((len(codec), self.space.feature_count), dtype=np.bool_)
        self.most_changes = np.full(len(codec), self.space.feature_count)
        self.derived = _derived(codec)
        self.ways: dict[int, Way] = {}
        self.applied: dict[int, list[Resolved]] = defaultdict(list)  # by row; those of all rows under -1

    def apply(self, rule: Resolved, rows: Int[ndarray, " row"]) -> None:
        for row in [-1] if len(rows) == len(self.codec) else rows.tolist():
            self.applied[row].append(rule)
        constraint, columns = rule
        if isinstance(constraint, MaxChanges):
            self.most_changes[rows] = np.minimum(self.most_changes[rows], constraint.count)
            return
        for name in columns:
            d = self.codec.schema.position(name)
            self._apply_to_column(d, constraint, rows[~self.derived[rows, d]])  # what is computed is judged elsewhere

    def _apply_to_column(self, d: int, constraint: ColumnConstraint, rows: Int[ndarray, " row"]) -> None:
        feature, column = self.codec.schema.features[d], self.codec.columns[d].iloc[rows]
        before = feature.coordinates(column)[:, None]
        self.codes[rows, self.space.span(d)] &= constraint.permits(feature, before, feature.code_numbers[None, :])
        self.keeps[rows, d] &= constraint.keeps(feature, column)
        if feature.has_order:
            self._narrow(d, constraint, rows, before)

    def _narrow(self, d: int, constraint: ColumnConstraint, rows: Int[ndarray, " row"], before: ndarray) -> None:
        """What an ordered column may stop at on its way, besides its codes."""
        feature, borders, way = self.codec.schema.features[d], self.codec.borders_of(d), self._way(d)
        way.steps[rows] &= constraint.permits(feature, before, feature.steps.number[None, :])
        way.borders[rows] &= constraint.permits(feature, before, borders[rows])
        way.unbroken[rows] &= not isinstance(constraint, LISTED)

    def _way(self, d: int) -> Way:
        """What is left of an ordered column so far."""
        if d not in self.ways:
            steps = np.ones((len(self.codec), len(self.codec.schema.features[d].steps.number)), dtype=np.bool_)
            borders = ~np.isnan(self.codec.borders_of(d))
            self.ways[d] = Way(steps, borders, np.ones(len(self.codec), dtype=np.bool_))
        return self.ways[d]

    def _close_derived(self) -> None:
        """Nobody edits what is computed."""
        self.codes &= ~np.repeat(self.derived, self.space.code_counts, axis=1)
        for d in np.flatnonzero(self.derived.any(axis=0)).tolist():
            if self.codec.schema.features[d].has_order:
                way = self._way(d)
                way.steps[self.derived[:, d]] = False
                way.borders[self.derived[:, d]] = False

    def finished(self) -> Allowance:
        # A value that may not stay can change to what stands for its own code: a bin holds more values than one.
        self._close_derived()
        kept = np.where(self.keeps, self.codec.codes, self.space.code_total)
        codes = without_own_codes(self.space, torch.from_numpy(self.codes), torch.from_numpy(kept))
        found = {d: self._stand_ins(d, codes.numpy()) for d in self.ways}
        allowed = Allowed(
            codes=codes,
            required=torch.from_numpy(~self.keeps),
            most_changes=torch.from_numpy(self.most_changes),
        )
        editable = allowed.editable(self.space).numpy()
        stuck = ~self.keeps & ~editable
        crowded = (~self.keeps).sum(axis=1) > self.most_changes
        contradictions = {
            int(row): self._stuck_text(int(row), int(stuck[row].argmax())) for row in np.flatnonzero(stuck.any(1))
        }
        contradictions |= {int(row): self._crowded_text(int(row)) for row in np.flatnonzero(crowded & ~stuck.any(1))}
        places = {d: places for d, places in found.items() if len(places)}
        if self.codec.book is not None:
            allowed = replace(allowed, joint=Completion.of(self.codec, self.codec.book, places))
        return Allowance(allowed, contradictions, self.ways, places)

    def _stand_ins(self, d: int, codes: Bool[ndarray, "row code"]) -> Int[ndarray, " place"]:
        """Places for rows that have no code left in a column; their codes become allowed. Empty if nobody needs one."""
        span, way = self.space.span(d), self.ways[d]
        rows = np.flatnonzero(~codes[:, span].any(axis=1))
        places, code = stand_ins(self.codec, d, rows, way.steps[rows], way.borders[rows])
        needed = places != NONE
        if not needed.any():
            return np.zeros(0, dtype=np.int64)
        codes[rows[needed], span.start + code[needed]] = True
        every = np.full(len(self.codec), NONE)
        every[rows] = places
        return every

    def _stuck_text(self, row: int, d: int) -> str:
        name = self.codec.schema.names[d]
        names = [repr(rule) for rule, columns in (*self.applied[-1], *self.applied[row]) if name in columns]
        value = plain(self.codec.rows[name].iloc[row])
        leave = "leaves" if len(names) == 1 else "leave"
        return f"{' and '.join(names)} {leave} no value for {name!r}, which is {value!r}"

    def _crowded_text(self, row: int) -> str:
        names = [repr(name) for name, keep in zip(self.codec.schema.names, self.keeps[row], strict=True) if not keep]
        return f"MaxChanges({self.most_changes[row]}) is not enough: {', '.join(names)} must change"


def _derived(codec: Codec) -> Bool[ndarray, "row feature"]:
    """Which cells are computed from others, so that nobody may edit them."""
    derived = np.zeros((len(codec), len(codec.schema)), dtype=np.bool_)
    for d, name in enumerate(codec.schema.names if codec.book is not None else ()):
        rows = codec.book.derived(name) if codec.book is not None else None
        if rows is not None:
            derived[:, d] = rows
    return derived
