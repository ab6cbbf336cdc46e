"""One selector for every method's candidates, so that who proposes and who selects can be told apart.

Each method is asked for the same number of candidates, and the classifier is asked about each of them once. Kept are
those that are valid, each once; the nearest of every strategy (which columns change, and in which direction) come
first, those with fewer changes before those with more, then variations.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet_bench.baselines.method import FittedMethod, Given
from counterflownet_bench.benchmark.scoring import Scoring
from counterflownet_bench.metrics import Answers

POOL = 100  # candidates for each row


def selected(fitted: FittedMethod, scoring: Scoring, targets: Sequence[Any], count: int) -> Given:
    """The best ``count`` of 100 candidates of each row, as they are drawn by a method."""
    pool = fitted.answer(scoring.rows, targets, count=POOL, selection="raw")
    answers = scoring.answers(pool, POOL)
    kept = np.flatnonzero(answers.valid & _first_of_their_kind(answers))
    order = kept[_order(answers, scoring, kept)]
    places = np.arange(len(order)) - np.searchsorted(answers.row[order], answers.row[order])
    shown = order[places < count]
    return Given.of_rows(
        answers.counterfactuals.take(shown), answers.row[shown], row_count=len(scoring.rows), count=count
    )


def _first_of_their_kind(answers: Answers) -> ndarray:
    named = answers.counterfactuals.assign(**{"row of the candidate": answers.row})
    return ~named.duplicated().to_numpy()


def _order(answers: Answers, scoring: Scoring, kept: Int[ndarray, " kept"]) -> Int[ndarray, " kept"]:
    """By row; there by how many nearer ones of the same strategy come before, then by changes, then by distance."""
    row = answers.row[kept]
    changes = answers.changed[kept].sum(axis=1)
    distance = _distances(answers, scoring)[kept]
    strategy = np.unique(np.column_stack([row, _moves(answers, scoring)[kept]]), axis=0, return_inverse=True)[1].ravel()
    nearest = np.lexsort([distance, strategy])
    before = np.empty_like(nearest)
    before[nearest] = pd.Series(strategy[nearest]).groupby(strategy[nearest]).cumcount()
    return np.lexsort([distance, changes, before, row])


def _moves(answers: Answers, scoring: Scoring) -> Int[ndarray, "answer feature"]:
    """0 for what stays, 1 for a change, -1 if it is one downwards."""
    moves = answers.changed.astype(np.int64)
    names = [str(name) for name in answers.factuals.columns]
    for column in scoring.ordered:
        before = column.position(answers.factuals[column.name])[answers.row]
        falls = column.position(answers.counterfactuals[column.name]) < before
        moves[falls, names.index(str(column.name))] *= -1
    return moves


def _distances(answers: Answers, scoring: Scoring) -> Float[ndarray, " answer"]:
    """Numbers in shares of their training range, and 1 for every other change."""
    numeric = list(scoring.data.card.continuous)
    others = [place for place, name in enumerate(answers.factuals.columns) if name not in numeric]
    distance = answers.changed[:, others].sum(axis=1).astype(np.float64)
    for name in numeric:
        unit = float(np.ptp(scoring.train[name])) or 1.0
        before = answers.factuals[name].to_numpy(dtype=np.float64)[answers.row]
        distance += np.abs(answers.counterfactuals[name].to_numpy(dtype=np.float64) - before) / unit
    return distance
