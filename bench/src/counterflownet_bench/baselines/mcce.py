"""MCCE: each column drawn from the leaf of a tree on the columns before it (Redelmeier et al.)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int, UInt64
from numpy import ndarray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from counterflownet.errors import check_count
from counterflownet.seeds import derived_seed, keyed_uniforms, row_keys, sample_keys
from counterflownet.tabular import ColumnName
from counterflownet_bench.baselines.method import Given, Task, class_numbers, places_within
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.datasets import DatasetCard
from counterflownet_bench.metrics import without_copies
from counterflownet_bench.vectors import CategoryBlock, NumberBlock, VectorSpace

_BLOCK = 100_000  # draws at a time: some hundred megabytes
_TOLERANCE = 1e-5  # a coordinate that moves by less has not changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Mcce:
    """Rows drawn like those of the training table, given the factual's immutable columns.

    Immutable columns are kept for certain. That some columns must not decrease is unknown to the method, and the
    factual's mutable columns have no say in what is drawn. Unfiltered, the answers are as many draws as are asked for,
    whatever the classifier says of them and doubles included: that is what the paper's table scores. Filtered, they are
    the valid ones of ``draws`` draws, each once, those that change least first.

    Two quirks of the published code are left out. A category is one column with many classes, where trees on one-hot
    columns draw rows with two values of it, or none. And every draw has a random number of its own, where a generator
    that is reset before each leaf lets the draws depend on each other.
    """

    filtered: bool = False
    draws: int = 10_000
    smallest_leaf: int = 5

    def __post_init__(self) -> None:
        check_count("draws", self.draws)
        check_count("smallest_leaf", self.smallest_leaf)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedMcce":
        return FittedMcce(self, task, TreeChain.grown(task, self.smallest_leaf))


@dataclass(frozen=True, slots=True, eq=False)
class ColumnTree:
    """A tree for one column, and the training rows in each of its leaves."""

    name: ColumnName
    span: slice
    tree: DecisionTreeClassifier | DecisionTreeRegressor
    members: Int[ndarray, " row"]
    """Positions of the training rows, those of one leaf together."""
    first: Int[ndarray, " node"]
    size: Int[ndarray, " node"]

    @classmethod
    def grown(
        cls,
        block: NumberBlock | CategoryBlock,
        span: slice,
        vectors: Float[ndarray, "row dimension"],
        smallest_leaf: int,
        *,
        seed: int,
    ) -> "ColumnTree":
        own = vectors[:, span]
        # Splits that are equally good are chosen by chance, and scikit-learn takes 32 bits of it.
        chance = derived_seed(seed, "mcce", "tree", block.name) % 2**32
        shape: dict[str, Any] = {"min_samples_leaf": smallest_leaf, "random_state": chance}
        if isinstance(block, NumberBlock):
            tree = DecisionTreeRegressor(**shape).fit(_before(span, vectors), own[:, 0])
        else:
            tree = DecisionTreeClassifier(**shape).fit(_before(span, vectors), own.argmax(axis=1))
        leaf = tree.apply(_before(span, vectors))
        size = np.bincount(leaf, minlength=tree.tree_.node_count)
        return cls(block.name, span, tree, np.argsort(leaf, kind="stable"), np.cumsum(size) - size, size)

    def drawn(
        self, vectors: Float[ndarray, "draw dimension"], chance: Float[ndarray, " draw"]
    ) -> Int[ndarray, " draw"]:
        """A training row for each partial row, uniformly from the leaf where it ends."""
        leaf = self.tree.apply(_before(self.span, vectors))
        return self.members[self.first[leaf] + (chance * self.size[leaf]).astype(np.int64)]


def _before(span: slice, vectors: Float[ndarray, "row dimension"]) -> Float[ndarray, "row known"]:
    """The columns before this one; one that tells nothing before the first, for a tree of one leaf."""
    return vectors[:, : span.start] if span.start else np.zeros((len(vectors), 1), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Rows as the trees made them, as a table and as vectors, and the position of each one's factual."""

    table: pd.DataFrame
    vectors: Float[ndarray, "draw dimension"]
    row: Int[ndarray, " draw"]

    def taken(self, kept: Int[ndarray, " kept"] | Bool[ndarray, " draw"]) -> "Draws":
        return Draws(self.table.iloc[kept], self.vectors[kept], self.row[kept])


@dataclass(frozen=True, slots=True, eq=False)
class TreeChain:
    """One tree for each mutable column, in the order in which columns are drawn: immutable ones are known first."""

    space: VectorSpace
    trees: tuple[ColumnTree, ...]
    train: pd.DataFrame = field(repr=False)
    vectors: Float[ndarray, "row dimension"] = field(repr=False)

    @classmethod
    def grown(cls, task: Task, smallest_leaf: int) -> "TreeChain":
        space = vector_space(_immutable_first(task.card), task.train, "range")
        vectors = space.encode(task.train).astype(np.float32)
        trees = [
            ColumnTree.grown(block, space.spans[block.name], vectors, smallest_leaf, seed=task.seed)
            for block in space.blocks
            if block.name not in task.card.immutable
        ]
        return cls(space, tuple(trees), task.train, vectors)

    def drawn(self, rows: pd.DataFrame, keys: UInt64[ndarray, " draw"]) -> Draws:
        """As many rows as there are keys, the same number for each factual."""
        row = np.arange(len(rows)).repeat(len(keys) // len(rows))
        vectors = self.space.encode(rows).astype(np.float32)[row]
        columns: dict[ColumnName, Any] = {name: rows[name].take(row).array for name in rows.columns}
        for step, tree in enumerate(self.trees):
            place = tree.drawn(vectors, keyed_uniforms(keys, step))
            vectors[:, tree.span] = self.vectors[place, tree.span]
            columns[tree.name] = self.train[tree.name].take(place).array
        table = pd.DataFrame({name: columns[name] for name in self.train.columns})
        return Draws(table.astype(self.train.dtypes.to_dict()), vectors, row)

    def changes(self, rows: pd.DataFrame, draws: Draws) -> tuple[Int[ndarray, " draw"], Float[ndarray, " draw"]]:
        """How many columns a draw changes, and by how much in all; another category counts as the whole range."""
        moved = np.abs(draws.vectors - self.space.encode(rows).astype(np.float32)[draws.row])
        starts = [span.start for span in self.space.spans.values()]
        by_column = np.add.reduceat(moved, starts, axis=1)
        by_column *= [1.0 if isinstance(block, NumberBlock) else 0.5 for block in self.space.blocks]
        return (by_column > _TOLERANCE).sum(axis=1), by_column.sum(axis=1)


def _immutable_first(card: DatasetCard) -> DatasetCard:
    ordered = sorted(card.columns, key=lambda column: column.name not in card.immutable)
    return replace(card, columns=tuple(ordered))


@dataclass(frozen=True, slots=True, eq=False)
class FittedMcce:
    """The trees, ready to draw. A row's draws depend on the seed and on the row, not on the rows beside it."""

    method: Mcce
    task: Task
    chain: TreeChain

    @property
    def training(self) -> Mapping[str, Any]:
        leaves = [int(tree.tree.get_n_leaves()) for tree in self.chain.trees]
        return {"trees": len(leaves), "leaves": sum(leaves), "rows": len(self.task.train)}

    def answer(
        self,
        rows: pd.DataFrame,
        targets: Sequence[Any],
        *,
        count: int,
        selection: str,  # noqa: ARG002 - answers are chosen as the method's own field says
    ) -> Given:
        draws = self.method.draws if self.method.filtered else count
        wanted = class_numbers(self.task.classifier.classes, targets)
        tables, places = [], []
        for start in range(0, len(rows), size := max(1, _BLOCK // draws)):
            part = rows.iloc[start : start + size].reset_index(drop=True)
            found = self._answers(part, wanted[start : start + size], draws=draws, count=count)
            tables.append(found.table)
            places.append(found.row + start)
        return Given.of_rows(pd.concat(tables), np.concatenate(places), row_count=len(rows), count=count)

    def _answers(self, rows: pd.DataFrame, wanted: Int[ndarray, " row"], *, draws: int, count: int) -> Draws:
        keys = row_keys(
            self.chain.space.encode(rows).view(np.int64), seed=derived_seed(self.task.seed, "mcce", "draws")
        )
        drawn = self.chain.drawn(rows, sample_keys(keys, draws))
        drawn = drawn.taken(without_copies(rows, drawn.table, drawn.row))
        if self.method.filtered:
            drawn = self._least_changed(rows, self._valid(drawn, wanted))
        return drawn.taken(places_within(drawn.row) < count)

    def _valid(self, draws: Draws, wanted: Int[ndarray, " row"]) -> Draws:
        """The draws that the classifier puts in the wanted class, each once for its factual."""
        named = draws.table.set_axis(range(draws.table.shape[1]), axis=1).assign(row=draws.row)
        single = draws.taken(~named.duplicated().to_numpy())
        if len(single.row) == 0:
            return single
        predicted = self.task.classifier.probabilities(single.table).argmax(axis=1)
        return single.taken(predicted == wanted[single.row])

    def _least_changed(self, rows: pd.DataFrame, draws: Draws) -> Draws:
        """The same draws, for each factual those first that change the fewest columns, then those that move least."""
        changed, moved = self.chain.changes(rows, draws)
        return draws.taken(np.lexsort((moved, changed, draws.row)))
