"""Nearest unlike neighbours: the nearest training rows that the classifier puts in the wanted class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray
from sklearn.neighbors import NearestNeighbors

from counterflownet_bench.baselines.method import Given, Task, class_numbers
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.metrics import without_copies
from counterflownet_bench.vectors import CategoryBlock, VectorSpace


@dataclass(frozen=True, slots=True)
class NearestUnlike:
    """Rows that exist, and so are plausible; valid by their choice.

    Near is what moves least in all: numbers by shares of their training range, another category by 1. No constraint is
    known to the method.
    """

    def settings(self) -> dict[str, Any]:
        return {}

    def fit(self, task: Task) -> "FittedNearestUnlike":
        return FittedNearestUnlike.of(task)


@dataclass(frozen=True, slots=True, eq=False)
class FittedNearestUnlike:
    """The training rows of each class, as the classifier sees them, each row once."""

    task: Task
    space: VectorSpace
    rows_of: Mapping[int, pd.DataFrame]
    index_of: Mapping[int, NearestNeighbors]

    @classmethod
    def of(cls, task: Task) -> "FittedNearestUnlike":
        space = vector_space(task.card, task.train, "range")
        known = task.train.drop_duplicates(ignore_index=True)
        predicted = task.classifier.probabilities(known).argmax(axis=1)
        rows_of = {int(number): known[predicted == number] for number in np.unique(predicted)}
        index_of = {
            number: NearestNeighbors(metric="manhattan").fit(_points(space, rows)) for number, rows in rows_of.items()
        }
        return cls(task, space, rows_of, index_of)

    @property
    def training(self) -> Mapping[str, Any]:
        return {"rows": sum(map(len, self.rows_of.values()))}

    def answer(
        self,
        rows: pd.DataFrame,
        targets: Sequence[Any],
        *,
        count: int,
        selection: str,  # noqa: ARG002 - there is one way to choose the nearest
    ) -> Given:
        wanted = class_numbers(self.task.classifier.classes, targets)
        ordered = rows[list(self.task.train.columns)]
        found = [self.nearest(ordered, np.flatnonzero(wanted == number), int(number), count) for number in set(wanted)]
        table, row = pd.concat([part for part, _ in found]), np.concatenate([own for _, own in found])
        order = np.argsort(row, kind="stable")
        table, row = table.take(order), row[order]
        kept = without_copies(ordered, table, row)  # a factual that is of the wanted class already is no answer
        return Given.of_rows(table.take(kept), row[kept], row_count=len(rows), count=count)

    def nearest(
        self, rows: pd.DataFrame, asked: Int[ndarray, " asked"], number: int, count: int
    ) -> tuple[pd.DataFrame, Int[ndarray, " answer"]]:
        """The nearest rows of a class for the rows that are asked; fewer where the class has fewer."""
        if number not in self.rows_of:
            return self.task.train.head(0), asked[:0]
        most = min(count, len(self.rows_of[number]))
        points = _points(self.space, rows.take(asked))
        places = self.index_of[number].kneighbors(points, most, return_distance=False)
        return self.rows_of[number].iloc[places.ravel()], asked.repeat(most)


def _points(space: VectorSpace, rows: pd.DataFrame) -> Float[ndarray, "row dimension"]:
    """Another category moves two of its coordinates, so each counts half."""
    widths = [(0.5 if isinstance(block, CategoryBlock) else 1.0, block.width) for block in space.blocks]
    return space.encode(rows) * np.concatenate([np.full(width, weight) for weight, width in widths])
