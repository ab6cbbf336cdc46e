"""Any method's answers as the records that metrics are functions of."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet import Schema
from counterflownet.errors import InvalidInputError, listed
from counterflownet.seeds import row_keys
from counterflownet.tabular import ColumnName
from counterflownet_bench.metrics.answers import Answers
from counterflownet_bench.metrics.changes import ChangeEvaluation
from counterflownet_bench.metrics.coded import CodedEvaluation
from counterflownet_bench.metrics.mixed import ConventionName, MixedEvaluation
from counterflownet_bench.metrics.mixed_space import MixedSpace

ValidityCheck = Callable[[pd.DataFrame, NDArray[np.int64]], NDArray[np.bool_]]
"""Which rows are valid, given the rows and the position of the factual that each belongs to."""

JUDGED_AT_ONCE = 50_000


def coded_evaluation(answers: Answers, schema: Schema, *, increasing: Sequence[ColumnName] = ()) -> CodedEvaluation:
    """The record of Protocol A; ``increasing`` names the monotone features, which must have an order."""
    for name in increasing:
        if not schema[name].has_order:
            raise InvalidInputError(
                f"column {name!r} has no order, so it cannot be monotone; give orders= to the schema."
            )
    _check_covered(answers, schema.names, "schema")
    factual, codes = _codes(schema, answers.factuals), _codes(schema, answers.counterfactuals)
    _check_known(answers, schema, codes)
    return CodedEvaluation(
        factual=factual,
        counterfactual=answers.placed(codes, empty=-1),
        changed=answers.placed(_in_order(answers.changed, answers, schema), empty=False),
        present=answers.present,
        valid=answers.placed(answers.valid, empty=False),
        increasing=np.isin(np.arange(len(schema)), [schema.position(name) for name in increasing]),
    )


def mixed_evaluation(answers: Answers, space: MixedSpace) -> MixedEvaluation:
    """The record of Protocol B, with the outlier factors of all valid answers."""
    _check_covered(answers, (*space.numeric, *space.categorical), "space")
    return MixedEvaluation(
        factual_numbers=space.numbers(answers.factuals),
        factual_codes=space.codes(answers.factuals),
        numbers=answers.placed(space.numbers(answers.counterfactuals), empty=np.nan),
        codes=answers.placed(space.codes(answers.counterfactuals), empty=-1),
        present=answers.present,
        valid=answers.placed(answers.valid, empty=False),
        scale=space.scale,
        lof_range=_placed_factors(answers, space, "range"),
        lof_zscore=_placed_factors(answers, space, "zscore"),
    )


def change_evaluation(answers: Answers, train: pd.DataFrame, judge: ValidityCheck) -> ChangeEvaluation:
    """The record of changes: ``judge`` is asked about every valid answer with one of its changes undone."""
    return ChangeEvaluation(
        changed=answers.placed(answers.changed, empty=False),
        superfluous=answers.placed(superfluous_changes(answers, judge), empty=False),
        in_training=answers.placed(equal_to_any(answers.counterfactuals, train), empty=False),
        present=answers.present,
        valid=answers.placed(answers.valid, empty=False),
    )


def superfluous_changes(answers: Answers, judge: ValidityCheck) -> Bool[ndarray, "answer feature"]:
    """Which single changes of valid answers could be undone without making the answer invalid.

    The only change of an answer is never superfluous: without it there is no answer.
    """
    several = answers.valid & (answers.changed.sum(axis=1) > 1)
    number, feature = np.nonzero(answers.changed & several[:, None])
    found = np.zeros_like(answers.changed)
    for start in range(0, len(number), JUDGED_AT_ONCE):
        some = slice(start, start + JUDGED_AT_ONCE)
        rows = _undone(answers, number[some], feature[some])
        found[number[some], feature[some]] = judge(rows, answers.row[number[some]])
    return found


def equal_to_any(rows: pd.DataFrame, others: pd.DataFrame) -> Bool[ndarray, " row"]:
    """Which rows equal one of the others in every column of ``rows``; 3 equals 3.0."""
    codes = []
    for name in rows.columns:
        both = pd.concat([rows[name].astype(object), others[name].astype(object)], ignore_index=True)
        codes.append(pd.factorize(both)[0])
    keys = row_keys(np.stack(codes, axis=1).astype(np.int64), seed=0)
    return np.isin(keys[: len(rows)], keys[len(rows) :])


def _undone(answers: Answers, number: Int[ndarray, " some"], feature: Int[ndarray, " some"]) -> pd.DataFrame:
    """Each numbered counterfactual with the factual's value in one feature."""
    columns = {}
    for position, name in enumerate(answers.factuals.columns):
        pool = pd.concat([answers.counterfactuals[name], answers.factuals[name]], ignore_index=True)
        own = len(answers.row) + answers.row[number]
        columns[name] = pool.take(np.where(feature == position, own, number)).reset_index(drop=True)
    return pd.DataFrame(columns)


def _codes(schema: Schema, rows: pd.DataFrame) -> Int[ndarray, "row feature"]:
    return np.stack([feature.encode(rows[feature.name]) for feature in schema], axis=1)


def _check_covered(answers: Answers, names: Sequence[ColumnName], what: str) -> None:
    """A change in a column that nobody looks at would go unnoticed."""
    odd = sorted(map(str, set(answers.factuals.columns) ^ set(names)))
    if odd:
        raise InvalidInputError(f"the {what} and the answers must have the same columns; only one has: {listed(odd)}.")


def _in_order(flags: Bool[ndarray, "answer feature"], answers: Answers, schema: Schema) -> ndarray:
    return flags[:, answers.factuals.columns.get_indexer(pd.Index(schema.names))]


def _check_known(answers: Answers, schema: Schema, codes: Int[ndarray, "answer feature"]) -> None:
    """Two values that the schema never saw would share a code, and so seem equal."""
    unseen = np.array([feature.unseen_code for feature in schema])
    odd = np.argwhere((codes == unseen) & _in_order(answers.changed, answers, schema))
    if len(odd):
        name = schema.names[odd[0, 1]]
        given = answers.counterfactuals[name].iloc[odd[0, 0]]
        raise InvalidInputError(f"a counterfactual changes column {name!r} to {given!r}, which is none of its values.")


def _placed_factors(answers: Answers, space: MixedSpace, convention: ConventionName) -> ndarray:
    factors = np.full(len(answers.row), np.nan)
    factors[answers.valid] = space.outlier_factors(answers.counterfactuals[answers.valid], convention)
    return answers.placed(factors, empty=np.nan)
