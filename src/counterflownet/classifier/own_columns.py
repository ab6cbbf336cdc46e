"""The columns that a model was fitted on, where it says so itself."""

from typing import Any

import pandas as pd

from counterflownet.classifier.adapters import AdaptedClassifier
from counterflownet.classifier.boosters import library_of
from counterflownet.classifier.regressor import Regressor


def used_columns(rows: pd.DataFrame, model: Any) -> tuple[pd.DataFrame, list[Any]]:
    """The rows without columns that the model was not fitted on, and the names of these.

    A table often has more of them, such as what is predicted, and an estimator refuses what it was not fitted on. All
    columns are kept if the model does not name its own, or if the table lacks one: then it is asked, and says why not.
    """
    own = set(_named_by(model.model if isinstance(model, (AdaptedClassifier, Regressor)) else model))
    if not own or not own <= set(rows.columns):
        return rows, []
    unused = [name for name in rows.columns if name not in own]
    return (rows.drop(columns=unused) if unused else rows), unused


def _named_by(model: Any) -> list[Any]:
    of_boosters = {"xgboost": "feature_names", "lightgbm": "feature_name", "catboost": "feature_names_"}
    told = getattr(model, of_boosters.get(library_of(model), "feature_names_in_"), None)
    told = told() if callable(told) else told
    return [] if told is None else list(told)
