"""Conditions: what may be said of a row and its answer, column by column, joined by ``&``, ``|`` and ``~``.

A comparison with a missing value is false.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from counterflownet.errors import ConstraintError
from counterflownet.tabular.constraint import Flags, Numbers, check_order, known_feature
from counterflownet.tabular.durations import FORMS, day_count
from counterflownet.tabular.feature import TIMES, ColumnName, Feature
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.user_values import coordinate_of


class Condition(ABC):
    """Something that is true of some answers, such as ``Rises("age") & ~Changes("job")``."""

    @abstractmethod
    def atoms(self) -> Iterator["Atom"]:
        """The conditions of single columns that it is made of."""

    @abstractmethod
    def holds(self, truth: Callable[["Atom"], Flags]) -> Flags:
        """Where it is true, if this is where its atoms are."""

    def check(self, owner: object, schema: Schema) -> None:
        """An error that names the ``owner`` if a part does not fit the table."""
        for atom in self.atoms():
            atom.check_column(owner, known_feature(owner, schema, atom.column))

    def __and__(self, other: "Condition") -> "Condition":
        return AllOf(self, checked_condition(other, "&"))

    def __or__(self, other: "Condition") -> "Condition":
        return AnyOfThem(self, checked_condition(other, "|"))

    def __invert__(self) -> "Condition":
        return Opposite(self)

    def __bool__(self) -> bool:
        raise ConstraintError(
            f"{self!r} has no truth value of its own: join conditions by &, | and ~, not and, or, not."
        )


def checked_condition(given: Any, what: str) -> Condition:
    """The condition itself; an error if it is something else."""
    if not isinstance(given, Condition):
        raise ConstraintError(
            f"{what} needs a condition, such as Rises('age') or Equals('job', 'cook'); got {given!r}."
        )
    return given


@dataclass(frozen=True, repr=False)
class _Joined(Condition):
    one: Condition
    other: Condition

    def atoms(self) -> Iterator["Atom"]:
        yield from self.one.atoms()
        yield from self.other.atoms()


class AllOf(_Joined):
    """Both are true."""

    def holds(self, truth: Callable[["Atom"], Flags]) -> Flags:
        return self.one.holds(truth) & self.other.holds(truth)

    def __repr__(self) -> str:
        return " & ".join(
            f"({part!r})" if isinstance(part, AnyOfThem) else repr(part) for part in (self.one, self.other)
        )


class AnyOfThem(_Joined):
    """One of them is true, or both."""

    def holds(self, truth: Callable[["Atom"], Flags]) -> Flags:
        return self.one.holds(truth) | self.other.holds(truth)

    def __repr__(self) -> str:
        return f"{self.one!r} | {self.other!r}"


@dataclass(frozen=True, repr=False)
class Opposite(Condition):
    """It is not true."""

    condition: Condition

    def atoms(self) -> Iterator["Atom"]:
        yield from self.condition.atoms()

    def holds(self, truth: Callable[["Atom"], Flags]) -> Flags:
        return ~self.condition.holds(truth)

    def __repr__(self) -> str:
        return f"~({self.condition!r})" if isinstance(self.condition, _Joined) else f"~{self.condition!r}"


@dataclass(frozen=True, repr=False)
class Atom(Condition):
    """A condition of one column."""

    column: ColumnName

    @abstractmethod
    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:
        """Where it is true: of numbers (or ranks, or codes) before and after, NaN if missing or never seen.

        The three may have any shapes that numpy brings together. ``changed`` tells where the value is another.
        """

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:  # noqa: ARG002 - most speak of training values
        """The number nearest to each ``before`` that makes it true, if it asks for a number of its own; else NaN."""
        return np.full(before.shape, np.nan)

    def check_column(self, owner: object, feature: Feature) -> None:
        """An error if it makes no sense for the column."""

    def atoms(self) -> Iterator["Atom"]:
        yield self

    def holds(self, truth: Callable[["Atom"], Flags]) -> Flags:
        return truth(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(getattr(self, field.name)) for field in fields(self))})"


class Changes(Atom):
    """The column has another value than before."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return changed


class Stays(Atom):
    """The column has the value it had before."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return ~changed


class _Ordered(Atom):
    def check_column(self, owner: object, feature: Feature) -> None:
        check_order(owner, feature)


class Rises(_Ordered):
    """The column, of numbers, dates or ordered categories, goes up."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after > before

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        return before + 1.0 if feature.whole else super().nearest(feature, before)


class Falls(_Ordered):
    """The column, of numbers, dates or ordered categories, goes down."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after < before

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        return before - 1.0 if feature.whole else super().nearest(feature, before)


@dataclass(frozen=True, repr=False)
class Equals(Atom):
    """The column has this value in the answer."""

    value: Any

    def check_column(self, owner: object, feature: Feature) -> None:
        coordinate_of(owner, feature, self.value)

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after == coordinate_of(self, feature, self.value)

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        return np.full(before.shape, coordinate_of(self, feature, self.value))


@dataclass(frozen=True, repr=False)
class _Bound(_Ordered):
    value: Any

    def check_column(self, owner: object, feature: Feature) -> None:
        super().check_column(owner, feature)
        coordinate_of(owner, feature, self.value)


class Above(_Bound):
    """The column, of numbers, dates or ordered categories, is above this value in the answer."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after > coordinate_of(self, feature, self.value)

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        next_whole = np.floor(coordinate_of(self, feature, self.value)) + 1.0
        return np.full(before.shape, next_whole if feature.whole else np.nan)


class Below(_Bound):
    """The column, of numbers, dates or ordered categories, is below this value in the answer."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after < coordinate_of(self, feature, self.value)

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        next_whole = np.ceil(coordinate_of(self, feature, self.value)) - 1.0
        return np.full(before.shape, next_whole if feature.whole else np.nan)


@dataclass(frozen=True, repr=False)
class _Step(_Ordered):
    at_least: Any

    def check_column(self, owner: object, feature: Feature) -> None:
        super().check_column(owner, feature)
        if not self.amount(owner, feature) > 0:
            raise ConstraintError(
                f"{owner!r}: at_least must be above 0; got {self.at_least!r}. For any step, use Rises or Falls."
            )

    def amount(self, owner: object, feature: Feature) -> float:
        """The step in the unit of the column: dates in days, ordered categories in ranks."""
        return amount_of(owner, feature, self.at_least)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.column!r}, at_least={self.at_least!r})"


class RisesBy(_Step):
    """The column goes up by this much or more: numbers in their unit, dates in days, ordered categories in ranks."""

    # Sums, not differences: what is reached by adding the step is then always enough, whatever rounding does.
    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after >= before + self.amount(self, feature)

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        return before + self.amount(self, feature)


class FallsBy(_Step):
    """The column goes down by this much or more: numbers in their unit, dates in days, ordered categories in ranks."""

    def truth(self, feature: Feature, before: Numbers, after: Numbers, changed: Flags) -> Flags:  # noqa: ARG002
        return after <= before - self.amount(self, feature)

    def nearest(self, feature: Feature, before: Numbers) -> Numbers:
        return before - self.amount(self, feature)


def amount_of(owner: object, feature: Feature, amount: Any) -> float:
    """A difference of two values as a number; those of dates, in days, may be given as a timedelta."""
    if feature.kind in TIMES and isinstance(amount, FORMS):
        return day_count(amount)
    try:
        return float(amount)
    except (TypeError, ValueError) as error:
        raise ConstraintError(f"{owner!r} needs a number; got {amount!r}.") from error
