"""Whatever people bring that gives one number per row, as a model on raw columns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted
from torch import nn

from counterflownet.classifier.adapters import as_classifier
from counterflownet.classifier.booster_numbers import gives_numbers, native_numbers
from counterflownet.classifier.checks import asked
from counterflownet.classifier.forms import RememberedForm
from counterflownet.classifier.forms import asked as in_its_form
from counterflownet.errors import ClassifierError, InvalidInputError, check_one_of
from counterflownet.protocols import Classifier

Task = Literal["classification", "regression"]
TASKS = ("classification", "regression")
BY_FUNCTION = "CounterFlowNet(lambda rows: ..., task='regression')"


@dataclass(frozen=True, repr=False, eq=False)
class Regressor:
    """A model of one number per row, and how to query it."""

    model: Any
    ask: Callable[[pd.DataFrame], Any]
    classes: tuple[Any, ...] = ()  # it has none: that tells it from a classifier

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """The predictions as one column: every part of the library asks all models in the same way."""
        return self.predictions(rows)[:, None]

    def predictions(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """One number per row, checked."""
        if not len(rows):
            return np.empty(0)
        return _checked(asked(self.ask, rows, "regressor"), len(rows))

    def __repr__(self) -> str:
        name = getattr(self.model, "__name__", type(self.model).__name__)
        return f"Regressor({name})"


def as_model(model: Any, *, classes: Any = None, task: Any = None) -> Classifier:
    """The model, adapted: a regressor if ``task`` says so or the model does, otherwise a classifier."""
    if task is not None:
        check_one_of("task", task, TASKS)
    if isinstance(model, Regressor):
        return model
    if task == "regression" or (task is None and classes is None and says_regressor(model)):
        return as_regressor(model, classes=classes)
    return as_classifier(model, classes=classes)


def as_regressor(model: Any, *, classes: Any = None) -> Regressor:
    """A model of one number per row, whose every output is checked: an object with ``predict``, or a function."""
    if classes is not None:
        raise InvalidInputError("a regressor has no classes. Leave out classes=, or task='regression'.")
    _refuse_others(model)
    booster = native_numbers(model)
    if booster is not None:
        return Regressor(model, booster)
    if hasattr(model, "predict"):
        return Regressor(model, in_its_form(model, "predict"))
    if callable(model):
        return Regressor(model, RememberedForm(model))
    raise ClassifierError(
        f"{type(model).__name__} is no regressor. Allowed: an object with predict, or a function from a frame to one "
        f"number per row: {BY_FUNCTION}."
    )


def says_regressor(model: Any) -> bool:
    """Whether the model itself says that it is a regressor, as scikit-learn's and those of boosting libraries do."""
    if isinstance(model, BaseEstimator):
        return bool(is_regressor(model))
    return getattr(model, "_estimator_type", None) == "regressor" or gives_numbers(model)


def _refuse_others(model: Any) -> None:
    name = type(model).__name__
    if isinstance(model, type):
        raise ClassifierError(f"expected a fitted model; got the class {model.__name__}. Create one and fit it.")
    if isinstance(model, nn.Module):
        raise ClassifierError(
            f"the torch module {name} does not take raw columns. Pass a function from a frame to one number per row "
            f"that prepares its input and calls it: {BY_FUNCTION}."
        )
    if isinstance(model, BaseEstimator) and is_classifier(model):
        raise ClassifierError(
            f"{name} is a classifier, and its predict gives classes. To ask for a probability as a number, give a "
            "function: CounterFlowNet(lambda rows: model.predict_proba(rows)[:, 1], task='regression')."
        )
    if isinstance(model, BaseEstimator):
        try:
            check_is_fitted(model)
        except NotFittedError as error:
            raise ClassifierError(f"{name} is not fitted; call its fit(X, y) first.") from error


def _checked(given: Any, row_count: int) -> NDArray[np.float64]:
    try:
        answer = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: a tensor that still carries gradients
        raise ClassifierError(
            f"the regressor must return one number per row; got {type(given).__name__} ({error}). If it gives classes, "
            "leave out task='regression'."
        ) from error
    if answer.shape not in {(row_count,), (row_count, 1)}:
        raise ClassifierError(
            f"the regressor must return one number per row, an array of shape {(row_count,)}; got {answer.shape}. "
            f"Explain one of several outputs by a function: {BY_FUNCTION}."
        )
    answer = answer.reshape(row_count)
    if not np.isfinite(answer).all():
        row = int((~np.isfinite(answer)).argmax())
        raise ClassifierError(f"the regressor must return finite numbers; row {row} of {row_count} is {answer[row]}.")
    return answer
