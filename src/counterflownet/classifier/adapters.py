"""Whatever model the user has, adapted to one small Protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted
from torch import nn

from counterflownet.classifier.boosters import native
from counterflownet.classifier.checks import checked_answer, with_both_classes
from counterflownet.classifier.forms import RememberedForm, asked
from counterflownet.classifier.labels import plain_labels, settled_labels
from counterflownet.classifier.torch_module import TorchClassifier
from counterflownet.classifier.verdicts import Decided, Predicted
from counterflownet.errors import ClassifierError
from counterflownet.protocols import Classifier


def as_classifier(model: Any, *, classes: Sequence[Any] | Any | None = None, scale: float | None = None) -> Classifier:
    """A classifier on raw columns whose every output is checked.

    >>> as_classifier(lambda rows: 1 / (1 + rows["debt"]), classes=["bad", "good"]).classes
    ('bad', 'good')

    Args:
        model: A Classifier; an object with ``predict_proba``, ``decision_function`` or ``predict``, a native booster of
            xgboost, lightgbm or catboost; or a function from rows to probabilities of shape (row, class), or (row,) for
            the second of two classes. Whoever fails on a frame is asked with an array.
        classes: The labels of a function, in the order of its columns; new names for a model with its own labels.
        scale: For a model with a decision function: the size at which a class is fairly sure (a probability of 0.73).
            None for the median of the first rows it is asked about.
    """
    if isinstance(model, AdaptedClassifier | TorchClassifier) and classes is None:
        return model
    if isinstance(model, type):
        raise ClassifierError(
            f"expected a fitted model; got the class {model.__name__}. Create an instance and fit it."
        )
    if isinstance(model, Classifier):
        return AdaptedClassifier(model, settled_labels(model.classes, classes), model.probabilities, model.classes)
    booster = native(model)
    if booster is not None:
        own = plain_labels(booster.labels)
        return AdaptedClassifier(model, settled_labels(own, classes), booster.ask, own)
    way = _way_to_ask(model, scale)
    if way is not None:
        return AdaptedClassifier(model, *_estimator(model, classes, way))
    if callable(model) and not isinstance(model, nn.Module) and not hasattr(model, "predict"):
        return _adapted_function(model, classes)
    raise _no_classifier(model)


@dataclass(frozen=True, repr=False, eq=False)
class AdaptedClassifier:
    """A model, its labels and how to query it; ``own`` are the labels that it knows itself, None if it knows none."""

    model: Any
    classes: tuple[Any, ...]
    ask: Callable[[pd.DataFrame], Any]
    own: tuple[Any, ...] | None = None

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return checked_answer(self.ask, rows, class_count=len(self.classes))

    @property
    def scale(self) -> float | None:
        """The size at which a decision function is fairly sure; None for other models."""
        return getattr(self.ask, "scale", None)

    def __repr__(self) -> str:
        name = getattr(self.model, "__name__", type(self.model).__name__)
        return f"as_classifier({name}, classes={self.classes!r})"


Ask = Callable[[pd.DataFrame], Any]
Asked = tuple[tuple[Any, ...], Ask, tuple[Any, ...] | None]


def _way_to_ask(model: Any, scale: float | None) -> Callable[[tuple[Any, ...]], Ask] | None:
    """How to ask an estimator of classes that has these labels; None if it is none."""
    if hasattr(model, "predict_proba"):
        return lambda _: asked(model, "predict_proba")
    if _predicts_numbers(model) or not hasattr(model, "predict"):
        return None
    if hasattr(model, "decision_function"):
        return lambda own: Decided(asked(model, "decision_function"), asked(model, "predict"), own, scale)
    return lambda own: Predicted(asked(model, "predict"), own, type(model).__name__)


def _estimator(model: Any, given: Any, ask: Callable[[tuple[Any, ...]], Ask]) -> Asked:
    """Its labels, how to ask it, and the labels it has itself, if any."""
    known = getattr(model, "classes_", None)
    if known is not None:
        own = plain_labels(known)
        return settled_labels(own, given), ask(own), own
    if given is not None:
        return plain_labels(given), ask(plain_labels(given)), None
    _check_fitted(model)
    raise ClassifierError(
        f"{type(model).__name__} has no classes_, so the labels of its answers are unknown. Name them in order, for "
        "example: CounterFlowNet(model, classes=['bad', 'good']). If it predicts a number: task='regression'."
    )


def _predicts_numbers(model: Any) -> bool:
    kind = getattr(model, "_estimator_type", None)  # of estimators that are not made from scikit-learn's classes
    return kind == "regressor" or (isinstance(model, BaseEstimator) and is_regressor(model))


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
            "for example: CounterFlowNet(function, classes=['bad', 'good']). If it returns one number per row that is "
            "no probability: task='regression'."
        )
    labels = plain_labels(classes)
    # a partial, not a lambda: classifiers travel to worker processes
    return AdaptedClassifier(function, labels, partial(_asked_function, RememberedForm(function), len(labels)))


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
            f"{name} predicts numbers, not classes. Explain a classifier, or pass a function that returns the "
            "probability of a class, such as that of a prediction above a limit: "
            "as_classifier(function, classes=['below', 'above'])."
        )
    return ClassifierError(
        f"{name} is not a classifier. Allowed: an object with predict_proba, decision_function or predict, a function "
        "from a frame to probabilities, a TorchClassifier, or an object with classes and probabilities(rows)."
    )
