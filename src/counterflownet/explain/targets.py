"""What may be asked for besides one class: several classes, or where a prediction is to lie."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from counterflownet.errors import InvalidInputError


@dataclass(frozen=True, repr=False)
class ClassesTarget:
    """Some classes of the model, in the order in which they were named."""

    classes: tuple[Any, ...]

    def __init__(self, *classes: Any) -> None:
        name = type(self).__name__
        if not classes:
            raise InvalidInputError(f"{name} needs at least one class, such as {name}('good').")
        if len(classes) == 1 and isinstance(classes[0], (list, set, frozenset, np.ndarray)):
            raise InvalidInputError(f"{name} takes classes one by one: write {name}(*{classes[0]!r}).")
        plain = (label.item() if isinstance(label, np.generic) else label for label in classes)
        object.__setattr__(self, "classes", tuple(plain))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.classes))})"


class AnyOf(ClassesTarget):
    """Any of several classes will do: ``AnyOf("good", "fair")``.

    An answer is valid if the class that the model predicts is one of them. Its probability is that of all of them
    together, which is also what ``confidence`` asks for.

    Args:
        classes: The classes that are acceptable.
    """


class Not(ClassesTarget):
    """Any class but these: ``Not("bad")`` is ``AnyOf`` of all the others.

    Args:
        classes: The classes that are not acceptable.
    """


@dataclass(frozen=True, repr=False)
class Between:
    """A prediction from ``low`` to ``high``, both included.

    Args:
        low: The lowest prediction that will do.
        high: The highest prediction that will do.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        low, high = (checked_number(f"Between.{name}", getattr(self, name)) for name in ("low", "high"))
        if low > high:
            raise InvalidInputError(
                f"Between needs low <= high; got {self!r}. Did you mean Between({high:g}, {low:g})?"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def __repr__(self) -> str:
        return f"Between({self.low:.12g}, {self.high:.12g})"


@dataclass(frozen=True, repr=False)
class AtLeast:
    """A prediction of ``low`` or more.

    Args:
        low: The lowest prediction that will do.
    """

    low: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", checked_number("AtLeast", self.low))

    @property
    def high(self) -> float:
        """There is no highest prediction."""
        return math.inf

    def __repr__(self) -> str:
        return f"AtLeast({self.low:.12g})"


@dataclass(frozen=True, repr=False)
class AtMost:
    """A prediction of ``high`` or less.

    Args:
        high: The highest prediction that will do.
    """

    high: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "high", checked_number("AtMost", self.high))

    @property
    def low(self) -> float:
        """There is no lowest prediction."""
        return -math.inf

    def __repr__(self) -> str:
        return f"AtMost({self.high:.12g})"


Interval = Between | AtLeast | AtMost


@dataclass(frozen=True, repr=False)
class By:
    """A prediction that differs from the row's own by at least so much, in the direction of the sign.

    ``By(0.2)`` asks for 0.2 more or higher still, ``By(-0.2)`` for 0.2 less; ``By(percent=20)`` for a fifth of the
    row's own prediction more, whatever its sign.

    Args:
        amount: How much, in units of the prediction.
        percent: How much, in per cent of the size of the row's own prediction; give one of the two.
    """

    amount: float | None = None
    percent: float | None = None

    def __post_init__(self) -> None:
        if (self.amount is None) == (self.percent is None):
            raise InvalidInputError(f"By takes an amount or a percentage: By(0.2) or By(percent=20); got {self!r}.")
        name = "percent" if self.amount is None else "amount"
        given = checked_number(f"By.{name}", getattr(self, name))
        if given == 0:
            raise InvalidInputError("By(0) asks for no change; give how much the prediction is to rise or fall.")
        object.__setattr__(self, name, given)

    def interval(self, before: float) -> Interval:
        """Where the prediction of a row must lie whose own is ``before``."""
        if self.amount is not None:
            step = self.amount
        elif before == 0 or self.percent is None:
            raise InvalidInputError(
                f"{self!r} has no meaning for a row whose own prediction is 0. Give an amount, such as By(0.5)."
            )
        else:
            step = abs(before) * self.percent / 100
        return AtLeast(before + step) if step > 0 else AtMost(before + step)

    def __repr__(self) -> str:
        parts = (
            [] if self.amount is None else [f"{self.amount:+.12g}" if _is_number(self.amount) else repr(self.amount)]
        )
        parts += [] if self.percent is None else [f"percent={self.percent!r}"]
        return f"By({', '.join(parts)})"


NumberTarget = Interval | By


def checked_number(name: str, given: Any) -> float:
    """The number as a float; an error if it is none, or not finite."""
    if not _is_number(given) or not math.isfinite(given):
        raise InvalidInputError(f"{name} must be a finite number; got {given!r}.")
    return float(given)


def _is_number(given: Any) -> bool:
    return isinstance(given, Real) and not isinstance(given, (bool, np.bool_))
