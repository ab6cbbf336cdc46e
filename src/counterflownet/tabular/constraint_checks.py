"""Whether constraints fit a table and each other, checked before any row is processed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from counterflownet.errors import ConstraintError
from counterflownet.tabular.constraint import (
    ColumnConstraint,
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)
from counterflownet.tabular.feature import ColumnName, Feature
from counterflownet.tabular.order_circles import impossible_circle
from counterflownet.tabular.rule import Constraint, LessEqual, Rule
from counterflownet.tabular.rule_book import check_rules
from counterflownet.tabular.schema import Schema

EXCLUSIVE = ((Immutable, Mutable), (Increasing, Decreasing))
ABOUT_VALUES = (Range, OneOf, NotOneOf)  # what these permit is the same for every row


Resolved = tuple[ColumnConstraint | MaxChanges, tuple[ColumnName, ...]]  # and the columns that it applies to


def resolved(schema: Schema, constraints: Any) -> tuple[Resolved, ...]:
    """The constraints with their columns; an error if one does not fit the table."""
    if not isinstance(constraints, (list, tuple)):
        raise ConstraintError(f"constraints must be a list, such as [Immutable('sex')]; got {constraints!r}.")
    return tuple(_resolved(schema, constraint) for constraint in constraints if not isinstance(constraint, Rule))


def checked_rules(schema: Schema, constraints: Sequence[Constraint]) -> tuple[Rule, ...]:
    """The rules among the constraints, each once; an error if one does not fit the table."""
    rules: list[Rule] = []
    for constraint in constraints:
        if isinstance(constraint, Rule) and constraint not in rules:
            constraint.columns(schema)
            rules.append(constraint)
    return tuple(rules)


def rule_clash(rules: Sequence[Rule]) -> str | None:
    """Why the rules of a row cannot be carried out together; None if they can."""
    try:
        check_rules(rules)
    except ConstraintError as error:
        return str(error)
    return None


def clash(schema: Schema, constraints: Sequence[Constraint]) -> str | None:
    """Which of the constraints exclude each other, whatever the row; None if none do."""
    return _exclusive(constraints) or _nothing_left(schema, constraints) or _circle(schema, constraints)


def check_labels(by_label: Any, labels: Any) -> None:
    """An error unless it is None or maps index labels, all among ``labels``, to constraints."""
    if by_label is not None and not isinstance(by_label, Mapping):
        raise ConstraintError(
            "row_constraints must map index labels to lists of constraints, such as "
            f"{{'first row': [Immutable('sex')]}}; got {by_label!r}."
        )
    for label in by_label or {}:
        if label not in labels:
            raise ConstraintError(
                f"row_constraints names row {label!r}, which is not among the rows to explain (by index label)."
            )


def _resolved(schema: Schema, constraint: Any) -> Resolved:
    if isinstance(constraint, MaxChanges):
        return constraint, ()
    if isinstance(constraint, ColumnConstraint):
        return constraint, constraint.columns(schema)
    raise ConstraintError(f"{constraint!r} is not a constraint; use objects such as Immutable('age'), MaxChanges(2).")


def _exclusive(constraints: Sequence[Constraint]) -> str | None:
    for one_kind, other_kind in EXCLUSIVE:
        for one in (c for c in constraints if isinstance(c, one_kind)):
            for other in (c for c in constraints if isinstance(c, other_kind)):
                shared = [name for name in one.names if name in other.names]
                if shared:
                    return f"{one!r} and {other!r} contradict each other on {shared[0]!r}. Drop one."
    return None


def _nothing_left(schema: Schema, constraints: Sequence[Constraint]) -> str | None:
    by_column: dict[Any, list[Range | OneOf | NotOneOf]] = defaultdict(list)
    for constraint in constraints:
        if isinstance(constraint, ABOUT_VALUES):
            by_column[constraint.column].append(constraint)
    for name, rules in by_column.items():
        numbers = _values_left_open(schema[name], rules)
        left = [rule.permits(schema[name], numbers, numbers) for rule in rules]
        if all(flags.any() for flags in left) and not np.logical_and.reduce(left).any():
            names = " and ".join(map(repr, rules))
            return f"{names} contradict each other: no value of {name!r} is left. Relax one of them."
    return None


def _circle(schema: Schema, constraints: Sequence[Constraint]) -> str | None:
    circle = impossible_circle(schema, [rule for rule in constraints if isinstance(rule, LessEqual)])
    if not circle:
        return None
    names = " and ".join(map(repr, circle))
    return f"{names} exclude each other, whatever the values of a row. Drop one."


def _values_left_open(feature: Feature, rules: Sequence[Range | OneOf | NotOneOf]) -> Float[ndarray, " value"]:
    """Every number that an answer might take: those of training rows, and the borders of ranges."""
    if not feature.numeric:
        return feature.code_numbers
    ends = [end for rule in rules if isinstance(rule, Range) for end in rule.bounds(feature) if np.isfinite(end)]
    return np.concatenate([feature.steps.number, ends])
