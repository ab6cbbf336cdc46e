"""Rows of anybody's making as answers: whether they are valid, how good they are, and which constraints they break."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.explain import CounterFlowNet
from counterflownet.serve.predicting import predictions, told_by
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.constraint import MaxChanges, Mutable
from counterflownet.tabular.frame_pair import same_cells
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.verification import DecodedRows

Flags = NDArray[np.bool_]


def judged(
    explainer: CounterFlowNet,
    before: pd.DataFrame,
    after: pd.DataFrame,
    constraints: Sequence[Constraint],
    **asked: Any,
) -> list[dict[str, Any]]:
    """One record for each row of ``after``, an answer to the row of ``before`` at the same position."""
    schema, terms = explainer.schema, list(explainer.terms)
    scores = explainer.score(before, after, **asked)
    changed = changed_cells(schema, before, after, constraints)
    broken = [broken_by(schema, before, after, constraint, changed) for constraint in constraints]
    predicted = predictions(explainer, after)
    told = told_by(explainer)
    return [
        {
            "valid": bool(scores["valid"].iloc[row]),
            told: float(scores[told].iloc[row]),
            "predicted": predicted[row]["predicted"],
            "reward": float(scores["reward"].iloc[row]),
            "terms": {name: float(scores[name].iloc[row]) for name in terms if name in scores},
            "changed": [schema.names[d] for d in np.flatnonzero(changed[row])],
            "broken": [number for number, flags in enumerate(broken) if flags[row]],
        }
        for row in range(len(after))
    ]


def changed_cells(
    schema: Schema, before: pd.DataFrame, after: pd.DataFrame, constraints: Sequence[Constraint]
) -> Flags:
    """Which cells are changes: those that differ, but for what follows from others by a rule."""
    pairs = [(before[name].array, after[name].array) for name in schema.names]
    changed = np.stack([~same_cells(one, other) for one, other in pairs], axis=1)
    book = CheckedConstraints.of(schema, constraints).book(schema, before.index)
    for name in book.followers if book is not None else ():
        changed[:, schema.position(name)] = False
    return changed


def broken_by(
    schema: Schema, before: pd.DataFrame, after: pd.DataFrame, constraint: Constraint, changed: Flags
) -> Flags:
    """Which rows break one constraint."""
    if isinstance(constraint, MaxChanges):
        return np.asarray(changed.sum(axis=1) > constraint.count)
    if isinstance(constraint, Mutable):
        return np.asarray(changed[:, [schema.position(name) for name in constraint.columns(schema)]].any(axis=1))
    moved = np.stack([~same_cells(before[name].array, after[name].array) for name in schema.names], axis=1)
    one, other = before.reset_index(drop=True), after.reset_index(drop=True)
    decoded = DecodedRows(schema, one, other, np.arange(len(after)), moved)
    return ~decoded.sound(CheckedConstraints.of(schema, [constraint]))
