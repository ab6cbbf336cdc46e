"""A reference classifier as a function that torch can differentiate, for methods that learn through it."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from counterflownet import Classifier
from counterflownet.errors import InvalidInputError
from counterflownet.tabular import ColumnName
from counterflownet_bench.references.encoding import RowEncoder
from counterflownet_bench.references.model import ReferenceClassifier
from counterflownet_bench.references.tally import Tally


@dataclass(frozen=True, slots=True, eq=False)
class DifferentiableClassifier:
    """The layers of a reference classifier, frozen, on the vectors of its own encoder, in the same double precision.

    ``spans`` tells which coordinates belong to a column: the encoder has an order of its own. Vectors that are asked
    about are counted by the ``tally`` of the classifier itself.
    """

    encoder: RowEncoder
    weights: tuple[Tensor, ...]
    biases: tuple[Tensor, ...]
    spans: dict[ColumnName, slice]
    classes: tuple[Any, ...]
    tally: Tally = field(default_factory=Tally)

    @classmethod
    def of(cls, classifier: Classifier, method: str) -> "DifferentiableClassifier":
        """The classifier's layers, or an error that names the method which cannot do without them."""
        if not isinstance(classifier, ReferenceClassifier):
            raise InvalidInputError(
                f"{method} learns through the classifier's gradients and needs a reference classifier; got "
                f"{type(classifier).__name__}. Take a method that only asks for predictions, such as counterflownet."
            )
        return cls(
            classifier.encoder,
            tuple(torch.tensor(layer.weight, dtype=torch.float64) for layer in classifier.layers),
            tuple(torch.tensor(layer.bias, dtype=torch.float64) for layer in classifier.layers),
            classifier.encoder.space.spans,
            classifier.classes,
            classifier.tally,
        )

    def vectors(self, rows: pd.DataFrame) -> Float[Tensor, "row dimension"]:
        """The rows as the classifier sees them."""
        return torch.from_numpy(self.encoder(rows))

    def logits(self, vectors: Float[Tensor, "*batch dimension"]) -> Float[Tensor, "*batch class"]:
        self.tally.add(vectors.shape[:-1].numel())
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            vectors = (vectors @ weight + bias).relu()
        return vectors @ self.weights[-1] + self.biases[-1]

    def probabilities(self, vectors: Float[Tensor, "*batch dimension"]) -> Float[Tensor, "*batch class"]:
        return self.logits(vectors).softmax(dim=-1)
