"""Constraints compiled for some rows: what is allowed in each, and where they exclude each other."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from counterflownet._space import Allowed, without_own_codes
from counterflownet.errors import ConstraintError
from counterflownet.tabular.codec import Codec
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
from counterflownet.tabular.frame import plain
from counterflownet.tabular.schema import Schema

EXCLUSIVE = ((Immutable, Mutable), (Increasing, Decreasing))
ABOUT_VALUES = (Range, OneOf, NotOneOf)  # what these permit is the same for every row


@dataclass(frozen=True, slots=True, eq=False)
class Allowance:
    """What is allowed in each row, and, by row position, why nothing can be."""

    allowed: Allowed
    contradictions: Mapping[int, str]


def compile_constraints(
    codec: Codec, constraints: Sequence[Constraint], by_label: Mapping[Any, Sequence[Constraint]] | None = None
) -> Allowance:
    """What the constraints leave of each row; ``by_label`` adds some for single rows, by their index label."""
    check_constraints(codec.schema, constraints)
    draft = _Draft(codec)
    everyone = np.arange(len(codec))
    for constraint in constraints:
        draft.apply(constraint, everyone)
    for label, own in (by_label or {}).items():
        check_constraints(codec.schema, [*constraints, *own])
        for constraint in own:
            draft.apply(constraint, _positions(codec, label))
    return draft.finished()


def check_constraints(schema: Schema, constraints: Sequence[Constraint]) -> None:
    """An error if one of them does not fit the table, or if they exclude each other whatever the row."""
    for constraint in constraints:
        if not isinstance(constraint, (ColumnConstraint, MaxChanges)):
            raise ConstraintError(
                f"{constraint!r} is no constraint; give objects such as Immutable('age') or MaxChanges(2)."
            )
        if isinstance(constraint, ColumnConstraint):
            constraint.columns(schema)
    _check_exclusive(constraints)
    _check_values_left(schema, constraints)


def _check_exclusive(constraints: Sequence[Constraint]) -> None:
    for one_kind, other_kind in EXCLUSIVE:
        for one in (c for c in constraints if isinstance(c, one_kind)):
            for other in (c for c in constraints if isinstance(c, other_kind)):
                shared = [name for name in one.names if name in other.names]
                if shared:
                    raise ConstraintError(f"{one!r} and {other!r} exclude each other on {shared[0]!r}. Drop one.")


def _check_values_left(schema: Schema, constraints: Sequence[Constraint]) -> None:
    about: dict[Any, list[Range | OneOf | NotOneOf]] = defaultdict(list)
    for constraint in constraints:
        if isinstance(constraint, ABOUT_VALUES):
            about[constraint.column].append(constraint)
    for name, own in about.items():
        left = [constraint.permits(schema[name], pd.Series(dtype=object)) for constraint in own]
        if all(flags.any() for flags in left) and not np.logical_and.reduce(left).any():
            names = " and ".join(map(repr, own))
            raise ConstraintError(f"{names} exclude each other: no value of {name!r} is left. Loosen one of them.")


class _Draft:
    """Masks that get narrower with every constraint, and who narrowed them."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.space = codec.schema.space
        self.codes = np.ones((len(codec), self.space.code_total), dtype=np.bool_)
        self.keeps = np.ones((len(codec), self.space.feature_count), dtype=np.bool_)
        self.most_changes = np.full(len(codec), self.space.feature_count)
        self.applied: list[tuple[Constraint, NDArray[np.int64]]] = []

    def apply(self, constraint: Constraint, rows: NDArray[np.int64]) -> None:
        self.applied.append((constraint, rows))
        if isinstance(constraint, MaxChanges):
            self.most_changes[rows] = np.minimum(self.most_changes[rows], constraint.count)
            return
        for name in constraint.columns(self.codec.schema):
            d = self.codec.schema.position(name)
            feature, column = self.codec.schema.features[d], self.codec.rows[name].iloc[rows]
            self.codes[rows, self.space.span(d)] &= constraint.permits(feature, column)
            self.keeps[rows, d] &= constraint.keeps(feature, column)

    def finished(self) -> Allowance:
        allowed = Allowed(
            codes=without_own_codes(self.space, torch.from_numpy(self.codes), torch.from_numpy(self.codec.codes)),
            required=torch.from_numpy(~self.keeps),
            most_changes=torch.from_numpy(self.most_changes),
        )
        editable = allowed.editable(self.space).numpy()
        stuck = ~self.keeps & ~editable
        crowded = (~self.keeps).sum(axis=1) > self.most_changes
        contradictions = {
            int(row): self._stuck_text(int(row), int(stuck[row].argmax())) for row in np.flatnonzero(stuck.any(1))
        }
        contradictions |= {int(row): self._crowded_text(int(row)) for row in np.flatnonzero(crowded & ~stuck.any(1))}
        return Allowance(allowed, contradictions)

    def _stuck_text(self, row: int, d: int) -> str:
        name = self.codec.schema.names[d]
        names = [
            repr(constraint)
            for constraint, rows in self.applied
            if isinstance(constraint, ColumnConstraint)
            and name in constraint.columns(self.codec.schema)
            and row in rows
        ]
        value = plain(self.codec.rows[name].iloc[row])
        return f"{' and '.join(names)} leave no value for {name!r}, which is {value!r}"

    def _crowded_text(self, row: int) -> str:
        names = [repr(name) for name, keep in zip(self.codec.schema.names, self.keeps[row], strict=True) if not keep]
        return f"MaxChanges({self.most_changes[row]}) is too few: {', '.join(names)} must change"


def _positions(codec: Codec, label: Any) -> NDArray[np.int64]:
    try:
        place = codec.rows.index.get_loc(label)  # a number, a slice or flags, if the label is there more than once
    except (KeyError, TypeError, pd.errors.InvalidIndexError) as error:
        raise ConstraintError(
            f"row_constraints names row {label!r}, which is not among the rows to explain (their index labels count)."
        ) from error
    return np.atleast_1d(np.arange(len(codec))[place])
