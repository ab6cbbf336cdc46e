"""Native boosters that were trained for a number: their objective says so, since they are no estimators."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pandas as pd

from counterflownet.classifier.boosters import (
    CATBOOST,
    LIGHTGBM,
    XGBOOST,
    catboost_rows,
    in_own_order,
    library_of,
    lightgbm_header,
    xgboost_learner,
    xgboost_matrix,
)

Ask = Callable[[pd.DataFrame], Any]


def gives_numbers(model: Any) -> bool:
    """Whether the model is a native booster with an objective that has no classes, such as a price or a rank."""
    library = library_of(model)
    if not library:
        return False
    objective, of_classes = OBJECTIVES[library]
    told = objective(model)
    return bool(told) and told not in of_classes


def native_numbers(model: Any) -> Ask | None:
    """How a native booster is asked for its number; None if the model is none."""
    library = library_of(model)
    return partial(NUMBERS[library], model) if library else None


def _of_xgboost(booster: Any, rows: pd.DataFrame) -> Any:
    return booster.predict(xgboost_matrix(booster, rows))


def _of_lightgbm(booster: Any, rows: pd.DataFrame) -> Any:
    return booster.predict(in_own_order(rows, booster.feature_name()))


def _of_catboost(model: Any, rows: pd.DataFrame) -> Any:
    return model.predict(catboost_rows(model, rows))


def _catboost_objective(model: Any) -> str:
    """The name of the loss without its parameters; nothing if the model is not fitted."""
    return str(model.get_all_params().get("loss_function")).partition(":")[0] if model.is_fitted() else ""


NUMBERS: dict[str, Callable[[Any, pd.DataFrame], Any]] = {
    "xgboost": _of_xgboost,
    "lightgbm": _of_lightgbm,
    "catboost": _of_catboost,
}
OBJECTIVES: dict[str, tuple[Callable[[Any], str], Iterable[str]]] = {
    "xgboost": (lambda booster: str(xgboost_learner(booster)["objective"]["name"]), XGBOOST),
    "lightgbm": (lambda booster: lightgbm_header(booster)["objective"], LIGHTGBM),
    "catboost": (_catboost_objective, CATBOOST),
}
