"""Whether constraints fit a table and each other, checked before any row is processed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.errors import ConstraintError
from counterflownet.tabular.constraint import (
    ColumnConstraint,
    Constraint,
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.schema import Schema

EXCLUSIVE = ((Immutable, Mutable), (Increasing, Decreasing))
ABOUT_VALUES = (Range, OneOf, NotOneOf)  # what these permit is the same for every row


Resolved = tuple[Constraint, tuple[ColumnName, ...]]  # a constraint and the columns it applies to


def resolved(schema: Schema, constraints: Any, beside: Sequence[Constraint] = ()) -> tuple[Resolved, ...]:
    """The constraints with their columns; an error if one does not fit the table or contradicts those ``beside``."""
    if not isinstance(constraints, (list, tuple)):
        raise ConstraintError(f"constraints must be a list, such as [Immutable('sex')]; got {constraints!r}.")
    rules = tuple(_resolved(schema, constraint) for constraint in constraints)
    together = [*beside, *constraints]
    _check_exclusive(together)
    _check_values_left(schema, together)
    return rules


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


def _check_exclusive(constraints: Sequence[Constraint]) -> None:
    for one_kind, other_kind in EXCLUSIVE:
        for one in (c for c in constraints if isinstance(c, one_kind)):
            for other in (c for c in constraints if isinstance(c, other_kind)):
                shared = [name for name in one.names if name in other.names]
                if shared:
                    raise ConstraintError(f"{one!r} and {other!r} contradict each other on {shared[0]!r}. Drop one.")


def _check_values_left(schema: Schema, constraints: Sequence[Constraint]) -> None:
    by_column: dict[Any, list[Range | OneOf | NotOneOf]] = defaultdict(list)
    for constraint in constraints:
        if isinstance(constraint, ABOUT_VALUES):
            by_column[constraint.column].append(constraint)
    for name, rules in by_column.items():
        left = [rule.permits(schema[name], pd.Series(dtype=object)) for rule in rules]
        if all(flags.any() for flags in left) and not np.logical_and.reduce(left).any():
            names = " and ".join(map(repr, rules))
            raise ConstraintError(f"{names} contradict each other: no value of {name!r} is left. Relax one of them.")
