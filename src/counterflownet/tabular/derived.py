"""Columns that are computed from others: never changed by themselves, always what the others make them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.errors import ConstraintError, InvalidInputError, listed
from counterflownet.tabular.constraint import Flags, Numbers, known_feature
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.frame_pair import FramePair
from counterflownet.tabular.pair import Pair
from counterflownet.tabular.rule import Rule, check_different
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, repr=False)
class Derived(Rule):
    """A column that follows from others: recomputed where one of them changes, never changed by itself.

    >>> Derived("bmi", from_=["weight", "height"], by=lambda rows: rows["weight"] / rows["height"] ** 2)
    Derived('bmi', from_=['weight', 'height'], by=<lambda>)

    ``by`` takes a table of the columns ``from_`` and returns one value for each of its rows. A column of whole numbers
    takes the nearest one.
    """

    column: ColumnName
    from_: Sequence[ColumnName]
    by: Callable[[pd.DataFrame], Any] = field(repr=False)

    def __post_init__(self) -> None:
        named = self.from_
        if isinstance(named, (str, int)) or not all(isinstance(name, (str, int)) for name in named) or not named:
            raise ConstraintError(f"Derived takes a list of columns as from_=['a', 'b']; got {named!r}.")
        if not callable(self.by):
            raise ConstraintError(f"Derived takes a function of a table as by=; got {self.by!r}.")
        object.__setattr__(self, "from_", tuple(named))
        check_different(self, (self.column, *named))

    @classmethod
    def lookup(cls, column: ColumnName, source: ColumnName, X: pd.DataFrame) -> "Derived":
        """The column as the rows of a table tell it from another: each value of ``source`` has one of ``column``.

        Answers take no value of ``source`` that the table does not have.
        """
        return cls(column, [source], LookedUp.of(column, source, X))

    @property
    def looked_up(self) -> bool:
        """Whether its values are those of a table."""
        return isinstance(self.by, LookedUp)

    def columns(self, schema: Schema) -> tuple[ColumnName, ...]:
        for name in (self.column, *self.from_):
            known_feature(self, schema, name)
        return (self.column, *self.from_)

    def recomputed(self, schema: Schema, rows: pd.DataFrame) -> pd.Series:
        """What the column is in each of these rows by its function; None or NaN where the function has no value."""
        given = rows[list(self.from_)].reset_index(drop=True)
        try:
            values = pd.Series(self.by(given)).reset_index(drop=True)
        except Exception as error:
            raise InvalidInputError(
                f"the function of {self!r} failed: {type(error).__name__}: {error}. It is given a table of "
                f"{listed(self.from_)} and must return one value for each row."
            ) from error
        if len(values) != len(given):
            raise InvalidInputError(f"the function of {self!r} returned {len(values)} values for {len(given)} rows.")
        whole = schema[self.column].whole and pd.api.types.is_numeric_dtype(values.dtype)
        return values.round() if whole else values

    def numbers(self, schema: Schema, values: pd.Series) -> Numbers:
        """The numbers (or ranks) of what it was computed to be."""
        try:
            return schema[self.column].coordinates(values.rename(self.column))
        except InvalidInputError as error:
            raise InvalidInputError(
                f"the function of {self!r} returned what the column cannot hold: {error}"
            ) from error

    def judged(self, pair: Pair) -> Flags:
        if not isinstance(pair, FramePair):  # there it is what was computed
            return np.ones(len(pair.before(self.column)), dtype=np.bool_)
        moved = np.logical_or.reduce([pair.changed(name) for name in self.from_])
        wanted = self.numbers(pair.schema, self.recomputed(pair.schema, pair.answers))
        now = pair.after(self.column)
        same = (now == wanted) | (np.isnan(now) & np.isnan(wanted)) | np.isclose(now, wanted, rtol=1e-6, atol=0.0)
        return np.where(moved, same & self.known(pair.answers), ~pair.changed(self.column))

    def known(self, rows: pd.DataFrame) -> Flags:
        """In which rows the function can tell a value: everywhere, unless it looks them up."""
        if isinstance(self.by, LookedUp):
            return rows[self.from_[0]].isin(list(self.by.values)).to_numpy()
        return np.ones(len(rows), dtype=np.bool_)

    def __repr__(self) -> str:
        if self.looked_up:
            return f"Derived.lookup({self.column!r}, {self.from_[0]!r}, X)"
        return f"Derived({self.column!r}, from_={list(self.from_)!r}, by={getattr(self.by, '__name__', self.by)!s})"


@dataclass(frozen=True)
class LookedUp:
    """A function of one column that was read off a table."""

    source: ColumnName
    values: Mapping[Any, Any]

    @classmethod
    def of(cls, column: ColumnName, source: ColumnName, X: pd.DataFrame) -> "LookedUp":
        """The function, or an error that shows a value of ``source`` with two values of ``column``."""
        for name in (column, source):
            if name not in X.columns:
                raise ConstraintError(f"Derived.lookup({column!r}, {source!r}, X): X has no column {name!r}.")
        pairs = X[[source, column]].dropna().drop_duplicates()
        doubled = pairs[pairs[source].duplicated(keep=False)]
        if len(doubled):
            value = doubled[source].iloc[0]
            found = doubled.loc[doubled[source] == value, column].tolist()
            raise ConstraintError(
                f"Derived.lookup({column!r}, {source!r}, X): {source!r} does not determine {column!r}: the rows with "
                f"{value!r} have {listed(map(repr, found))}."
            )
        return cls(source, dict(zip(pairs[source].tolist(), pairs[column].tolist(), strict=True)))

    def __call__(self, rows: pd.DataFrame) -> Any:
        return [self.values.get(value) for value in rows[self.source].tolist()]

    def __hash__(self) -> int:
        return hash((self.source, len(self.values)))
