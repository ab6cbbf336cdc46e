"""One column: its kind, and the value that each of its codes stands for."""

from dataclasses import dataclass, field
from datetime import tzinfo
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import InvalidInputError, listed
from counterflownet.tabular.binning import code_of
from counterflownet.tabular.dates import canonical, days_of, is_date, is_plain_date, moment, written_like, zone_of
from counterflownet.tabular.durations import days_of_durations, duration
from counterflownet.tabular.frame import LARGEST
from counterflownet.tabular.steps import Steps

ColumnName = str | int
FEW_CELLS = 16  # up to this many, single lookups are cheaper than one through an index
EXACT = 2**53  # up to here a float holds every whole number


class Kind(StrEnum):
    """What the values of a column are."""

    CONTINUOUS = "continuous"
    INTEGER = "integer"
    DATE = "date"
    DURATION = "duration"
    BOOLEAN = "boolean"
    ORDERED = "ordered"
    CATEGORICAL = "categorical"


TIMES = frozenset({Kind.DATE, Kind.DURATION})  # which are measured in days
NUMERIC = frozenset({Kind.CONTINUOUS, Kind.INTEGER}) | TIMES
WITH_ORDER = NUMERIC | {Kind.ORDERED}


@dataclass(frozen=True)
class Feature:
    """A column as codes: code ``i`` stands for ``values[i]``.

    Numbers (dates count in days) also have the ``edges`` of their bins, the ``mean`` and ``deviation`` of the training
    rows, by which they are standardised, and their ``spread``, that of ordinary rows. ``fine`` are the numbers of the
    training rows themselves, rising: an answer may take any of them. ``grid`` are those among them on which answers are
    tight, and ``ranks`` say which share of the training rows lies below each. A column that is left ``alone``, for that
    reason, has one code for whatever it holds: there is nothing to change.
    """

    name: ColumnName
    kind: Kind
    values: tuple[Any, ...] = field(repr=False)
    edges: tuple[float, ...] = field(default=(), repr=False)
    mean: float = 0.0
    deviation: float = 1.0
    spread: float = 1.0
    fine: tuple[float, ...] = field(default=(), repr=False)
    grid: tuple[float, ...] = field(default=(), repr=False)
    ranks: tuple[float, ...] = field(default=(), repr=False)
    alone: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise InvalidInputError(f"column {self.name!r} needs at least one value.")
        if len(set(self.values)) < len(self.values):
            raise InvalidInputError(f"column {self.name!r} lists a value more than once: {listed(self.values)}.")
        counts = len(self.values), len(self.edges)
        if self.numeric and counts[1] != counts[0] + 1:
            told = f"column {self.name!r} has {counts[0]} values and {counts[1]} edges"
            raise InvalidInputError(f"{told}; there must be one more edge than values.")
        if self.alone and len(self.values) > 1:
            raise InvalidInputError(f"column {self.name!r} is left alone and must have one value; got {counts[0]}.")
        if len(self.grid) != len(self.ranks):
            raise InvalidInputError(f"column {self.name!r} needs one rank for each value of its grid.")

    @property
    def numeric(self) -> bool:
        return self.kind in NUMERIC

    @property
    def has_order(self) -> bool:
        return self.kind in WITH_ORDER

    @property
    def code_count(self) -> int:
        return len(self.values)

    @property
    def missing_code(self) -> int:
        return self.code_count

    @property
    def unseen_code(self) -> int:
        return self.code_count + 1

    @property
    def width(self) -> float:
        """From the lowest to the highest training value: the unit of distances."""
        return (self.edges[-1] - self.edges[0]) or 1.0

    @property
    def zone(self) -> tzinfo | None:
        """The time zone of dates that have one."""
        return getattr(self.values[0], "tzinfo", None)

    def encode(self, column: pd.Series) -> NDArray[np.int64]:
        """The code of each value, with separate codes for missing and never-seen values."""
        return np.zeros(len(column), dtype=np.int64) if self.alone else self._own_codes(column)

    def _own_codes(self, column: pd.Series) -> NDArray[np.int64]:
        """The same, whether or not the column is left alone."""
        missing = pd.isna(column.array)
        if self.numeric:
            codes = code_of(self.numbers(column), np.asarray(self.edges))
        else:
            known = self._looked_up(column)
            codes = np.where(known < 0, self.unseen_code, known).astype(np.int64)
        codes[missing] = self.missing_code
        return codes

    def offsets(self, column: pd.Series, codes: NDArray[np.int64]) -> NDArray[np.float32]:
        """Where each number lies within its bin, from -1 at the lower edge to 1 at the upper; 0 for anything else."""
        if not self.numeric:
            return np.zeros(len(column), dtype=np.float32)
        edges = np.asarray(self.edges)
        known = np.minimum(codes, self.code_count - 1)
        low, high = edges[known], edges[known + 1]
        half = (high - low) / 2
        half = np.where(half > 0, half, 1.0)  # the bin of a single value may be as narrow as numbers can be
        from_middle = np.clip(self.numbers(column) - (low + high) / 2, -half, half)
        return np.nan_to_num(np.where(codes < self.code_count, from_middle / half, 0.0)).astype(np.float32)

    def code_of_value(self, value: Any) -> int | None:
        """The code of a category in whatever form it is given; None if there is no such category."""
        try:
            return self._codes.get(canonical(value))
        except TypeError:  # a list, say
            return None

    @cached_property
    def _codes(self) -> dict[Any, int]:
        return {canonical(value): code for code, value in enumerate(self.values)}

    @cached_property
    def _index(self) -> pd.Index:
        return pd.Index(list(self._codes), dtype=object)

    @cached_property
    def _has_dates(self) -> bool:
        return any(map(is_date, self.values))

    def _looked_up(self, column: pd.Series) -> NDArray[np.int64]:
        if self._has_dates:
            column = pd.Series([canonical(value) for value in column], dtype=object, name=column.name)
        try:
            if len(column) <= FEW_CELLS:
                return np.array([self._codes.get(value, -1) for value in column.tolist()], dtype=np.int64)
            return self._index.get_indexer(pd.Index(column.astype(object)))
        except TypeError as error:
            raise no_single_values(column, error) from error

    def numbers(self, column: pd.Series) -> NDArray[np.float64]:
        """The column as numbers (dates in days since 1970), missing values as NaN."""
        numbers = as_numbers(column, self.kind)
        if self.kind is Kind.DATE:
            self._check_zone(column)
        return numbers

    def values_for(self, column: pd.Series, *, finer: bool = False) -> pd.Series:
        """The values of all codes, with ``finer`` the fine ones too, in the column's type or a wider one if need be."""
        of_objects = self.kind is Kind.DATE and column.dtype == object  # whose form depends on the cells themselves
        if of_objects or (column.dtype, finer) not in self._casts:
            values = (*self.values, *self.fine_values) if finer else self.values
            self._casts[column.dtype, finer] = self.as_held_by(column, values)
        return self._casts[column.dtype, finer]

    def as_held_by(self, column: pd.Series, values: tuple[Any, ...]) -> pd.Series:
        """Values in the column's type if it can hold them all, else in a wider one."""
        if values == (None,):  # of an empty column
            return column.iloc[:0].reindex([0])
        if self.kind is Kind.DATE and column.dtype == object:
            return pd.Series(written_like(column, values), dtype=object)
        return _cast(pd.Series(values, dtype=object), column.dtype)

    @cached_property
    def _casts(self) -> dict[Any, pd.Series]:
        return {}

    @cached_property
    def fine_values(self) -> tuple[Any, ...]:
        """The fine numbers as values of the column."""
        return self.values_of(np.asarray(self.fine, dtype=np.float64))

    @property
    def whole(self) -> bool:
        """Whether only whole numbers, or whole days, belong into the column."""
        if self.kind is Kind.DATE:
            return bool((self.code_numbers == np.round(self.code_numbers)).all())
        return self.numeric and all(isinstance(value, Integral) for value in self.values)

    def values_of(self, numbers: NDArray[np.float64]) -> tuple[Any, ...]:
        """Numbers of the column as its codes write them."""
        if self.kind is Kind.DATE:
            moments = [moment(days, self.zone) for days in numbers]
            return tuple(value.date() for value in moments) if is_plain_date(self.values[0]) else tuple(moments)
        if self.kind is Kind.DURATION:
            return tuple(map(duration, numbers))
        return tuple(map(int, numbers)) if self.whole else tuple(numbers.tolist())

    def _check_zone(self, column: pd.Series) -> None:
        aware = zone_of(column) is not None
        if aware != (self.zone is not None) and column.notna().any():
            raise InvalidInputError(
                f"the dates of column {self.name!r} {'have' if aware else 'lack'} a time zone, unlike those in "
                "training. Convert them with .dt.tz_localize."
            )

    @cached_property
    def code_numbers(self) -> NDArray[np.float64]:
        """The number behind each code of a numeric column; the rank for an ordered one."""
        if self.numeric:
            return self.numbers(pd.Series(self.values))
        return np.arange(self.code_count, dtype=np.float64)

    @cached_property
    def place_numbers(self) -> NDArray[np.float64]:
        """The number (or rank) at each place a cell can be at: all codes, missing, never seen, all fine numbers."""
        return np.concatenate([self.code_numbers, [np.nan, np.nan], np.asarray(self.fine, dtype=np.float64)])

    @cached_property
    def steps(self) -> Steps:
        """All values that an ordered column can take in an answer, unless constraints set borders besides."""
        return Steps.of(self.code_numbers, self.fine, self.first_fine_place, self.grid)

    @property
    def first_fine_place(self) -> int:
        """Where the places of the fine numbers begin; those of constraints' borders come after them."""
        return self.code_count + 2

    @property
    def first_border_place(self) -> int:
        return self.first_fine_place + len(self.fine)

    def coordinates(self, column: pd.Series) -> NDArray[np.float64]:
        """What :attr:`code_numbers` is compared with: each value's number, or its rank (NaN if it has none)."""
        return self.numbers(column) if self.numeric else self.coordinates_of(self._own_codes(column), column)

    def coordinates_of(self, codes: NDArray[np.int64], column: pd.Series) -> NDArray[np.float64]:
        """The same for a column whose codes are already known."""
        if self.numeric:
            return self.numbers(column)
        return np.where(codes < self.code_count, codes, np.nan)


def as_numbers(column: pd.Series, kind: Kind) -> NDArray[np.float64]:
    """The numbers of a numeric column, or an error that shows the first value that is not a number."""
    if kind is Kind.DATE:
        return days_of(column)
    if kind is Kind.DURATION:
        return days_of_durations(column)
    if not pd.api.types.is_numeric_dtype(column.dtype):  # text that looks like a number is not a number
        wrong = [value for value in column.dropna() if not _real(value)]
        if wrong:
            raise InvalidInputError(
                f"column {column.name!r} must hold finite numbers; got {wrong[0]!r}. Convert it with pd.to_numeric, or "
                "make the column categorical in the schema."
            )
    plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf"  # else what is missing is looked for
    numbers = column.to_numpy(dtype=np.float64) if plain else column.to_numpy(dtype=np.float64, na_value=np.nan)
    _check_exact(column, numbers)
    return numbers


def _check_exact(column: pd.Series, numbers: NDArray[np.float64]) -> None:
    large = np.abs(numbers) >= EXACT
    inexact = [value for value in column[large] if isinstance(value, Integral)] if large.any() else []
    if inexact:
        raise InvalidInputError(
            f"column {column.name!r} holds {inexact[0]}: whole numbers from 2**53 on cannot be compared exactly. If "
            "they are names, drop the column or make it categorical in the schema; if amounts, use a larger unit."
        )


def _cast(values: pd.Series, dtype: Any) -> pd.Series:
    try:
        cast = values.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return values.infer_objects()
    exact = cast.astype(object).map(canonical).eq(values.map(canonical)).all()
    return cast if exact else values.infer_objects()  # better a wider column than a different value


def no_single_values(column: pd.Series, error: TypeError) -> InvalidInputError:
    """The error for a column of lists and other unhashable values."""
    return InvalidInputError(f"column {column.name!r} must hold single values, such as numbers or text: {error}.")


def _real(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and abs(value) <= LARGEST  # type: ignore[operator]
