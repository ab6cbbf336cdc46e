"""A fitted reference classifier: an encoder and some layers of numbers."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet_bench.references.encoding import RowEncoder
from counterflownet_bench.references.tally import Tally


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """``x @ weight + bias``."""

    weight: Float[ndarray, "inward outward"]
    bias: Float[ndarray, " outward"]


@dataclass(frozen=True, eq=False, repr=False)
class ReferenceClassifier:
    """A classifier on raw columns: layers with ReLU between them and a softmax at the end.

    One layer alone is a logistic regression. Computed in double precision, so that a row's class does not depend on the
    rows beside it. ``tally`` counts the rows it is asked about; who works with its layers directly counts them there.
    """

    encoder: RowEncoder
    layers: tuple[Layer, ...]
    classes: tuple[Any, ...]
    tally: Tally = field(default_factory=Tally)

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return softmax(self._asked(rows))

    def predicted(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        """The number of each row's most probable class."""
        return self._asked(rows).argmax(axis=1)

    def _asked(self, rows: pd.DataFrame) -> Float[ndarray, "row class"]:
        self.tally.add(len(rows))
        return self._logits(self.encoder(rows))

    def _logits(self, values: Float[ndarray, "row dimension"]) -> Float[ndarray, "row class"]:
        for layer in self.layers[:-1]:
            values = np.maximum(values @ layer.weight + layer.bias, 0.0)
        return values @ self.layers[-1].weight + self.layers[-1].bias

    def __repr__(self) -> str:
        widths = [self.encoder.width, *(len(layer.bias) for layer in self.layers)]
        return f"ReferenceClassifier({'-'.join(map(str, widths))}, classes={self.classes!r})"


def softmax(logits: Float[ndarray, "row class"]) -> Float[ndarray, "row class"]:
    """Each row's probabilities."""
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)
