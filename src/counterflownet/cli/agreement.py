"""How often a model says what the table says: labels in a wrong order, or of another column, show here."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from sklearn.metrics import r2_score

from counterflownet.cli.boosting import numbers_of
from counterflownet.cli.notes import tell
from counterflownet.errors import InvalidInputError, listed
from counterflownet.protocols import Classifier

MUCH_BETTER = 0.2  # labels in another order are told of if they agree on this many more of the rows


def tell_agreement(classifier: Classifier, X: pd.DataFrame, y: pd.Series, *, named: bool) -> None:
    """Print on how many rows the model and the table agree; an error if its labels are ``named`` in a wrong order."""
    if not classifier.classes:
        fit = r2_score(numbers_of(y), classifier.probabilities(X)[:, 0])
        print(f"the model explains {fit:.1%} of the variance of {y.name!r} in {len(y):,} rows")  # noqa: T201
        return
    truth, said = y.astype(object).map(str), pd.Series(classifier.probabilities(X).argmax(axis=1), index=y.index)
    labels = [str(label) for label in classifier.classes]
    right, other = _agreement(truth, said, labels), _usual_labels(truth, said, labels)
    better = 0.0 if other is None else _agreement(truth, said, other)
    if not truth.isin(labels).any():
        hint = f" Their values in the order of its answers: --classes {_written(other)}." if other else ""
        tell(f"none of the model's classes ({listed(labels)}) is a value of {y.name!r}.{hint}")
        return
    if named and other and better > max(right + MUCH_BETTER, float(truth.value_counts(normalize=True).max())):
        raise InvalidInputError(
            f"with --classes {_written(labels)} the model agrees with {y.name!r} on {right:.1%} of {len(y):,} rows, "
            f"with --classes {_written(other)} it would on {better:.1%}. Give the labels in the order of the model's "
            "probabilities, or leave out --target if it is right to disagree."
        )
    print(f"the model agrees with {y.name!r} on {right:.1%} of {len(y):,} rows")  # noqa: T201


def _agreement(truth: pd.Series, said: pd.Series, labels: Sequence[str]) -> float:
    return float((truth == said.map(dict(enumerate(labels)))).mean())


def _usual_labels(truth: pd.Series, said: pd.Series, labels: Sequence[str]) -> list[str] | None:
    """The value that the table has most often where the model says each class; None if that names no classes."""
    usual = truth.groupby(said).agg(lambda values: values.mode().iloc[0])
    found = [str(usual[number]) for number in range(len(labels)) if number in usual.index]
    return found if len(set(found)) == len(labels) else None


def _written(labels: Sequence[Any]) -> str:
    return ",".join(f'"{label}"' if "," in str(label) else str(label) for label in labels)
