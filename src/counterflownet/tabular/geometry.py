"""How far apart rows are: feature by feature for proximity, and as vectors for neighbour search."""

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._states import States
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.feature import Feature
from counterflownet.tabular.vectors import directions, standardised


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


def _code_vectors(feature: Feature) -> Float[ndarray, "code dimension"]:
    if feature.numeric:
        return standardised(feature, feature.code_numbers)
    return directions(feature.code_count)[: feature.code_count]


def _row_vectors(feature: Feature, column: pd.Series, codes: NDArray[np.int64]) -> Float[ndarray, "row dimension"]:
    if feature.numeric:
        return standardised(feature, feature.numbers(column))
    return directions(feature.code_count)[codes]
