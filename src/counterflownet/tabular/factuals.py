"""Rows to edit and score: their codes, and how far edits move them."""

from functools import lru_cache

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.seeds import numpy_generator
from counterflownet.tabular.borders import Borders
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.feature import Feature
from counterflownet.tabular.follows import Carried
from counterflownet.tabular.rule_book import RuleBook
from counterflownet.tabular.scale import Scale, scaled
from counterflownet.tabular.schema import Schema

FAR = 1e9  # deviations from the mean; the square of a larger number might not fit into 32 bits
WIDE = 64  # a column with more categories is embedded in this many dimensions instead of one per category


class Factuals:
    """Some rows of a table, encoded once; distances and vectors of edited rows are computed without decoding them.

    Numbers are measured on the given ``scale``, ordered categories in units of their full scale, and any other change
    counts 1. As vectors, numbers are standardised and categories one-hot; missing and never-seen values are zeros.
    """

    def __init__(
        self,
        schema: Schema,
        rows: pd.DataFrame,
        *,
        scale: Scale = "mixed",
        borders: Borders | None = None,
        book: RuleBook | None = None,
    ) -> None:
        self.codec = codec = Codec(schema, rows, borders, book)
        self.scale = scale
        columns = list(zip(schema, codec.columns, codec.codes.T, strict=True))
        self.coordinates: Float[ndarray, "row feature"] = np.stack(
            [feature.coordinates_of(codes, column) for feature, column, codes in columns], axis=1
        )
        blocks = [_vectors(f, f.numbers(column) if f.numeric else None, codes) for f, column, codes in columns]
        self.vectors: Float[ndarray, "row dimension"] = np.concatenate(blocks, axis=1)
        self._ends = np.cumsum([block.shape[1] for block in blocks]).tolist()

    def __len__(self) -> int:
        return len(self.codec)

    def distances(self, states: States) -> Float[ndarray, "state feature"]:
        """How far each feature was moved; 0 where nothing was edited."""
        row, places, edited = states.numpy()
        distances = np.zeros(places.shape)
        for d, feature in enumerate(self.codec.schema):
            (at,) = edited[:, d].nonzero()
            if not feature.has_order:
                distances[at, d] = 1.0
            elif len(at):
                before, after = self.coordinates[row[at], d], self.codec.numbers(d, row[at], places[at, d])
                distances[at, d] = self.distance(d, before, after)
        return distances

    def distance(
        self, d: int, before: Float[ndarray, " change"], after: Float[ndarray, " change"]
    ) -> Float[ndarray, " change"]:
        """How far changes of one ordered feature move it; a change of a missing value counts 1."""
        feature = self.codec.schema.features[d]
        moved = np.abs(scaled(feature, after, self.scale) - scaled(feature, before, self.scale))
        return np.nan_to_num(moved, nan=1.0)

    def edited_vectors(self, states: States) -> Float[ndarray, "state dimension"]:
        """The edited rows as vectors, with what follows from the edits."""
        carried = Carried(self.codec, states)
        row, places, edited = carried.states.numpy()
        vectors = self.vectors[row]
        for d, (feature, end) in enumerate(zip(self.codec.schema, self._ends, strict=True)):
            (at,) = edited[:, d].nonzero()
            start = self._ends[d - 1] if d else 0
            if len(at):
                numbers = self.codec.numbers(d, row[at], places[at, d]) if feature.numeric else None
                vectors[at, start:end] = _vectors(feature, numbers, places[at, d])
            if d in carried.loose:
                at, values = carried.loose[d]
                numbers = feature.coordinates(values) if feature.numeric else None
                vectors[at, start:end] = _vectors(feature, numbers, feature.encode(values))
        return vectors


def _vectors(
    feature: Feature, numbers: Float[ndarray, " row"] | None, codes: Int[ndarray, " row"] | slice
) -> Float[ndarray, "row dimension"]:
    """The coordinates of one column: of its numbers, or of the categories with these codes."""
    if not feature.numeric or numbers is None:
        return directions(feature.code_count)[codes]
    steps = np.nan_to_num((numbers - feature.mean) / feature.deviation)
    return steps.clip(-FAR, FAR).astype(np.float32)[:, None]


@lru_cache(maxsize=64)  # every call of explain needs those of all columns
def directions(count: int) -> Float[ndarray, "code dimension"]:
    """A direction for each category, then zeros for missing and never-seen values; treat the result as read-only."""
    if count <= WIDE:
        return np.eye(count + 2, count, dtype=np.float32)
    # Random directions are nearly orthogonal: all categories stay about as far apart as one-hot vectors are.
    drawn = numpy_generator(0, "wide column", count).normal(size=(count, WIDE))
    drawn = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return np.concatenate([drawn, np.zeros((2, WIDE), dtype=np.float32)])
