"""Whatever model the user has, adapted to one small Protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted
from torch import nn

from counterflownet.classifier.checks import checked_answer, with_both_classes
from counterflownet.classifier.labels import plain_labels, settled_labels
from counterflownet.classifier.torch_module import TorchClassifier
from counterflownet.errors import ClassifierError
from counterflownet.protocols import Classifier


def as_classifier(model: Any, *, classes: Sequence[Any] | Any | None = None) -> Classifier:
    """A classifier on raw columns whose every output is checked.

    >>> as_classifier(lambda rows: 1 / (1 + rows["debt"]), classes=["bad", "good"]).classes
    ('bad', 'good')

    Args:
        model: A Classifier, an object with ``predict_proba``, or a function from a frame to probabilities of shape
            (row, class), or (row,) for the second of two classes.
        classes: The labels of a function, in the order of its columns; new names for a model with its own labels.
    """
    if isinstance(model, AdaptedClassifier | TorchClassifier) and classes is None:
        return model
    if isinstance(model, type):
        raise ClassifierError(
            f"expected a fitted model; got the class {model.__name__}. Create an instance and fit it."
        )
    if isinstance(model, Classifier):
        return AdaptedClassifier(model, settled_labels(model.classes, classes), model.probabilities)
    if hasattr(model, "predict_proba"):
        return AdaptedClassifier(model, _estimator_labels(model, classes), _estimator_answer(model))
    if callable(model) and not isinstance(model, nn.Module) and not hasattr(model, "predict"):
        return _adapted_function(model, classes)
    raise _no_classifier(model)


@dataclass(frozen=True, repr=False, eq=False)
class AdaptedClassifier:
    """A model, its labels and how to query it."""

    model: Any
    classes: tuple[Any, ...]
    ask: Callable[[pd.DataFrame], Any]

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return checked_answer(self.ask, rows, class_count=len(self.classes))

    def __repr__(self) -> str:
        name = getattr(self.model, "__name__", type(self.model).__name__)
        return f"as_classifier({name}, classes={self.classes!r})"


def _estimator_labels(model: Any, given: Any) -> tuple[Any, ...]:
    """The estimator's own labels, or the given ones when it has none."""
    known = getattr(model, "classes_", None)
    if known is not None:
        return settled_labels(known, given)
    if given is not None:
        return plain_labels(given)
    _check_fitted(model)
    raise ClassifierError(
        f"{type(model).__name__} has no classes_, so the labels of its probabilities are unknown. "
        "Name them in order, for example: as_classifier(model, classes=['bad', 'good'])."
    )


def _estimator_answer(model: Any) -> Callable[[pd.DataFrame], Any]:
    """How to ask the estimator: with a frame, or with an array if it was fitted on one."""
    fitted_on_array = hasattr(model, "n_features_in_") and not hasattr(model, "feature_names_in_")
    # scikit-learn would warn on every call about column names that it did not see in fit
    return partial(_asked_with_array, model) if fitted_on_array else model.predict_proba


def _asked_with_array(model: Any, rows: pd.DataFrame) -> Any:
    return model.predict_proba(rows.to_numpy())


def _check_fitted(model: Any) -> None:
    if not isinstance(model, BaseEstimator):
        return
    try:
        check_is_fitted(model)
    except NotFittedError as error:
        message = f"{type(model).__name__} is not fitted; a classifier must be fitted before it can be explained."
        raise ClassifierError(f"{message} Call its fit(X, y) first.") from error


def _adapted_function(function: Callable[..., Any], classes: Any) -> AdaptedClassifier:
    if classes is None:
        raise ClassifierError(
            "a function does not name its classes. List them in the order of its columns, "
            "for example: as_classifier(function, classes=['bad', 'good'])."
        )
    labels = plain_labels(classes)
    # a partial, not a lambda: classifiers travel to worker processes
    return AdaptedClassifier(function, labels, partial(_asked_function, function, len(labels)))


def _asked_function(function: Callable[..., Any], class_count: int, rows: pd.DataFrame) -> Any:
    row_count = len(rows)  # counted first: the function may change its copy of the rows
    return with_both_classes(function(rows), row_count=row_count, class_count=class_count)


def _no_classifier(model: Any) -> ClassifierError:
    name = type(model).__name__
    if isinstance(model, nn.Module):
        return ClassifierError(
            f"the torch module {name} does not take raw columns. Wrap it together with its preprocessing: "
            "TorchClassifier(module, preprocess=lambda frame: frame.to_numpy(), classes=['bad', 'good'], "
            "outputs='logits')."
        )
    if hasattr(model, "predict"):
        return ClassifierError(
            f"{name} has predict but no predict_proba, and probabilities are required. Fit "
            "sklearn.calibration.CalibratedClassifierCV(model) instead, or pass a function that returns "
            "probabilities: as_classifier(function, classes=['bad', 'good'])."
        )
    return ClassifierError(
        f"{name} is not a classifier. Allowed: an object with predict_proba, a function from a frame to probabilities, "
        "a TorchClassifier, or an object with classes and probabilities(rows)."
    )
