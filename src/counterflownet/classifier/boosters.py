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
    """How a native booster is asked for classes; None if the model is none."""
    library = library_of(model)
    return KINDS[library](model) if library else None


def library_of(model: Any) -> str:
    """The library that a native booster is of; nothing for other models, those libraries' own estimators included."""
    for base in type(model).__mro__:
        library = base.__module__.partition(".")[0]
        if (library, base.__name__) in NAMES:
            return library
    return ""


class XGBooster:
    """A ``xgboost.Booster`` for classes."""

    def __init__(self, booster: Any) -> None:
        learner = xgboost_learner(booster)
        self.booster, self.objective = booster, str(learner["objective"]["name"])
        _check_objective("xgboost.Booster", self.objective, XGBOOST)
        self.class_count = max(int(learner["learner_model_param"]["num_class"]), 2)

    def __call__(self, rows: pd.DataFrame) -> Any:
        data = xgboost_matrix(self.booster, rows)
        if self.objective == "multi:softmax":
            return softmax(self.booster.predict(data, output_margin=True))
        said = self.booster.predict(data)
        said = sigmoid(said) if self.objective == "binary:logitraw" else said
        return with_both_classes(said, row_count=len(rows), class_count=self.class_count)


class LightGBooster:
    """A ``lightgbm.Booster`` for classes."""

    def __init__(self, booster: Any) -> None:
        told = lightgbm_header(booster)
        self.booster, self.objective = booster, told["objective"]
        _check_objective("lightgbm.Booster", self.objective, LIGHTGBM)
        self.class_count = max(int(told["num_class"]), 2)

    def __call__(self, rows: pd.DataFrame) -> Any:
        said = self.booster.predict(in_own_order(rows, self.booster.feature_name()))
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
        said = self.model.predict(catboost_rows(self.model, rows), prediction_type="Probability")
        return said / said.sum(axis=1, keepdims=True)


def _xgboost(booster: Any) -> Native:
    asked = XGBooster(booster)
    return Native(asked, tuple(range(asked.class_count)))


def _lightgbm(booster: Any) -> Native:
    asked = LightGBooster(booster)
    return Native(asked, tuple(range(asked.class_count)))


def _catboost(model: Any) -> Native:
    return Native(CatBooster(model), tuple(model.classes_))


NAMES = {("xgboost", "Booster"), ("lightgbm", "Booster"), ("catboost", "CatBoost")}
KINDS: dict[str, Callable[[Any], Native]] = {"xgboost": _xgboost, "lightgbm": _lightgbm, "catboost": _catboost}


def xgboost_learner(booster: Any) -> dict[str, Any]:
    """What a ``xgboost.Booster`` says of itself."""
    learner: dict[str, Any] = json.loads(booster.save_config())["learner"]
    return learner


def xgboost_matrix(booster: Any, rows: pd.DataFrame) -> Any:
    """The rows as a ``xgboost.Booster`` takes them; one that was trained on an array knows no names."""
    matrix = sys.modules["xgboost"].DMatrix
    if not booster.feature_names:
        return matrix(rows.to_numpy())
    return matrix(in_own_order(rows, booster.feature_names), enable_categorical=True)


def lightgbm_header(booster: Any) -> dict[str, str]:
    """What a ``lightgbm.Booster`` says of itself."""
    lines = booster.model_to_string(num_iteration=1).split("\n", 12)
    told = dict(line.split("=", 1) for line in lines if "=" in line)
    return told | {"objective": told.get("objective", "none of its own").split()[0]}


def catboost_rows(model: Any, rows: pd.DataFrame) -> Any:
    """The rows as a catboost model takes them; one that was trained on an array has made up its names."""
    named = set(model.feature_names_) == set(map(str, rows.columns))
    return in_own_order(rows, model.feature_names_) if named else rows.to_numpy()


def in_own_order(rows: pd.DataFrame, names: Iterable[Any]) -> pd.DataFrame:
    """The columns in the order in which the model names them, if it names the same ones."""
    own = list(names)
    return rows[own] if set(own) == set(rows.columns) else rows


def _check_objective(name: str, objective: str, allowed: Iterable[str]) -> None:
    if objective not in allowed:
        raise ClassifierError(
            f"this {name} was trained for the objective {objective!r}, which gives no probabilities of classes. "
            f"Allowed: {', '.join(allowed)}. For another one, pass a function that returns probabilities, or leave out "
            "classes= to ask where its number should lie."
        )
