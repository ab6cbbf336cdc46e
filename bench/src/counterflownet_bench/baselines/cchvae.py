"""C-CHVAE: search around a row in the latent space of an autoencoder of the training rows (Pawelczyk et al. 2020)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import check_at_least, check_count
from counterflownet.seeds import derived_seed, numpy_generator
from counterflownet_bench.baselines.cchvae_autoencoder import (
    Autoencoder,
    AutoencoderSettings,
    Course,
    trained_autoencoder,
)
from counterflownet_bench.baselines.method import Given, Task, class_numbers
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.vectors import VectorSpace

CANDIDATES_AT_ONCE = 150_000  # bounds the memory of a round; each search has random numbers of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Cchvae:
    """Candidates around a row's place in the latent space, in shells that grow until one of them is valid.

    Every search returns its valid candidate of least L1 distance (numbers scaled to their range, categories one-hot);
    several answers to one row are as many independent searches, so they may be alike. Candidates are whole rows before
    the classifier is asked: one value for each category, where the published code rounds every one-hot column on its
    own and so counts rows as valid that do not exist. A search that has not found any after ``most_rounds`` gives no
    answer; the published one then returns an invalid candidate.

    Immutable columns are guaranteed to stay. That others must not decrease is nothing the method knows about.
    """

    autoencoder: AutoencoderSettings = field(default_factory=AutoencoderSettings)
    candidates: int = 300
    shell_width: float = 0.1
    most_rounds: int = 2_000

    def __post_init__(self) -> None:
        for name in ("candidates", "most_rounds"):
            check_count(f"Cchvae.{name}", getattr(self, name))
        check_at_least("Cchvae.shell_width", self.shell_width, 1e-6)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedCchvae":
        space = vector_space(task.card, task.train, "range")
        vectors = space.encode(task.train)
        fixed = space.of_columns(task.card.immutable)
        autoencoder, course = trained_autoencoder(
            self.autoencoder, vectors, fixed, seed=derived_seed(task.seed, "cchvae", "autoencoder")
        )
        return FittedCchvae(self, task, space, autoencoder, course)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The answers of searches that ended: which search it was, and the row it found."""

    search: Int[ndarray, " answer"]
    rows: pd.DataFrame


@dataclass(frozen=True, slots=True, eq=False)
class FittedCchvae:
    """A trained autoencoder and what a search needs besides."""

    method: Cchvae
    task: Task
    space: VectorSpace
    autoencoder: Autoencoder
    course: Course

    @property
    def training(self) -> Mapping[str, Any]:
        return self.course.told()

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        searches = Searches.of(self, rows, class_numbers(self.task.classifier.classes, targets), count)
        parts = list(searches.run())
        search = np.concatenate([np.zeros(0, dtype=np.int64), *(part.search for part in parts)])
        found = pd.concat([self.task.train.iloc[:0], *(part.rows for part in parts)], ignore_index=True)
        order = np.argsort(search)
        return Given.of_rows(found.take(order), search[order] // count, row_count=len(rows), count=count)


@dataclass(frozen=True, slots=True, eq=False)
class Searches:
    """Searches that go on together, ``count`` for each row, those of one row side by side."""

    fitted: FittedCchvae
    rows: pd.DataFrame
    vectors: Float[ndarray, "row dimension"]
    centres: Float[ndarray, "row latent"]
    wanted: Int[ndarray, " row"]
    generators: Sequence[np.random.Generator]

    @classmethod
    def of(cls, fitted: FittedCchvae, rows: pd.DataFrame, wanted: Int[ndarray, " row"], count: int) -> "Searches":
        vectors = fitted.space.encode(rows)
        seed = fitted.task.seed
        generators = [
            numpy_generator(seed, "cchvae", row, search) for row in range(len(rows)) for search in range(count)
        ]
        return cls(fitted, rows, vectors, fitted.autoencoder.centres(vectors), wanted, generators)

    def run(self) -> Iterator[Found]:
        """Round by round, what the searches that are still open have found."""
        searching = np.arange(len(self.generators))
        at_once = max(1, CANDIDATES_AT_ONCE // self.fitted.method.candidates)
        for number in range(self.fitted.method.most_rounds):
            ended = [np.zeros(0, dtype=np.int64)]
            for start in range(0, len(searching), at_once):
                found = self._round(searching[start : start + at_once], number)
                ended.append(found.search)
                if len(found.search):
                    yield found
            searching = np.setdiff1d(searching, np.concatenate(ended), assume_unique=True)

    def _round(self, searching: Int[ndarray, " search"], number: int) -> Found:
        """The nearest valid candidate of each search that has one in this round's shell."""
        row = searching // (len(self.generators) // len(self.rows))
        candidates = self.fitted.method.candidates
        steps = np.concatenate([self._steps(self.generators[search], number) for search in searching])
        owner = np.repeat(row, candidates)
        decoded = self._decoded(self.centres[owner] + steps, owner)
        valid = np.flatnonzero(self._valid(decoded, owner))
        decoded, owner = decoded.take(valid), owner[valid]
        distance = np.abs(self.fitted.space.encode(decoded) - self.vectors[owner]).sum(axis=1)
        order = np.lexsort([distance, valid // candidates])
        order = order[distance[order] > 0]  # the row itself is no answer
        search, first = np.unique(valid[order] // candidates, return_index=True)
        return Found(searching[search], decoded.take(order[first]))

    def _steps(self, generator: np.random.Generator, number: int) -> Float[ndarray, "candidate latent"]:
        """Steps in all directions whose L1 lengths are uniform in the shell."""
        width, candidates = self.fitted.method.shell_width, self.fitted.method.candidates
        directions = generator.standard_normal((candidates, self.centres.shape[1]), dtype=np.float32)
        lengths = width * (number + generator.random((candidates, 1), dtype=np.float32))
        return directions * (lengths / np.abs(directions).sum(axis=1, keepdims=True))

    def _decoded(self, latent: Float[ndarray, "candidate latent"], owner: Int[ndarray, " candidate"]) -> pd.DataFrame:
        """Candidates as rows, with the immutable values of the rows they belong to."""
        found = self.fitted.space.decode(self.fitted.autoencoder.decoded(latent))
        for name in self.fitted.task.card.immutable:
            found[name] = self.rows[name].take(owner).reset_index(drop=True)
        return found

    def _valid(self, candidates: pd.DataFrame, owner: Int[ndarray, " candidate"]) -> Bool[ndarray, " candidate"]:
        return self.fitted.task.classifier.probabilities(candidates).argmax(axis=1) == self.wanted[owner]
