"""Every kind of model of a number works at the first try, and says the same as without us."""

from collections.abc import Callable
from typing import Any

import catboost
import lightgbm
import numpy as np
import pandas as pd
import pytest
import torch
import xgboost
from model_kinds import QUIET, X
from sklearn import ensemble, gaussian_process, linear_model, neighbors, svm, tree
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from counterflownet import AtLeast, CounterFlowNet
from counterflownet.classifier.regressor import Regressor, as_model
from counterflownet.errors import ClassifierError

Y = (3 * X["a"] + X["b"] / 3).to_numpy()
TINY = {"steps": 3, "batch_rows": 16, "width": 16, "passes": 1}
LIGHT = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 5}
Brought = tuple[Any, Callable[[pd.DataFrame], Any]]


class LikeKeras:
    """A network as keras has it: one output of shape (row, 1), in float32, for arrays alone; and it talks."""

    def predict(self, x: Any, batch_size: int | None = None, verbose: Any = "auto") -> np.ndarray:
        assert verbose == 0
        assert isinstance(x, np.ndarray)
        return np.asarray(x, dtype=np.float32)[:, :1] * 3


def fitted(model: Any) -> Brought:
    model.fit(X, Y)
    return model, model.predict


def fitted_on_array(model: Any) -> Brought:
    model.fit(X.to_numpy(), Y)
    return model, lambda rows: model.predict(rows.to_numpy())


def native_xgboost(objective: str) -> Brought:
    booster = xgboost.train({"objective": objective, "nthread": 1}, xgboost.DMatrix(X, Y), 5)
    return booster, lambda rows: booster.predict(xgboost.DMatrix(rows))


def native_lightgbm(objective: str, **options: Any) -> Brought:
    booster = lightgbm.train({"objective": objective, **LIGHT}, lightgbm.Dataset(X, Y.round(), **options), 5)
    return booster, booster.predict


def native_catboost(loss: str) -> Brought:
    model = catboost.CatBoost({"loss_function": loss, **QUIET}).fit(X, Y)
    return model, model.predict


def array_function(rows: Any) -> Any:
    return rows[:, 0] * 3 + rows[:, 1] / 3


def tensor_function(rows: pd.DataFrame) -> torch.Tensor:
    return torch.as_tensor(rows.to_numpy(np.float64)).sum(dim=1)


KINDS: dict[str, Callable[[], Brought]] = {
    "least squares": lambda: fitted(linear_model.LinearRegression()),
    "least squares on an array": lambda: fitted_on_array(linear_model.LinearRegression()),
    "pipeline": lambda: fitted(make_pipeline(StandardScaler(), linear_model.Ridge())),
    "tree": lambda: fitted(tree.DecisionTreeRegressor(max_depth=4)),
    "forest": lambda: fitted(ensemble.RandomForestRegressor(5, random_state=0)),
    "histogram boosting": lambda: fitted(ensemble.HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=5)),
    "nearest neighbours": lambda: fitted(neighbors.KNeighborsRegressor(3)),
    "support vectors": lambda: fitted(svm.SVR()),
    "gaussian process": lambda: fitted(gaussian_process.GaussianProcessRegressor(random_state=0)),
    "grid search": lambda: fitted(GridSearchCV(tree.DecisionTreeRegressor(), {"max_depth": [2, 3]}, cv=2)),
    "logarithm of the target": lambda: fitted(
        TransformedTargetRegressor(linear_model.LinearRegression(), func=np.log1p, inverse_func=np.expm1)
    ),
    "xgboost": lambda: fitted(xgboost.XGBRegressor(n_estimators=5, n_jobs=1)),
    "xgboost, native": lambda: native_xgboost("reg:squarederror"),
    "xgboost, native counts": lambda: native_xgboost("count:poisson"),
    "lightgbm": lambda: fitted(lightgbm.LGBMRegressor(n_estimators=5, n_jobs=1, verbose=-1)),
    "lightgbm, native": lambda: native_lightgbm("regression"),
    "lightgbm, native quantile": lambda: native_lightgbm("quantile"),
    "lightgbm, native ranks": lambda: native_lightgbm("lambdarank", group=[len(X)]),
    "catboost": lambda: fitted(catboost.CatBoostRegressor(**QUIET)),
    "catboost on an array": lambda: fitted_on_array(catboost.CatBoostRegressor(**QUIET)),
    "catboost, native": lambda: native_catboost("RMSE"),
    "catboost, native quantile": lambda: native_catboost("Quantile:alpha=0.9"),
}
TOLD: dict[str, Callable[[], Brought]] = {  # those that cannot say themselves what they are
    "keras": lambda: (LikeKeras(), lambda rows: rows["a"] * 3),
    "function of a frame": lambda: (lambda rows: rows["a"] * 3, lambda rows: rows["a"] * 3),
    "function of an array": lambda: (array_function, lambda rows: rows["a"] * 3 + rows["b"] / 3),
    "function to a tensor": lambda: (tensor_function, lambda rows: rows.sum(axis=1)),
}


@pytest.mark.parametrize("kind", [*KINDS, *TOLD])
def test_any_regressor_is_explained_at_the_first_try(kind: str) -> None:
    model, says = (KINDS | TOLD)[kind]()
    task = "regression" if kind in TOLD else None
    explainer = CounterFlowNet(model, task=task, training=TINY, weights={"plausibility": 0}).fit(X)
    own = np.asarray(says(X), dtype=np.float64)
    assert np.allclose(explainer.classifier.predictions(X), own, atol=1e-6)
    wanted = AtLeast(float(np.quantile(own, 0.7)))
    answer = explainer.explain(X.iloc[[int(own.argmin())]], target=wanted, count=1, rounds=1)
    assert np.asarray(says(answer.counterfactuals), dtype=np.float64)[0] >= wanted.low - 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_itself_that_it_is_one(kind: str) -> None:
    assert isinstance(as_model(KINDS[kind]()[0]), Regressor)


def test_a_booster_for_classes_can_be_asked_for_its_probability_as_a_number() -> None:
    booster = xgboost.train({"objective": "binary:logistic", "nthread": 1}, xgboost.DMatrix(X, Y > 2), 5)
    assert not isinstance(as_model(booster), Regressor)
    risk = as_model(booster, task="regression")
    assert risk.predictions(X).tolist() == booster.predict(xgboost.DMatrix(X)).astype(np.float64).tolist()


def test_classes_of_a_booster_for_numbers_are_refused_with_the_way_out() -> None:
    with pytest.raises(ClassifierError, match=r"reg:squarederror.*leave out classes="):
        as_model(native_xgboost("reg:squarederror")[0], classes=["low", "high"])
