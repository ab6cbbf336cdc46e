"""Where searches look for answers: vectors of the training rows' range, and the rows that they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.seeds import derived_seed, numpy_generator, row_keys
from counterflownet_bench.baselines.method import Given, Task, class_numbers, places_within
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.metrics import without_copies
from counterflownet_bench.vectors import CategoryBlock, NumberBlock, VectorSpace

_SAME = 1e-9  # coordinates that differ by less are the same value, written and read again


@dataclass(frozen=True, slots=True, eq=False)
class SearchSpace:
    """Numbers from 0 to 1 over the training rows and one-hot categories, of which immutable columns are not free."""

    task: Task
    vectors: VectorSpace
    free: Bool[ndarray, " dimension"]

    @classmethod
    def of(cls, task: Task) -> "SearchSpace":
        vectors = vector_space(task.card, task.train, "range")
        return cls(task, vectors, ~vectors.of_columns(task.card.immutable))

    def moves(
        self, points: Float[ndarray, "point dimension"], origins: Float[ndarray, "point dimension"]
    ) -> Float[ndarray, "point column"]:
        """How far each column is from its origin; another category is as far as the whole range of a number."""
        starts = [span.start for span in self.vectors.spans.values()]
        halves = [1.0 if isinstance(block, NumberBlock) else 0.5 for block in self.vectors.blocks]
        return np.add.reduceat(np.abs(points - origins), starts, axis=1) * halves

    def rows(self, points: Float[ndarray, "point dimension"], factuals: pd.DataFrame) -> pd.DataFrame:
        """The rows that can exist at these points, one factual for each; what has not moved is exactly as it was."""
        found = self.vectors.decode(points)[list(self.task.train.columns)]
        still = self.moves(points, self.vectors.encode(factuals)) <= _SAME
        for number, block in enumerate(self.vectors.blocks):
            kept = still[:, number] | (block.name in self.task.card.immutable)
            own = factuals[block.name].reset_index(drop=True).astype(found[block.name].dtype)
            found[block.name] = found[block.name].where(~kept, own)
        return found

    def valid(self, rows: pd.DataFrame, wanted: Int[ndarray, " row"]) -> Bool[ndarray, " row"]:
        """Whether the classifier puts each row in its wanted class; no rows are not asked about."""
        if len(rows) == 0:
            return np.zeros(0, dtype=np.bool_)
        return self.task.classifier.probabilities(rows).argmax(axis=1) == wanted

    def wanted(self, targets: Sequence[Any]) -> Int[ndarray, " row"]:
        return class_numbers(self.task.classifier.classes, targets)

    def generators(self, rows: pd.DataFrame, count: int, name: str) -> list[np.random.Generator]:
        """``count`` for each row, those of a row together; they follow from the row, not from the rows beside it."""
        seed = derived_seed(self.task.seed, name)
        keys = row_keys(self.vectors.encode(rows).view(np.int64), seed=seed)
        return [numpy_generator(seed, int(key), search) for key in keys for search in range(count)]


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """Rows that searches have found, the position of each one's factual, and what speaks against it."""

    table: pd.DataFrame
    row: Int[ndarray, " find"]
    cost: Float[ndarray, " find"]

    def given(self, factuals: pd.DataFrame, count: int) -> Given:
        """At most ``count`` for each factual, the cheapest first; copies of a factual are none."""
        ordered = factuals[list(self.table.columns)].reset_index(drop=True)
        order = np.lexsort([self.cost, self.row])
        table, row = self.table.take(order), self.row[order]
        kept = without_copies(ordered, table, row)
        kept = kept[places_within(row[kept]) < count]
        return Given.of_rows(table.take(kept), row[kept], row_count=len(factuals), count=count)


def ordered_values(task: Task, rows: pd.DataFrame) -> Float[ndarray, "row increasing"]:
    """The columns that must not decrease, as numbers: a category is its place in the order of its values."""
    blocks = {block.name: block for block in vector_space(task.card, task.train, "range").blocks}
    columns = [
        block.codes(rows[name]).astype(np.float64)
        if isinstance(block := blocks[name], CategoryBlock)
        else block.numbers(rows[name])
        for name in task.card.increasing
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0))
