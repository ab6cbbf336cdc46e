"""How far apart rows are: feature by feature for proximity, and as vectors for neighbour search."""

from functools import lru_cache

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States
from counterflownet.seeds import numpy_generator
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.feature import Feature

FAR = 1e9  # deviations from the mean; the square of a larger number might not fit into 32 bits
WIDE = 64  # a column with more categories is embedded in this many dimensions instead of one per category


class Geometry:
    """Distances and vectors of rows that were edited, computed from codes without decoding them.

    Numbers are measured in units of their training range, ordered categories in units of their whole order, and every
    other change counts 1 (Gower's distance). As vectors, numbers are standardised and categories are one-hot.
    """

    def __init__(self, codec: Codec) -> None:
        schema = codec.schema
        self._scaled_codes = [_scaled_codes(feature) for feature in schema]
        columns = zip(schema, codec.columns, codec.codes.T, strict=True)
        places = [_scaled(feature, feature.coordinates_of(codes, column)) for feature, column, codes in columns]
        self._scaled_rows = np.stack(places, axis=1)
        self._nominal = np.array([not feature.has_order for feature in schema])
        self._tables = [_code_vectors(feature) for feature in schema]
        self.own_vectors = vectors(codec)

    def distances(self, states: States) -> Float[ndarray, "state feature"]:
        """How far each feature was moved; 0 where nothing was edited."""
        row, codes, edited = states.numpy()
        found = np.zeros(codes.shape)
        for d, scaled in enumerate(self._scaled_codes):
            (at,) = edited[:, d].nonzero()
            moved = np.abs(scaled[codes[at, d]] - self._scaled_rows[row[at], d])
            found[at, d] = 1.0 if self._nominal[d] else np.nan_to_num(moved, nan=1.0)  # from a missing value: all of it
        return found

    def vectors(self, states: States) -> Float[ndarray, "state dimension"]:
        """The edited rows as vectors."""
        row, codes, edited = states.numpy()
        found = self.own_vectors[row]
        start = 0
        for d, table in enumerate(self._tables):
            (at,) = edited[:, d].nonzero()
            end = start + table.shape[1]
            found[at, start:end] = table[codes[at, d]]
            start = end
        return found


def vectors(codec: Codec) -> Float[ndarray, "row dimension"]:
    """Rows as vectors: standardised numbers and one-hot categories; nothing (zeros) for missing and never-seen."""
    columns = zip(codec.schema, codec.columns, codec.codes.T, strict=True)
    return np.concatenate([_row_vectors(feature, column, codes) for feature, column, codes in columns], axis=1)


def _scaled(feature: Feature, places: NDArray[np.float64]) -> NDArray[np.float64]:
    return places / (feature.width if feature.numeric else max(feature.code_count - 1, 1))


def _scaled_codes(feature: Feature) -> NDArray[np.float64]:
    return _scaled(feature, feature.code_numbers)


def _standardised(feature: Feature, numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    steps = np.nan_to_num((numbers - feature.mean) / feature.deviation)
    return steps.clip(-FAR, FAR).astype(np.float32)[:, None]


def _code_vectors(feature: Feature) -> Float[ndarray, "code dimension"]:
    if feature.numeric:
        return _standardised(feature, feature.code_numbers)
    return _directions(feature.code_count)


@lru_cache(maxsize=64)  # every call of explain asks for those of all columns
def _directions(count: int) -> Float[ndarray, "code dimension"]:
    """A direction for each category; nobody writes into what is returned."""
    if count <= WIDE:
        return np.eye(count, dtype=np.float32)
    # Random directions are nearly orthogonal: all categories stay about as far apart as one-hot vectors are.
    directions = numpy_generator(0, "wide column", count).normal(size=(count, WIDE))
    return (directions / np.linalg.norm(directions, axis=1, keepdims=True)).astype(np.float32)


def _row_vectors(feature: Feature, column: pd.Series, codes: NDArray[np.int64]) -> Float[ndarray, "row dimension"]:
    if feature.numeric:
        return _standardised(feature, feature.numbers(column))
    table = _code_vectors(feature)
    nothing = np.zeros((2, table.shape[1]), dtype=np.float32)  # missing, never seen
    return np.concatenate([table, nothing])[codes]
