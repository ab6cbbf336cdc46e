"""Training of the reference logistic regressions."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from sklearn.linear_model import LogisticRegression

from counterflownet_bench.references.model import Layer
from counterflownet_bench.references.network import trained_row_count
from counterflownet_bench.references.settings import LogisticSettings


def trained_logistic_regression(
    inputs: Float[ndarray, "row dimension"], labels: Int[ndarray, " row"], settings: LogisticSettings
) -> tuple[Layer, ...]:
    """The one layer of a logistic regression; nothing in it is left to chance."""
    kept = trained_row_count(len(inputs), settings.held_out)
    model = LogisticRegression(class_weight="balanced", max_iter=settings.iterations)
    model.fit(inputs[:kept], labels[:kept])
    weight, bias = model.coef_.T, model.intercept_
    if weight.shape[1] == 1:  # two classes share one score: the first one's is 0
        weight, bias = np.pad(weight, ((0, 0), (1, 0))), np.pad(bias, (1, 0))
    return (Layer(weight, bias),)
