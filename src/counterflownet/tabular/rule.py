"""Rules: what joins columns. A rule is kept or broken by an answer as a whole, judged on the values it has."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from counterflownet.errors import ConstraintError, check_one_of
from counterflownet.tabular.condition import (
    AllOf,
    Atom,
    Changes,
    Condition,
    Falls,
    Rises,
    Stays,
    amount_of,
    checked_condition,
)
from counterflownet.tabular.constraint import ColumnConstraint, Flags, MaxChanges, check_order, known_feature
from counterflownet.tabular.feature import TIMES, ColumnName
from counterflownet.tabular.frame_pair import FramePair
from counterflownet.tabular.pair import Pair
from counterflownet.tabular.schema import Schema

AppliedAs = Literal["requirement", "consequence"]


class Rule(ABC):
    """What joins columns: given wherever constraints are."""

    @abstractmethod
    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        """The columns it speaks of, each once; an error if one is unknown or of the wrong kind."""

    @abstractmethod
    def judged(self, pair: Pair) -> Flags:
        """Which answers keep it."""

    def kept(self, schema: Schema, before: pd.DataFrame, after: pd.DataFrame) -> Flags:
        """Which rows of ``after`` keep it, each as an answer to the row of ``before`` that stands beside it."""
        return self.judged(FramePair(schema, before, after))


Constraint = ColumnConstraint | MaxChanges | Rule


@dataclass(frozen=True, repr=False)
class LessEqual(Rule):
    """Column ``low`` is at most column ``high`` in every answer, both of numbers or both of dates.

    >>> LessEqual("satisfactory_trades", "total_trades")
    LessEqual('satisfactory_trades', 'total_trades')

    ``strict`` excludes equal values; ``offset`` is how much lower it must at least be: ``low + offset <= high`` (dates
    in days, or a timedelta). A row that breaks it is repaired by its answers. It holds where a value is missing.
    """

    low: ColumnName
    high: ColumnName
    strict: bool = False
    offset: Any = 0

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        check_different(self, (self.low, self.high))
        kinds = [known_feature(self, schema, name).kind for name in (self.low, self.high)]
        numeric = all(schema[name].numeric for name in (self.low, self.high))
        if not numeric or any((kinds[0] is kind) != (kinds[1] is kind) for kind in TIMES):
            raise ConstraintError(
                f"{self!r} compares two columns of numbers, or two of dates; {self.low!r} is {kinds[0]} and "
                f"{self.high!r} is {kinds[1]}. For categories, use IfThen."
            )
        amount_of(self, schema[self.low], self.offset)
        return self.low, self.high

    def fits(self, schema: Schema, low: np.ndarray, high: np.ndarray) -> Flags:
        """Where numbers keep it; any shapes that numpy brings together, NaN for missing."""
        raised = low + amount_of(self, schema[self.low], self.offset)
        return np.isnan(low) | np.isnan(high) | (raised < high if self.strict else raised <= high)

    def judged(self, pair: Pair) -> Flags:
        return self.fits(pair.schema, pair.after(self.low), pair.after(self.high))

    def __repr__(self) -> str:
        strict = ", strict=True" if self.strict else ""
        offset = f", offset={self.offset!r}" if self.offset else ""
        return f"LessEqual({self.low!r}, {self.high!r}{strict}{offset})"


class ConditionalRule(Rule):
    """A rule that says no more than that a condition is true of every answer."""

    @abstractmethod
    def demand(self) -> Condition:
        """The condition."""

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        self.demand().check(self, schema)
        return tuple(dict.fromkeys(atom.column for atom in self.demand().atoms()))

    def judged(self, pair: Pair) -> Flags:
        return self.demand().holds(pair.truth)


@dataclass(frozen=True, repr=False)
class IfThen(ConditionalRule):
    """If the condition is true of an answer, so is the requirement.

    >>> from counterflownet import RisesBy
    >>> IfThen(Rises("education"), RisesBy("age", at_least=2))
    IfThen(Rises('education'), RisesBy('age', at_least=2))

    As a ``"requirement"`` what must be is a change like any other. As a ``"consequence"`` it comes by itself: columns
    that were not changed move by the least step that is enough, which is shown as what follows, not as a change. What
    is to be done must then be said: ``&`` of conditions of single columns.
    """

    condition: Condition
    requirement: Condition
    as_: AppliedAs = "requirement"

    def __post_init__(self) -> None:
        checked_condition(self.condition, "IfThen")
        checked_condition(self.requirement, "IfThen")
        check_one_of("as_ of IfThen", self.as_, get_args(AppliedAs))
        if self.follows:
            told = {atom.column for atom in self.consequences()}
            if told & {atom.column for atom in self.condition.atoms()}:
                raise ConstraintError(f"{self!r}: a column cannot be condition and consequence at once. Name another.")

    @property
    def follows(self) -> bool:
        """Whether the requirement is carried out by itself."""
        return self.as_ == "consequence"

    def consequences(self) -> tuple[Atom, ...]:
        """What is to be done, column by column; an error if it does not say what."""
        parts = [self.requirement]
        while any(isinstance(part, AllOf) for part in parts):
            parts = [
                piece for part in parts for piece in ((part.one, part.other) if isinstance(part, AllOf) else (part,))
            ]
        for part in parts:
            if not isinstance(part, Atom) or isinstance(part, Changes):
                raise ConstraintError(
                    f"{self!r} does not say what is to be done: a consequence is made of conditions such as "
                    f"RisesBy('age', at_least=2) or Equals('job', 'cook'), joined by &; got {part!r}."
                )
        return tuple(part for part in parts if isinstance(part, Atom))

    def demand(self) -> Condition:
        return ~self.condition | self.requirement

    def __repr__(self) -> str:
        applied = f", as_={self.as_!r}" if self.as_ != "requirement" else ""
        return f"IfThen({self.condition!r}, {self.requirement!r}{applied})"


@dataclass(frozen=True, init=False, repr=False)
class _Group(Rule):
    names: tuple[ColumnName, ...]

    def __init__(self, *columns: ColumnName) -> None:
        """Take the names of the columns, one argument each."""
        kind = type(self).__name__
        if len(columns) < 2 or not all(isinstance(name, (str, int)) for name in columns):
            raise ConstraintError(f"{kind} takes two or more column names: {kind}('a', 'b'); got {columns!r}.")
        object.__setattr__(self, "names", columns)
        check_different(self, columns)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.names))})"


class Together(_Group, ConditionalRule):
    """These columns, of numbers, dates or ordered categories, rise together, fall together, or all stay."""

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        for name in self.names:
            check_order(self, known_feature(self, schema, name))
        return self.names

    def demand(self) -> Condition:
        ways = [reduce(and_, [kind(name) for name in self.names]) for kind in (Rises, Falls, Stays)]
        return reduce(or_, ways)


class OneHot(_Group):
    """Exactly one of these columns, of 0 and 1 or of booleans, is set; one change moves it, the others follow.

    A missing value is not set. A row that breaks it is repaired by its answers.
    """

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        for name in self.names:
            values = known_feature(self, schema, name).values
            if not all(value in (0, 1) for value in values):
                raise ConstraintError(
                    f"{self!r} needs columns of 0 and 1, or of booleans; {name!r} has {values[0]!r}, ... . "
                    "One column of categories needs no rule."
                )
        return self.names

    def judged(self, pair: Pair) -> Flags:
        flags = [pair.after(name) == set_number(pair.schema, name) for name in self.names]
        return np.sum(flags, axis=0) == 1


def set_number(schema: Schema, name: ColumnName) -> float:
    """The number (or code) of 1 or True in a column; one that no cell has if it is never set."""
    set_codes = [code for code, value in enumerate(schema[name].values) if value == 1]
    return float(schema[name].code_numbers[set_codes[0]]) if set_codes else np.inf


def check_different(rule: Rule, names: Sequence[ColumnName]) -> None:
    """An error if a column is named twice."""
    doubled = [name for name in names if list(names).count(name) > 1]
    if doubled:
        raise ConstraintError(f"{rule!r} names {doubled[0]!r} twice; name different columns.")
