"""The local outlier factor for evaluation: exact, by scikit-learn, with respect to all training rows."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from sklearn.neighbors import LocalOutlierFactor

from counterflownet.errors import InvalidInputError, check_at_least

NEIGHBOURS = 20


class OutlierFactor:
    """The factor of new rows with respect to training rows, which are searched only once."""

    def __init__(self, train_vectors: Float[ndarray, "train dimension"], neighbours: int = NEIGHBOURS) -> None:
        check_at_least("neighbours", neighbours, 1)
        if len(train_vectors) <= neighbours:
            raise InvalidInputError(
                f"{len(train_vectors)} training rows are too few for {neighbours} neighbours; give more rows."
            )
        self._model = LocalOutlierFactor(n_neighbors=neighbours, novelty=True).fit(train_vectors)

    def __call__(self, vectors: Float[ndarray, "row dimension"]) -> Float[ndarray, " row"]:
        """About 1 inside the data, larger outside."""
        if len(vectors) == 0:
            return np.empty(0)
        distinct, number = np.unique(vectors, axis=0, return_inverse=True)  # answers repeat, and a search is dear
        factors: ndarray = -self._model.score_samples(distinct)
        return factors[number.reshape(-1)]
