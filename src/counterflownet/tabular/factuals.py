"""Rows to edit and score: their codes, and how far edits move them."""

from functools import lru_cache

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.seeds import numpy_generator
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.feature import Feature
from counterflownet.tabular.schema import Schema

FAR = 1e9  # deviations from the mean; the square of a larger number might not fit into 32 bits
WIDE = 64  # a column with more categories is embedded in this many dimensions instead of one per category


class Factuals:
    """Some rows of a table, encoded once; distances and vectors of edited rows are computed without decoding them.

    Numbers are measured in units of their training range, ordered categories in units of their full scale, and any
    other change counts 1 (Gower's distance). As vectors, numbers are standardised and categories one-hot; missing and
    never-seen values are zeros.
    """

    def __init__(self, schema: Schema, rows: pd.DataFrame) -> None:
        self.codec = codec = Codec(schema, rows)
        columns = list(zip(schema, codec.columns, codec.codes.T, strict=True))
        self._scaled_codes = [feature.code_numbers / _unit(feature) for feature in schema]
        self._scaled_rows = np.stack(
            [f.coordinates_of(codes, column) / _unit(f) for f, column, codes in columns], axis=1
        )
        self._nominal = np.array([not feature.has_order for feature in schema])
        self._code_vectors = [_vectors(feature, feature.code_numbers, slice(feature.code_count)) for feature in schema]
        blocks = [_vectors(f, f.numbers(column) if f.numeric else None, codes) for f, column, codes in columns]
        self.vectors: Float[ndarray, "row dimension"] = np.concatenate(blocks, axis=1)

    def __len__(self) -> int:
        return len(self.codec)

    def distances(self, states: States) -> Float[ndarray, "state feature"]:
        """How far each feature was moved; 0 where nothing was edited."""
        row, codes, edited = states.numpy()
        distances = np.zeros(codes.shape)
        for d, scaled in enumerate(self._scaled_codes):
            (at,) = edited[:, d].nonzero()
            moved = np.abs(scaled[codes[at, d]] - self._scaled_rows[row[at], d])
            distances[at, d] = 1.0 if self._nominal[d] else np.nan_to_num(moved, nan=1.0)  # from missing: all of it
        return distances

    def edited_vectors(self, states: States) -> Float[ndarray, "state dimension"]:
        """The edited rows as vectors."""
        row, codes, edited = states.numpy()
        vectors = self.vectors[row]
        start = 0
        for d, table in enumerate(self._code_vectors):
            (at,) = edited[:, d].nonzero()
            end = start + table.shape[1]
            vectors[at, start:end] = table[codes[at, d]]
            start = end
        return vectors


def _unit(feature: Feature) -> float:
    return feature.width if feature.numeric else max(feature.code_count - 1, 1)


def _vectors(
    feature: Feature, numbers: Float[ndarray, " row"] | None, codes: Int[ndarray, " row"] | slice
) -> Float[ndarray, "row dimension"]:
    """The coordinates of one column: of its numbers, or of the categories with these codes."""
    if not feature.numeric or numbers is None:
        return _directions(feature.code_count)[codes]
    steps = np.nan_to_num((numbers - feature.mean) / feature.deviation)
    return steps.clip(-FAR, FAR).astype(np.float32)[:, None]


@lru_cache(maxsize=64)  # every call of explain needs those of all columns
def _directions(count: int) -> Float[ndarray, "code dimension"]:
    """A direction for each category, then zeros for missing and never-seen values; treat the result as read-only."""
    if count <= WIDE:
        return np.eye(count + 2, count, dtype=np.float32)
    # Random directions are nearly orthogonal: all categories stay about as far apart as one-hot vectors are.
    drawn = numpy_generator(0, "wide column", count).normal(size=(count, WIDE))
    drawn = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return np.concatenate([drawn, np.zeros((2, WIDE), dtype=np.float32)])
