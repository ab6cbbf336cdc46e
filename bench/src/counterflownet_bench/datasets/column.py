"""The columns of a published table: numbers, and categories with their values."""

from collections.abc import Iterable
from dataclasses import dataclass, field

Value = int | float | str


@dataclass(frozen=True, slots=True)
class Number:
    """A column that the protocols treat as continuous, also where all its numbers are whole."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A column of few values, listed in their order if they have one."""

    name: str
    values: tuple[Value, ...]
    ordered: bool
    labels: tuple[str, ...] = field(default=(), repr=False)
    """What the values mean, one for each, where they are codes."""

    @property
    def value_of_label(self) -> dict[str, Value]:
        return dict(zip(self.labels, self.values, strict=True))


Column = Number | Category


def nominal(name: str, values: Iterable[Value], *, labels: Iterable[str] = ()) -> Category:
    """A column whose values have no order."""
    return Category(name=name, values=tuple(values), ordered=False, labels=tuple(labels))


def ordinal(name: str, values: Iterable[Value], *, labels: Iterable[str] = ()) -> Category:
    """A column whose values are given from low to high."""
    return Category(name=name, values=tuple(values), ordered=True, labels=tuple(labels))


def words(text: str) -> tuple[str, ...]:
    """The words of a text, so that a long list of values stays readable."""
    return tuple(text.split())
