"""The numbers that constraints allow besides those of training: their borders, computed anew and exactly."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .plain_cells import DAY, Moment, plain

SECOND = 1_000_000  # in microseconds
EXACT = 2**53
RESOLUTION = {"float16": 2.0**-10, "float32": 2.0**-23, "Float32": 2.0**-23}  # of a number in a column of this type
OF_A_FLOAT = 2.0**-50  # of sums of two
OF_A_MOMENT = 5  # microseconds: days are floats

ColumnRule = tuple[str, tuple[Any, ...]]  # the name of a constraint, and its arguments after the column's name


def number_of(cell: Any) -> Any:
    """A cell as a number: dates in microseconds."""
    return cell.number if isinstance(cell, Moment) else float(cell) if isinstance(cell, Decimal) else cell


@dataclass(frozen=True)
class BorderValues:
    """The borders of a column whose training rows have the ``seen`` cells, in rows of type ``dtype``."""

    seen: Collection[Any]
    dtype: str

    def holds(self, new: Any, old: Any, rules: Sequence[ColumnRule]) -> bool:
        """Whether ``new`` is a border of one of the rules, for a row that has ``old``, and within reach."""
        reach = [number_of(cell) for cell in (*self.seen, *([] if old is None else [old]))]
        if not rules or not min(reach) <= number_of(new) <= max(reach):
            return False
        own = 0 if old is None else number_of(old)
        return any(self._is(number_of(new), border, inwards, own) for border, inwards in self._borders(old, rules))

    def _borders(self, old: Any, rules: Sequence[ColumnRule]) -> Iterator[tuple[Fraction, int]]:
        """Each border, and the direction in which it is rounded to the inside."""
        for kind, given in rules:
            if kind == "Range":
                bounds = zip(given, (1, -1), strict=True)
                yield from ((Fraction(number_of(plain(bound))), way) for bound, way in bounds if bound is not None)
            elif kind == "MaxStep" and old is not None:
                amount = self._amount(given[0], old)
                yield from ((Fraction(number_of(old)) - way * amount, way) for way in (1, -1))

    def _amount(self, given: Any, old: Any) -> Fraction:
        if isinstance(given, timedelta):
            return Fraction(given // timedelta(microseconds=1))
        return Fraction(given) * (DAY if isinstance(old, Moment) else 1)

    def _is(self, new: Any, border: Fraction, inwards: int, own: Any) -> bool:
        unit, gap = self._unit(), inwards * (Fraction(new) - border)
        if unit is None:
            size = float(max(abs(border), abs(own)))
            return abs(gap) <= RESOLUTION.get(self.dtype, 0.0) * abs(border) + OF_A_FLOAT * size
        slack = OF_A_MOMENT if unit == SECOND else 0
        return new % unit == 0 and -slack <= gap < unit + slack

    def _unit(self) -> int | None:
        """What the numbers of the column are multiples of, if there is such a thing."""
        numbers = [number_of(cell) for cell in self.seen]
        if any(isinstance(cell, Moment) for cell in self.seen):
            return SECOND if any(number % DAY for number in numbers) else DAY
        return 1 if all(abs(number) < EXACT and number == int(number) for number in numbers) else None
