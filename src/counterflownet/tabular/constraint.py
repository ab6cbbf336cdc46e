"""Constraints: what a user allows, as objects that say which codes are left.

A constraint applies to the row that is returned: a value it does not permit must change. A missing value may stay.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import ConstraintError, unknown_name_text
from counterflownet.tabular.durations import FORMS, day_count
from counterflownet.tabular.feature import TIMES, ColumnName, Feature
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.user_values import coordinate_of

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]


class ColumnConstraint(ABC):
    """A rule for individual columns; several rules combine to what all of them permit."""

    edits_only = False  # whether it says nothing about cells that follow from others

    @abstractmethod
    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        """The columns it applies to."""

    @abstractmethod
    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:
        """Which changes it permits, from the numbers (or ranks) of values ``before`` to those ``after``.

        The two may have any shapes that numpy brings together; so has what comes back, but for rules to which all rows
        are alike.
        """

    def keeps(self, feature: Feature, column: pd.Series) -> Flags:  # noqa: ARG002 - most rules let any value stay
        """Which rows may keep the value they have."""
        return np.ones(len(column), dtype=np.bool_)

    def borders(self, feature: Feature, before: Numbers) -> tuple[tuple[Numbers, Numbers], ...]:  # noqa: ARG002
        """Pairs of the lowest and the highest number it permits to each row, where it sets such borders at all."""
        return ()

    def fits(self, feature: Feature, before: pd.Series, after: pd.Series) -> Flags:
        """Which new values it permits: judged by the values themselves, not by their codes."""
        permitted = self.permits(feature, feature.coordinates(before), feature.coordinates(after))
        return np.broadcast_to(permitted, len(after))


@dataclass(frozen=True, init=False, repr=False)
class _NamedColumns(ColumnConstraint):
    names: tuple[ColumnName, ...]

    def __init__(self, *columns: ColumnName) -> None:
        """Take the names of the columns, one argument each."""
        if not columns or not all(isinstance(name, (str, int)) for name in columns):
            kind = type(self).__name__
            raise ConstraintError(f"{kind} takes column names as arguments: {kind}('a', 'b'); got {columns!r}.")
        object.__setattr__(self, "names", columns)

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        for name in self.names:
            known_feature(self, schema, name)
        return self.names

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.names))})"


class _Closing(_NamedColumns):
    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:  # noqa: ARG002
        return np.zeros(after.shape, dtype=np.bool_)


class Immutable(_Closing):
    """These columns stay as they are."""


class Mutable(_Closing):
    """Only these columns may change; what follows from their changes by a rule follows."""

    edits_only = True

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        named = super().columns(schema)
        return tuple(name for name in schema.names if name not in named)


class _Monotone(_NamedColumns):
    sign: float

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        named = super().columns(schema)
        for name in named:
            check_order(self, schema[name])
        return named

    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:  # noqa: ARG002
        return self.sign * (after - before) > 0


class Increasing(_Monotone):
    """These columns, of numbers, dates or ordered categories, may only go up."""

    sign = 1.0


class Decreasing(_Monotone):
    """These columns, of numbers, dates or ordered categories, may only go down."""

    sign = -1.0


@dataclass(frozen=True, repr=False)
class _OneColumn(ColumnConstraint):
    column: ColumnName

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        known_feature(self, schema, self.column)
        return (self.column,)

    def __repr__(self) -> str:
        given = (getattr(self, field.name) for field in fields(self))
        return f"{type(self).__name__}({', '.join(map(repr, given))})"


@dataclass(frozen=True, repr=False)
class Range(_OneColumn):
    """The final value, a number, date or ordered category, lies in this range.

    >>> Range("amount", 500, 5000)
    Range('amount', 500, 5000)

    ``low`` and ``high`` are allowed themselves; None leaves that side open.
    """

    low: Any = None
    high: Any = None

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        named = super().columns(schema)
        check_order(self, schema[self.column])
        low, high = self.bounds(schema[self.column])
        if low > high:
            raise ConstraintError(f"{self!r} is empty: its lower bound is above its upper bound. Swap them.")
        return named

    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:  # noqa: ARG002
        low, high = self.bounds(feature)
        return (after >= low) & (after <= high)

    def keeps(self, feature: Feature, column: pd.Series) -> Flags:
        now = feature.coordinates(column)
        return self.permits(feature, now, now) | column.isna().to_numpy()

    def borders(self, feature: Feature, before: Numbers) -> tuple[tuple[Numbers, Numbers], ...]:
        low, high = self.bounds(feature)
        return ((np.full(before.shape, low), np.full(before.shape, high)),)

    def bounds(self, feature: Feature) -> tuple[float, float]:
        """The lowest and the highest number (or rank) in the range."""
        low = -np.inf if self.low is None else coordinate_of(self, feature, self.low)
        return low, np.inf if self.high is None else coordinate_of(self, feature, self.high)


@dataclass(frozen=True, repr=False)
class _ListedValues(_OneColumn):
    values: Collection[Any]

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        feature = known_feature(self, schema, self.column)
        check_values(self, feature, self.values, self._known(feature))
        return (self.column,)

    def _known(self, feature: Feature) -> Numbers:
        """The numbers (or ranks) of the values that may be listed."""
        return feature.code_numbers

    def _lists(self, feature: Feature, coordinates: Numbers) -> Flags:
        return np.isin(coordinates, [coordinate_of(self, feature, value) for value in self.values])


class OneOf(_ListedValues):
    """The final value is one of ``values``."""

    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:  # noqa: ARG002
        return self._lists(feature, after)

    def keeps(self, feature: Feature, column: pd.Series) -> Flags:
        return self._lists(feature, feature.coordinates(column)) | column.isna().to_numpy()


class NotOneOf(_ListedValues):
    """The final value is none of ``values``."""

    def _known(self, feature: Feature) -> Numbers:
        return feature.steps.number if feature.numeric else feature.code_numbers  # whatever an answer might take

    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:  # noqa: ARG002
        return ~self._lists(feature, after)

    def keeps(self, feature: Feature, column: pd.Series) -> Flags:
        return ~self._lists(feature, feature.coordinates(column))


@dataclass(frozen=True, repr=False)
class MaxStep(_OneColumn):
    """The value moves by at most ``amount``: numbers in their unit, dates in days, ordered categories in ranks."""

    amount: Any

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        named = super().columns(schema)
        check_order(self, schema[self.column])
        if not self._amount(schema[self.column]) > 0:
            raise ConstraintError(f"{self!r} allows no change at all. Give a number above 0, or use Immutable.")
        return named

    def permits(self, feature: Feature, before: Numbers, after: Numbers) -> Flags:
        return np.abs(after - before) <= self._amount(feature)

    def borders(self, feature: Feature, before: Numbers) -> tuple[tuple[Numbers, Numbers], ...]:
        amount = self._amount(feature)
        low, high = before - amount, before + amount
        low = np.where(before - low > amount, np.nextafter(low, before), low)  # a rounding error may step over it
        return ((low, np.where(high - before > amount, np.nextafter(high, before), high)),)

    def _amount(self, feature: Feature) -> float:
        if feature.kind in TIMES and isinstance(self.amount, FORMS):
            return day_count(self.amount)
        try:
            return float(self.amount)
        except (TypeError, ValueError) as error:
            raise ConstraintError(f"{self!r} needs a number; got {self.amount!r}.") from error


@dataclass(frozen=True)
class MaxChanges:
    """At most ``count`` columns change.

    >>> MaxChanges(2)
    MaxChanges(2)
    """

    count: int

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise ConstraintError(f"MaxChanges needs a whole number of at least 1; got {self.count!r}.")

    def __repr__(self) -> str:
        return f"MaxChanges({self.count})"


def known_feature(constraint: object, schema: Schema, name: ColumnName) -> Feature:
    """The feature with this name, or an error that names the constraint."""
    if name not in schema.names:
        raise ConstraintError(f"{constraint!r}: {unknown_name_text('column', name, schema.names)}")
    return schema[name]


def check_order(constraint: object, feature: Feature) -> None:
    """An error if the values of the column have no order."""
    if not feature.has_order:
        raise ConstraintError(
            f"{constraint!r} needs an order, and the {feature.kind} column {feature.name!r} has none. "
            f"If its values are ordered, say so: Schema.infer(X, orders={{{feature.name!r}: [lowest, ..., highest]}})."
        )


def check_values(constraint: object, feature: Feature, values: Any, known: Numbers) -> None:
    """An error if the column can never take one of the values."""
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, set, frozenset, np.ndarray)):
        raise ConstraintError(f"{constraint!r} needs a list of values; got {values!r}.")
    if len(values) == 0:
        raise ConstraintError(f"{constraint!r} lists no values. Give at least one.")
    for value in values:
        if coordinate_of(constraint, feature, value) not in known:
            hint = "Use Range, or give the column its own bins."
            raise ConstraintError(f"{constraint!r}: {unknown_name_text('value', value, feature.values, hint)}")
