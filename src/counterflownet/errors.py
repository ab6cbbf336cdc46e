"""Every error a user can cause: what was given, what is allowed, what to do."""

import math
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

from counterflownet._printable import printable


class CounterFlowNetError(Exception):
    """The base class of all errors of this library; what a text quotes from data cannot act in a terminal."""

    def __str__(self) -> str:
        return "\n".join(printable(line) for line in super().__str__().split("\n"))


class InvalidInputError(CounterFlowNetError, ValueError):
    """An argument or a table that cannot be used."""


class ConstraintError(InvalidInputError):
    """Constraints that name something unknown, or that contradict each other."""


class NoSuchRowError(InvalidInputError, IndexError, KeyError):
    """A position or a label that no row of an explanation has."""


class ClassifierError(CounterFlowNetError, ValueError):
    """A classifier that fails, or that returns something other than probabilities."""


class TrainingError(CounterFlowNetError, ArithmeticError):
    """A training in which the weights of the flow became infinite or NaN."""


class NotFittedError(CounterFlowNetError, RuntimeError):
    """An explainer was used before it was fitted."""


class SavedFileError(CounterFlowNetError, ValueError):
    """A file that cannot be read: of another kind, of an unknown version, or damaged."""


class MissingExtraError(CounterFlowNetError, ImportError):
    """An optional package is needed but not installed."""


class UnstableClassifierWarning(UserWarning):
    """A classifier that contradicted itself: asked about the same rows again, it put some in another class."""


class LeftOutWarning(UserWarning):
    """Answers that failed the last check against the constraints, and were left out: a fault to be reported."""


class ClassifierChangedWarning(UserWarning):
    """A loaded explainer was given a classifier whose predictions differ from the one it was fitted with."""


class HardLabelsWarning(UserWarning):
    """A classifier that predicts classes without probabilities: validity is 0 or 1."""


class WeakDirectionWarning(UserWarning):
    """A fit in which samples from one class to another stayed mostly invalid, whatever was done about it."""


class PlausibilityOffWarning(UserWarning):
    """An explainer was loaded from a file without training rows, and no reference rows were given."""


def unknown_name(
    kind: str, given: object, allowed: Iterable[object], remedy: str = "", shown: Callable[[object], str] = str
) -> InvalidInputError:
    """The error for an unknown name, with the closest known one as a suggestion; ``shown`` is how names are listed."""
    return InvalidInputError(unknown_name_text(kind, given, allowed, remedy, shown))


def unknown_name_text(
    kind: str, given: object, allowed: Iterable[object], remedy: str = "", shown: Callable[[object], str] = str
) -> str:
    """What that error says."""
    names = list(allowed)
    near = get_close_matches(str(given), map(str, names), n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"unknown {kind} {given!r}.{guess} Allowed: {listed(map(shown, names))}. {remedy}".rstrip()


def counted(count: int, thing: str) -> str:
    """A number of things, as in ``1 row`` and ``2 rows``."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def listed(names: Iterable[object], most: int = 12) -> str:
    """Names separated by commas; of a long list, the tail is only counted."""
    texts = [str(name) for name in names]
    tail = f", ... ({len(texts) - most} more)" if len(texts) > most else ""
    return ", ".join(texts[:most]) + tail


def check_between(name: str, value: Any, low: float, high: float) -> None:
    """An error unless it is a number with ``low <= value <= high``."""
    if not (_is_number(value) and low <= value <= high):
        raise InvalidInputError(f"{name} must be between {low:g} and {high:g}; got {value!r}.")


def check_at_least(name: str, value: Any, low: float) -> None:
    """An error unless it is a finite number with ``value >= low``."""
    if not (_is_number(value) and low <= value < math.inf):
        raise InvalidInputError(f"{name} must be at least {low:g} and finite; got {value!r}.")


def check_positive(name: str, value: Any, remedy: str = "") -> None:
    """An error unless it is a finite number above 0."""
    if not (_is_number(value) and 0 < value < math.inf):
        raise InvalidInputError(f"{name} must be a finite number above 0; got {value!r}. {remedy}".rstrip())


def check_count(name: str, value: Any, least: int = 1) -> None:
    """An error unless it is an integer of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise InvalidInputError(f"{name} must be a whole number of at least {least}; got {value!r}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def check_one_of(name: str, value: object, allowed: Iterable[object]) -> None:
    """An error unless ``value`` is one of ``allowed``."""
    options = list(allowed)
    if value not in options:
        raise unknown_name(name, value, options)
