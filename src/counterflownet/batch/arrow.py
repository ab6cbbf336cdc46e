"""Answers as Arrow tables whose types are known before the first row is explained, so that all shards agree."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation
from counterflownet.tabular.feature import Feature, Kind

ERRORS = (("row", pa.int64()), ("reason", pa.string()))
NAMES = pa.list_(pa.string())


@dataclass(frozen=True, slots=True)
class AnswerTypes:
    """The columns of the three tables: ``answers``, the ``rows`` that were explained, and ``errors``."""

    answers: pa.Schema
    rows: pa.Schema
    errors: pa.Schema

    @classmethod
    def of(cls, explainer: CounterFlowNet, id_type: pa.DataType) -> "AnswerTypes":
        """Those of an explainer, for rows whose ids are of this type."""
        own = [(str(feature.name), _type_of(feature, explainer.dtypes[feature.name])) for feature in explainer.schema]
        taken = [name for name, _ in own]
        told_as = "probability" if explainer.classes else "prediction"
        judged = [(name, pa.float64()) for name in (f"{told_as}_before", told_as, "reward", *explainer.terms)]
        told = [("factual", id_type), ("rank", pa.int64()), ("strategy", pa.int64()), ("changed", NAMES)]
        told = [(_free_name(name, taken), kind) for name, kind in (*told, ("follows", NAMES))]
        label = pa.array(list(explainer.classes)).type if explainer.classes else pa.float64()
        outcome = [("outcome", pa.string()), ("reason", pa.string()), ("predicted", label), ("target", pa.string())]
        counted = [(f"{told_as}_before", pa.float64()), ("answers", pa.int64())]
        return cls(
            pa.schema([*told, *own, *((_free_name(name, taken), kind) for name, kind in judged)]),
            pa.schema([("factual", id_type), *outcome, *counted]),
            pa.schema([("factual", id_type), *ERRORS]),
        )

    def answers_of(self, explanation: Explanation) -> pa.Table:
        """One line per counterfactual."""
        names = [str(name) for name in explanation.factuals.columns]
        follows = np.zeros_like(explanation.changed) if explanation.follows is None else explanation.follows
        missing = np.full(len(explanation.row), np.nan)
        told: list[Any] = [
            explanation.factuals.index.take(explanation.row),
            explanation.rank,
            explanation.strategy,
            _listed(names, explanation.changed),
            _listed(names, follows),
            *(explanation.counterfactuals[name] for name in explanation.counterfactuals.columns),
            explanation.probability_before[explanation.row],
            explanation.probability,
            explanation.reward,
        ]
        terms = [field.name.rstrip("_") for field in list(self.answers)[len(told) :]]
        told += [explanation.terms.get(name, missing) for name in terms]
        return _table(told, self.answers)

    def rows_of(self, explanation: Explanation) -> pa.Table:
        """One line per row, with or without an answer."""
        counts = np.bincount(explanation.row, minlength=len(explanation.factuals))
        told = [
            explanation.factuals.index,
            [row.outcome.name.lower() for row in explanation.outcomes],
            [row.reason for row in explanation.outcomes],
            list(explanation.predicted),
            [str(target) for target in explanation.targets],
            explanation.probability_before,
            counts,
        ]
        return _table(told, self.rows)

    def errors_of(self, ids: Sequence[Any], places: Sequence[int], reasons: Sequence[str]) -> pa.Table:
        """One line per row that could not be explained; ``places`` count from 0."""
        return _table([list(ids), list(places), list(reasons)], self.errors)


def _type_of(feature: Feature, dtype: Any) -> pa.DataType:
    """The Arrow type of a column in training; numbers that answers may put between whole ones are no integers."""
    if feature.kind is Kind.CONTINUOUS:
        return pa.float64()
    if feature.kind is Kind.INTEGER:
        return pa.from_numpy_dtype(dtype) if isinstance(dtype, np.dtype) else pa.int64()
    if feature.kind is Kind.DATE and dtype != np.dtype(object):
        return pa.array(pd.Series([], dtype=dtype)).type
    return pa.array(list(feature.values)).type


def _table(columns: Sequence[Any], types: pa.Schema) -> pa.Table:
    arrays = [_array(column, field) for column, field in zip(columns, types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=types)


def _array(column: Any, field: pa.Field) -> pa.Array:
    plain = column.astype(object) if isinstance(getattr(column, "dtype", None), pd.CategoricalDtype) else column
    return pa.array(plain, type=field.type, from_pandas=True)


def _listed(names: Sequence[str], marked: np.ndarray) -> list[list[str]]:
    return [[names[place] for place in np.flatnonzero(flags).tolist()] for flags in marked]


def _free_name(name: str, taken: Collection[Hashable]) -> str:
    while name in taken:
        name += "_"
    return name
