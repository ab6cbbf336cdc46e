"""Objects with ``predict_proba``: scikit-learn estimators and pipelines, xgboost, lightgbm and the like."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from counterflownet.classifier.labels import plain_labels, settled_labels
from counterflownet.errors import ClassifierError


def estimator_labels(model: Any, given: Any) -> tuple[Any, ...]:
    """The estimator's own labels, or the given ones if it has none."""
    own = getattr(model, "classes_", None)
    if own is not None:
        return settled_labels(own, given)
    if given is not None:
        return plain_labels(given)
    _check_fitted(model)
    name = type(model).__name__
    raise ClassifierError(
        f"{name} has no classes_, so the labels of its probabilities are unknown. "
        "List them in order, for example: as_classifier(model, classes=['bad', 'good'])."
    )


def estimator_answer(model: Any) -> Callable[[pd.DataFrame], Any]:
    """How to query the estimator: with a frame, or with an array if it was fitted on one."""
    fitted_on_array = hasattr(model, "n_features_in_") and not hasattr(model, "feature_names_in_")
    # scikit-learn would warn on every call about column names it did not see in fit
    return partial(_asked_with_array, model) if fitted_on_array else model.predict_proba


def _asked_with_array(model: Any, rows: pd.DataFrame) -> Any:
    return model.predict_proba(rows.to_numpy())


def _check_fitted(model: Any) -> None:
    if not isinstance(model, BaseEstimator):
        return
    try:
        check_is_fitted(model)
    except NotFittedError as error:
        name = type(model).__name__
        message = f"{name} is not fitted; a classifier must be fitted before it can be explained."
        raise ClassifierError(f"{message} Call its fit(X, y) first.") from error
