"""NICE: values of the nearest unlike row, one after the other, until the class changes (Brughmans et al. 2023)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import check_count, check_one_of
from counterflownet.seeds import derived_seed
from counterflownet_bench.baselines.cchvae_autoencoder import Autoencoder, AutoencoderSettings, trained_autoencoder
from counterflownet_bench.baselines.method import Given, Task, places_within
from counterflownet_bench.baselines.nearest_unlike import FittedNearestUnlike
from counterflownet_bench.baselines.search_space import Finds, SearchSpace, ordered_values
from counterflownet_bench.metrics import changed_cells

Goal = Literal["sparsity", "proximity", "plausibility"]
_NEAR_ZERO = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Nice:
    """The factual with as many of a neighbour's values as it takes, the best rewarded value first.

    As published: the neighbour is the nearest training row of the wanted class (numbers by shares of their range,
    another category by 1); every step tries each value that still differs, and takes the one with the highest reward,
    which is what the wanted class gains in probability (``"sparsity"``), gains for each unit of distance
    (``"proximity"``), or gains times what the error of an autoencoder falls by (``"plausibility"``).

    Neighbours are of the class that the classifier gives them, since no method here is told labels; the publication
    asks that the label agrees. Several answers come from as many neighbours, each answer once, of ``neighbours`` at
    most, where the publication gives one answer. Values of immutable columns, and smaller ones where a column must not
    decrease, are never taken over; so a neighbour may lead nowhere.
    """

    goal: Goal = "sparsity"
    neighbours: int = 50
    autoencoder: AutoencoderSettings = field(default_factory=AutoencoderSettings)

    def __post_init__(self) -> None:
        check_one_of("Nice.goal", self.goal, get_args(Goal))
        check_count("Nice.neighbours", self.neighbours)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedNice":
        space, autoencoder = SearchSpace.of(task), None
        if self.goal == "plausibility":
            nothing_fixed = np.zeros(space.vectors.width, dtype=np.bool_)
            seed = derived_seed(task.seed, "nice", "autoencoder")
            vectors = space.vectors.encode(task.train)
            autoencoder, _ = trained_autoencoder(self.autoencoder, vectors, nothing_fixed, seed=seed)
        return FittedNice(self, space, FittedNearestUnlike.of(task), autoencoder)


@dataclass(frozen=True, slots=True, eq=False)
class FittedNice:
    """The training rows of each class, and an autoencoder if plausibility is what counts."""

    method: Nice
    space: SearchSpace
    unlike: FittedNearestUnlike
    autoencoder: Autoencoder | None

    @property
    def training(self) -> Mapping[str, Any]:
        return self.unlike.training

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        rows = rows[list(self.space.task.train.columns)].reset_index(drop=True)
        wanted = self.space.wanted(targets)
        found = Finds(rows.head(0), np.zeros(0, dtype=np.int64), np.zeros(0))
        for start in range(0, self.method.neighbours, count):
            asked = np.flatnonzero(np.bincount(found.row, minlength=len(rows)) < count)
            places = range(start, min(start + count, self.method.neighbours))
            new = [
                self._from_neighbours(rows, asked[wanted[asked] == number], number, places)
                for number in np.unique(wanted[asked]).tolist()
            ]
            found = _each_once([found, *new])
        return found.given(rows, count)

    def _from_neighbours(self, rows: pd.DataFrame, asked: Int[ndarray, " asked"], number: int, places: range) -> Finds:
        """What the neighbours at these places lead to; they are its cost, so that nearer ones come first."""
        neighbours, row = self.unlike.nearest(rows, asked, number, places.stop)
        place = places_within(row)
        (later,) = (place >= places.start).nonzero()
        ways = Ways.of(self, rows.take(row[later]), neighbours.iloc[later], number)
        ended = ways.walked()
        return Finds(ways.rows(ended, ways.taken[ended]), row[later][ended], place[later][ended].astype(np.float64))

    def errors(self, rows: pd.DataFrame) -> Float[ndarray, " row"]:
        """How far the autoencoder brings each row back from itself; 0 where plausibility is not what counts."""
        if self.autoencoder is None:
            return np.zeros(len(rows))
        vectors = self.space.vectors.encode(rows)
        brought_back = self.autoencoder.decoded(self.autoencoder.centres(vectors))
        return np.square(brought_back - vectors).mean(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Rows on their way from a factual to a neighbour: which of its values were taken over, and which still may be."""

    fitted: FittedNice
    factuals: pd.DataFrame
    neighbours: pd.DataFrame
    number: int
    taken: Bool[ndarray, "way column"]
    left: Bool[ndarray, "way column"]

    @classmethod
    def of(cls, fitted: FittedNice, factuals: pd.DataFrame, neighbours: pd.DataFrame, number: int) -> "Ways":
        task, names = fitted.space.task, list(factuals.columns)
        factuals, neighbours = (rows.reset_index(drop=True) for rows in (factuals, neighbours))
        left = changed_cells(factuals, neighbours, np.arange(len(factuals)))
        falls = ordered_values(task, neighbours) < ordered_values(task, factuals)
        for place, name in enumerate(task.card.increasing):
            left[falls[:, place], names.index(name)] = False
        left[:, [names.index(name) for name in task.card.immutable]] = False
        return cls(fitted, factuals, neighbours, number, np.zeros_like(left), left)

    def walked(self) -> Int[ndarray, " ended"]:
        """The ways that came to the wanted class, each left where it did."""
        going, ended = np.flatnonzero(self.left.any(axis=1)), [np.zeros(0, dtype=np.int64)]
        while len(going):
            arrived = self._step(going)
            ended.append(going[arrived])
            going = going[~arrived & self.left[going].any(axis=1)]
        return np.sort(np.concatenate(ended))

    def rows(self, way: Int[ndarray, " some"], taken: Bool[ndarray, "some column"]) -> pd.DataFrame:
        """The factuals of these ways with those of their neighbours' values."""
        columns = {
            name: self.factuals[name].take(way).where(~taken[:, number], self.neighbours[name].take(way).array)
            for number, name in enumerate(self.factuals.columns)
        }
        return pd.DataFrame(columns).reset_index(drop=True)

    def _step(self, going: Int[ndarray, " going"]) -> Bool[ndarray, " going"]:
        """Takes over the best value of each way; whether it has then arrived."""
        place, column = self.left[going].nonzero()
        way = going[place]
        taken = self.taken[way]
        taken[np.arange(len(way)), column] = True
        before, tried = self.rows(going, self.taken[going]), self.rows(way, taken)
        chance = self.fitted.space.task.classifier.probabilities(pd.concat([before, tried], ignore_index=True))
        gain = chance[len(going) :, self.number] - chance[place, self.number]
        rewards = self._rewards(gain, before, tried, way=way, place=place)
        order = np.lexsort([-rewards, place])
        best = order[np.unique(place[order], return_index=True)[1]]
        self.taken[going, column[best]], self.left[going, column[best]] = True, False
        return chance[len(going) + best].argmax(axis=1) == self.number

    def _rewards(
        self,
        gain: Float[ndarray, " tried"],
        before: pd.DataFrame,
        tried: pd.DataFrame,
        *,
        way: Int[ndarray, " tried"],
        place: Int[ndarray, " tried"],
    ) -> Float[ndarray, " tried"]:
        fitted = self.fitted
        if fitted.method.goal == "sparsity":
            return gain
        if fitted.method.goal == "plausibility":
            return gain * (fitted.errors(before)[place] - fitted.errors(tried))
        old, new, home = (fitted.space.vectors.encode(rows) for rows in (before, tried, self.factuals.take(way)))
        further = fitted.space.moves(new, home).sum(axis=1) - fitted.space.moves(old[place], home).sum(axis=1)
        return gain / further.clip(_NEAR_ZERO)


def _each_once(parts: Sequence[Finds]) -> Finds:
    """All of them, each answer of a row once."""
    table = pd.concat([part.table for part in parts], ignore_index=True)
    row, cost = np.concatenate([part.row for part in parts]), np.concatenate([part.cost for part in parts])
    named = table.set_axis(range(table.shape[1]), axis=1).assign(row=row)
    single = np.flatnonzero(~named.duplicated().to_numpy())
    return Finds(table.take(single), row[single], cost[single])
