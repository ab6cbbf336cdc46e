"""The native models of xgboost, lightgbm and catboost, which know their objective but no labels or no probabilities."""

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pandas as pd

from counterflownet.classifier.chances import sigmoid, softmax
from counterflownet.classifier.checks import with_both_classes
from counterflownet.errors import ClassifierError

XGBOOST = ("binary:logistic", "reg:logistic", "binary:logitraw", "multi:softprob", "multi:softmax")
LIGHTGBM = ("binary", "cross_entropy", "multiclass", "multiclassova")
CATBOOST = ("Logloss", "CrossEntropy", "MultiClass", "MultiClassOneVsAll")


class Native(NamedTuple):
    """How to ask a booster, and the labels that it was trained with."""

    ask: Callable[[pd.DataFrame], Any]
    labels: tuple[Any, ...]


def native(model: Any) -> Native | None:
    """How a native booster is asked; None if the model is none."""
    for base in type(model).__mro__:
        library = base.__module__.partition(".")[0]
        if (library, base.__name__) in KINDS:
            return KINDS[library, base.__name__](model)
    return None


class XGBooster:
    """A ``xgboost.Booster`` for classes."""

    def __init__(self, booster: Any) -> None:
        learner = json.loads(booster.save_config())["learner"]
        self.booster, self.objective = booster, str(learner["objective"]["name"])
        _check_objective("xgboost.Booster", self.objective, XGBOOST)
        self.class_count = max(int(learner["learner_model_param"]["num_class"]), 2)

    def __call__(self, rows: pd.DataFrame) -> Any:
        matrix = sys.modules["xgboost"].DMatrix
        columns = _in_own_order(rows, self.booster.feature_names or ())
        data = matrix(columns, enable_categorical=True) if self.booster.feature_names else matrix(rows.to_numpy())
        if self.objective == "multi:softmax":
            return softmax(self.booster.predict(data, output_margin=True))
        said = self.booster.predict(data)
        said = sigmoid(said) if self.objective == "binary:logitraw" else said
        return with_both_classes(said, row_count=len(rows), class_count=self.class_count)


class LightGBooster:
    """A ``lightgbm.Booster`` for classes."""

    def __init__(self, booster: Any) -> None:
        lines = booster.model_to_string(num_iteration=1).split("\n", 12)
        told = dict(line.split("=", 1) for line in lines if "=" in line)
        self.booster, self.objective = booster, told.get("objective", "none of its own").split()[0]
        _check_objective("lightgbm.Booster", self.objective, LIGHTGBM)
        self.class_count = max(int(told["num_class"]), 2)

    def __call__(self, rows: pd.DataFrame) -> Any:
        said = self.booster.predict(_in_own_order(rows, self.booster.feature_name()))
        if self.objective == "multiclassova":
            said = said / said.sum(axis=1, keepdims=True)
        return with_both_classes(said, row_count=len(rows), class_count=self.class_count)


class CatBooster:
    """A catboost model for classes, its own classifier included."""

    def __init__(self, model: Any) -> None:
        if not model.is_fitted():
            raise ClassifierError(f"{type(model).__name__} is not fitted. Call its fit(X, y) first.")
        self.model = model
        self.objective = str(model.get_all_params().get("loss_function"))
        _check_objective(type(model).__name__, self.objective.partition(":")[0], CATBOOST)

    def __call__(self, rows: pd.DataFrame) -> Any:
        named = set(self.model.feature_names_) == set(map(str, rows.columns))
        given = _in_own_order(rows, self.model.feature_names_) if named else rows.to_numpy()
        said = self.model.predict(given, prediction_type="Probability")
        return said / said.sum(axis=1, keepdims=True)


def _xgboost(booster: Any) -> Native:
    asked = XGBooster(booster)
    return Native(asked, tuple(range(asked.class_count)))


def _lightgbm(booster: Any) -> Native:
    asked = LightGBooster(booster)
    return Native(asked, tuple(range(asked.class_count)))


def _catboost(model: Any) -> Native:
    return Native(CatBooster(model), tuple(model.classes_))


KINDS: dict[tuple[str, str], Callable[[Any], Native]] = {
    ("xgboost", "Booster"): _xgboost,
    ("lightgbm", "Booster"): _lightgbm,
    ("catboost", "CatBoost"): _catboost,
}


def _check_objective(name: str, objective: str, allowed: Iterable[str]) -> None:
    if objective not in allowed:
        raise ClassifierError(
            f"this {name} was trained for the objective {objective!r}, which gives no probabilities of classes. "
            f"Allowed: {', '.join(allowed)}. For another one, pass a function that returns probabilities."
        )


def _in_own_order(rows: pd.DataFrame, names: Iterable[Any]) -> pd.DataFrame:
    """The columns in the order in which the model names them, if it names the same ones."""
    own = list(names)
    return rows[own] if set(own) == set(rows.columns) else rows
