"""The rules of some rows: which apply to which, and in which order what follows is carried out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

import numpy as np

from counterflownet.errors import ConstraintError
from counterflownet.tabular.condition import Atom
from counterflownet.tabular.constraint import ColumnConstraint, Flags
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.rule import IfThen, OneHot, Rule
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class AppliedRule:
    """A rule and the rows it applies to."""

    rule: Rule
    rows: Flags


@dataclass(frozen=True, slots=True, eq=False)
class OwnConstraint:
    """A constraint of a column that follows from others, and the rows it applies to."""

    constraint: ColumnConstraint
    column: ColumnName
    rows: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Something that is carried out by itself: which columns are written, which must be known before."""

    writes: tuple[ColumnName, ...]
    reads: tuple[ColumnName, ...]
    rules: tuple[AppliedRule, ...]

    @property
    def rows(self) -> Flags:
        """Where one of its rules applies."""
        return np.logical_or.reduce([applied.rows for applied in self.rules])


@dataclass(frozen=True, slots=True, eq=False)
class Consequence(Step):
    """One column that moves where a condition holds, by all rules that say so."""

    def atoms(self, rule: IfThen) -> tuple[Atom, ...]:
        """What a rule demands of the column."""
        return tuple(atom for atom in rule.consequences() if atom.column == self.writes[0])


@dataclass(frozen=True, eq=False)
class RuleBook:
    """All rules of some rows, and the constraints of columns that follow."""

    schema: Schema
    applied: tuple[AppliedRule, ...]
    own_constraints: tuple[OwnConstraint, ...] = ()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What is carried out, in an order in which everything is known when it is needed."""
        return ordered_steps(list(_steps(self.applied)))

    @cached_property
    def steps_judged(self) -> tuple[Step, ...]:
        """Those on which it depends whether rules are kept: a value that none of them reads is computed later."""
        told = (name for applied in self.applied for name in _told(applied.rule, self.schema))
        read = {*told, *(own.column for own in self.own_constraints)}
        steps: list[Step] = []
        for step in reversed(self.steps):
            if read.intersection(step.writes):
                steps.insert(0, step)
                read.update(step.reads)
        return tuple(steps)

    def applied_as(self, kind: type[Rule]) -> Iterator[AppliedRule]:
        """The rules of one kind."""
        return (applied for applied in self.applied if isinstance(applied.rule, kind))

    def derived(self, name: ColumnName) -> Flags | None:
        """In which rows a column is computed from others; None if nowhere."""
        flags = [applied.rows for applied in self.applied_as(Derived) if applied.rule.column == name]  # type: ignore[attr-defined]
        return np.logical_or.reduce(flags) if flags else None

    def grouped(self, name: ColumnName) -> bool:
        """Whether a column is one of a group of which one is set."""
        return any(name in applied.rule.names for applied in self.applied_as(OneHot))  # type: ignore[attr-defined]

    @cached_property
    def followers(self) -> frozenset[ColumnName]:
        """The columns that may follow."""
        return frozenset(name for step in self.steps for name in step.writes)


def written_by(rule: Rule) -> tuple[ColumnName, ...]:
    """The columns that may follow by a rule."""
    return tuple(name for step in _steps([AppliedRule(rule, np.ones(1, dtype=np.bool_))]) for name in step.writes)


def check_rules(rules: Sequence[Rule]) -> None:
    """An error if columns follow from each other in a circle, or one follows in two ways."""
    every = np.ones(1, dtype=np.bool_)
    ordered_steps(list(_steps([AppliedRule(rule, every) for rule in rules])))


def ordered_steps(steps: list[Step]) -> tuple[Step, ...]:
    """The steps, each after those that write what it reads; an error that names the rules if there is no such order."""
    writers: dict[ColumnName, list[int]] = {}
    for number, step in enumerate(steps):
        for name in step.writes:
            for other in writers.get(name, []):
                if (steps[other].rows & step.rows).any():
                    raise ConstraintError(
                        f"{_names([steps[other], step])} both decide what {name!r} becomes. Drop one."
                    )
            writers.setdefault(name, []).append(number)
    graph = {number: [w for name in step.reads for w in writers.get(name, ())] for number, step in enumerate(steps)}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        names = _names([steps[number] for number in dict.fromkeys(error.args[1])])
        raise ConstraintError(f"{names} follow from each other in a circle. Drop one.") from error
    return tuple(steps[number] for number in order)


def _steps(rules: Sequence[AppliedRule]) -> Iterator[Step]:
    consequences: dict[ColumnName, list[AppliedRule]] = {}
    for applied in rules:
        rule = applied.rule
        if isinstance(rule, Derived):
            yield Step((rule.column,), tuple(rule.from_), (applied,))
        elif isinstance(rule, OneHot):
            yield Step(rule.names, (), (applied,))
        elif isinstance(rule, IfThen) and rule.follows:
            for name in dict.fromkeys(atom.column for atom in rule.consequences()):
                consequences.setdefault(name, []).append(applied)
    for name, same in consequences.items():
        reads = {atom.column: 0 for applied in same for atom in applied.rule.condition.atoms()}  # type: ignore[attr-defined]
        yield Consequence((name,), tuple(reads), tuple(same))


def _told(rule: Rule, schema: Schema) -> tuple[ColumnName, ...]:
    """The columns that must be known to judge a rule: none of one that a function computes, whatever it is."""
    return () if isinstance(rule, Derived) and not rule.looked_up else rule.columns(schema)


def _names(steps: Sequence[Step]) -> str:
    return " and ".join(dict.fromkeys(repr(applied.rule) for step in steps for applied in step.rules))
