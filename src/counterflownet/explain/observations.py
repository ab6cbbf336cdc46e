"""What should be known of a table and a classifier before their explanations are believed."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from counterflownet.errors import InvalidInputError, listed
from counterflownet.tabular.schema import Schema

Probabilities = Float[ndarray, "row class"]


def observed(
    schema: Schema, classes: Sequence[Any], probabilities: Probabilities, y: Any, unused: Sequence[Any] = ()
) -> list[str]:
    """A sentence for everything that a user should hear of.

    ``y`` are the true classes, if they are known, ``unused`` the columns that the model was not fitted on.
    """
    notes = [*_of_unused(unused), *_of_columns(schema)]
    if len(classes) > 1:
        notes += _of_classifier(classes, probabilities)
        notes += [] if y is None else _of_accuracy(classes, probabilities.argmax(axis=1), y)
    return notes


def _of_unused(names: Sequence[Any]) -> Iterator[str]:
    if names:
        yield f"no answer changes {listed(map(repr, names))}: the model was not fitted on {_them(names)}."


def _them(names: Sequence[Any]) -> str:
    return "it" if len(names) == 1 else "them"


def _of_columns(schema: Schema) -> Iterator[str]:
    by_reason: dict[str, list[Any]] = {}
    for name, reason in schema.left_alone.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        told = reason if len(names) == 1 else reason.replace("it has", "each has", 1)
        yield (
            f"no answer changes {listed(map(repr, names))}: {told}. To use {_them(names)} all the same, say of what "
            "kind (kinds= of Schema.infer, --kind of the command line)."
        )


def _of_classifier(classes: Sequence[Any], probabilities: Probabilities) -> Iterator[str]:
    said = np.unique(probabilities.argmax(axis=1))
    if len(said) == 1:
        yield f"the classifier says {classes[int(said[0])]!r} of every training row: there is little to be explained."
    if bool(((probabilities == 0) | (probabilities == 1)).all()):
        yield (
            "the classifier is certain of every training row: validity is 0 or 1, confidence= cannot ask for more than "
            "the class, and no answer is known to be safer than another."
        )


def _of_accuracy(classes: Sequence[Any], predicted: ndarray, y: Any) -> Iterator[str]:
    truth = pd.Series(np.asarray(y).tolist(), dtype=object).map(str)
    if len(truth) != len(predicted):
        raise InvalidInputError(f"y must have one label for each of the {len(predicted)} rows; got {len(truth)}.")
    labels = [str(label) for label in classes]
    if not truth.isin(labels).any():
        yield (
            f"none of the model's classes ({listed(map(repr, classes))}) is in y, which has "
            f"{listed(truth.unique(), 3)}: how often it is right is not known."
        )
        return
    right = float((truth == [labels[number] for number in predicted.tolist()]).mean())
    frequent, share = truth.mode().iloc[0], float(truth.value_counts(normalize=True).max())
    if right <= share:
        yield (
            f"the classifier is right about {right:.1%} of the training rows, no more than always saying {frequent!r} "
            f"would be ({share:.1%}): its explanations tell little of the world."
        )
