"""What our method and every other one have in common: what it is told, and what it answers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet import Classifier, Constraint, Schema
from counterflownet.errors import unknown_name
from counterflownet_bench.datasets import DatasetCard


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Task:
    """What a method may know: training rows without labels, the classifier, columns, constraints and the seed."""

    card: DatasetCard
    train: pd.DataFrame
    classifier: Classifier
    schema: Schema
    constraints: Sequence[Constraint]
    seed: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Given:
    """What a method answers: rows, the position of each one's factual, its rank from 1, and how many rows went how."""

    counterfactuals: pd.DataFrame
    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    outcomes: Mapping[str, int]

    @classmethod
    def of_rows(cls, counterfactuals: pd.DataFrame, row: NDArray[np.int64], *, row_count: int, count: int) -> "Given":
        """Answers of which those of one row stand together, rows in order, the best first."""
        found = np.bincount(row, minlength=row_count)
        words = np.select([found >= count, found > 0], ["complete", "partial"], "none")
        return cls(
            counterfactuals=counterfactuals.reset_index(drop=True),
            row=row,
            rank=places_within(row) + 1,
            outcomes=Counter(words.tolist()),
        )


def places_within(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each answer among those of its row, from 0; answers of one row stand together, rows in order."""
    return np.arange(len(row)) - np.searchsorted(row, row)


def class_numbers(classes: Sequence[Any], targets: Sequence[Any]) -> NDArray[np.int64]:
    """The number of each target among a classifier's classes, or an error that lists them."""
    for target in targets:
        if target not in classes:
            raise unknown_name("target", target, classes)
    return np.array([classes.index(target) for target in targets], dtype=np.int64)


class FittedMethod(Protocol):
    """A method that is ready to answer."""

    @property
    def training(self) -> Mapping[str, Any]:
        """How the fit went, as far as there is something to tell: steps, minutes, why it ended."""
        ...

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:
        """At most ``count`` counterfactuals of each row; a place without an answer is left out, never filled.

        ``selection`` is how answers are chosen, of which only our own method knows several.
        """
        ...


class Method(Protocol):
    """What our method and every other one have in common, and all that the benchmark uses."""

    def settings(self) -> dict[str, Any]:
        """Everything that decides the answers but data and seed, as JSON knows it."""
        ...

    def fit(self, task: Task) -> FittedMethod:
        """The method after whatever it does before the first question."""
        ...
