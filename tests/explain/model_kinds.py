"""The kinds of model that people bring, each fitted on the same small table in the way its users do it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import catboost
import lightgbm
import numpy as np
import pandas as pd
import polars as pl  # whoever has a model for its frames has it in use
import torch
import xgboost
from sklearn import discriminant_analysis, ensemble, linear_model, naive_bayes, neighbors, neural_network, svm, tree
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation

from counterflownet import TorchClassifier

CHANCE = np.random.default_rng(0)
X = pd.DataFrame({"a": CHANCE.random(60), "b": CHANCE.integers(0, 9, 60), "c": CHANCE.random(60)})
Y = (X["a"] + X["b"] / 9 > 1).astype(int).to_numpy()
THREE = np.digitize(X["a"] + X["b"] / 9, [0.7, 1.2])
WORDS = np.array(["bad", "good"])[Y]
QUIET = {"verbose": 0, "iterations": 5, "allow_writing_files": False, "thread_count": 1}


@dataclass(frozen=True)
class Brought:
    """A model, the names of its classes if it has none, and the class it says itself of rows."""

    model: Any
    says: Callable[[pd.DataFrame], Any]
    classes: list[Any] | None = None


class TakesArrays:
    """Its methods take arrays alone, as those of many hand-written models do."""

    classes_ = ("bad", "good")

    def predict_proba(self, rows: Any) -> np.ndarray:
        second = np.clip(rows[:, 0] / 2 + rows[:, 1] / 18, 0, 1)
        return np.stack([1 - second, second], axis=1)


class LikeKeras:
    """A network as keras has it: ``predict`` returns probabilities of shape (row, outputs), and talks."""

    def __init__(self, outputs: int) -> None:
        self.outputs = outputs

    def predict(self, x: Any, batch_size: int | None = None, verbose: Any = "auto") -> np.ndarray:
        assert verbose == 0
        second = np.clip(np.asarray(x, dtype=np.float32) @ np.array([0.5, 1 / 18, 0], dtype=np.float32), 0, 1)
        return second[:, None] if self.outputs == 1 else np.stack([1 - second, second], axis=1)


class SaysWords:
    """A rule of thumb that has classes and nothing else."""

    def predict(self, rows: pd.DataFrame) -> list[str]:
        return ["good" if a > 0.5 else "bad" for a in rows["a"]]


def chance_of_frame(rows: pd.DataFrame) -> np.ndarray:
    return np.clip(rows["a"].to_numpy() / 2 + rows["b"].to_numpy() / 18, 0, 1)


def chance_of_array(rows: Any) -> np.ndarray:
    return np.clip(rows[:, 0] / 2 + rows[:, 1] / 18, 0, 1)


def chance_of_polars(rows: Any) -> np.ndarray:
    return rows.get_column("a").clip(0, 1).to_numpy()


def fitted(model: Any, y: np.ndarray = WORDS) -> Brought:
    """As most people do it: on a frame."""
    model.fit(X, y)
    return Brought(model, model.predict)


def by_probability(model: Any) -> Brought:
    model.fit(X, WORDS)
    return Brought(model, lambda rows: model.classes_[model.predict_proba(rows).argmax(axis=1)])


def fitted_on_array(model: Any, y: np.ndarray = WORDS) -> Brought:
    model.fit(X.to_numpy(), y)
    return Brought(model, lambda rows: model.predict(rows.to_numpy()))


def function(chance: Callable[[Any], np.ndarray], form: Callable[[pd.DataFrame], Any] = pd.DataFrame.copy) -> Brought:
    return Brought(chance, lambda rows: np.where(chance(form(rows)) > 0.5, "good", "bad"), ["bad", "good"])


def detector() -> Brought:
    model = ensemble.IsolationForest(n_estimators=5, contamination=0.3, random_state=0).fit(X)
    return Brought(model, model.predict, [-1, 1])


def keras(outputs: int) -> Brought:
    network = LikeKeras(outputs)
    says = lambda rows: np.where(network.predict(rows, verbose=0)[:, -1] > 0.5, "good", "bad")  # noqa: E731
    return Brought(network, says, ["bad", "good"])


def torch_module() -> Brought:
    module = torch.nn.Linear(3, 1)
    with torch.no_grad():
        module.weight.copy_(torch.tensor([[4.0, 0.5, 0.0]]))
        module.bias.fill_(-4.0)
    model = TorchClassifier(module, lambda rows: rows.to_numpy(np.float32), classes=["bad", "good"])
    return Brought(model, lambda rows: np.where(4 * rows["a"] + 0.5 * rows["b"] > 4, "good", "bad"))


def native_xgboost(objective: str, y: np.ndarray, **options: Any) -> Brought:
    booster = xgboost.train({"objective": objective, "nthread": 1, **options}, xgboost.DMatrix(X, y), 5)

    def says(rows: pd.DataFrame) -> np.ndarray:
        said = booster.predict(xgboost.DMatrix(rows), output_margin=True)
        return said.argmax(axis=1) if said.ndim == 2 else (said > 0).astype(int)

    return Brought(booster, says)


def native_lightgbm(objective: str, y: np.ndarray, **options: Any) -> Brought:
    told = {"objective": objective, "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, **options}
    booster = lightgbm.train(told, lightgbm.Dataset(X, y), 5)

    def says(rows: pd.DataFrame) -> np.ndarray:
        said = booster.predict(rows)
        return said.argmax(axis=1) if said.ndim == 2 else (said > 0.5).astype(int)

    return Brought(booster, says)


def native_catboost(loss: str, y: np.ndarray) -> Brought:
    model = catboost.CatBoost({"loss_function": loss, **QUIET}).fit(X, y)
    return Brought(model, lambda rows: model.predict(rows, prediction_type="Class").reshape(-1))


def scaled(model: Any) -> Any:
    return make_pipeline(StandardScaler(), model)


KINDS: dict[str, Callable[[], Brought]] = {
    "logistic regression": lambda: fitted(linear_model.LogisticRegression()),
    "logistic regression on an array": lambda: fitted_on_array(linear_model.LogisticRegression()),
    "logistic regression, three classes": lambda: fitted(scaled(linear_model.LogisticRegression()), THREE),
    "pipeline": lambda: fitted(scaled(linear_model.LogisticRegression())),
    "decision tree": lambda: fitted(tree.DecisionTreeClassifier(max_depth=3)),
    "extra tree": lambda: fitted(tree.ExtraTreeClassifier(max_depth=4, random_state=0)),
    "random forest": lambda: fitted(ensemble.RandomForestClassifier(5, random_state=0)),
    "random forest on an array": lambda: fitted_on_array(ensemble.RandomForestClassifier(5, random_state=0)),
    "extra trees": lambda: fitted(ensemble.ExtraTreesClassifier(5, random_state=0)),
    "gradient boosting": lambda: fitted(ensemble.GradientBoostingClassifier(n_estimators=5)),
    "histogram boosting": lambda: fitted(ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)),
    "adaptive boosting": lambda: fitted(ensemble.AdaBoostClassifier(n_estimators=5)),
    "bagging": lambda: fitted(ensemble.BaggingClassifier(n_estimators=3, random_state=0)),
    "voting, soft": lambda: fitted(ensemble.VotingClassifier([("t", tree.DecisionTreeClassifier())], voting="soft")),
    "voting, hard": lambda: fitted(ensemble.VotingClassifier([("t", tree.DecisionTreeClassifier())])),
    "stacking": lambda: fitted(ensemble.StackingClassifier([("t", tree.DecisionTreeClassifier())], cv=2)),
    "nearest neighbours": lambda: fitted(neighbors.KNeighborsClassifier(3)),
    "neighbours in a radius": lambda: fitted(neighbors.RadiusNeighborsClassifier(20.0, weights="distance")),
    "nearest centroid": lambda: by_probability(neighbors.NearestCentroid()),  # whose predict says something else
    "gaussian bayes": lambda: fitted(naive_bayes.GaussianNB()),
    "multinomial bayes": lambda: fitted(naive_bayes.MultinomialNB()),
    "bernoulli bayes": lambda: fitted(naive_bayes.BernoulliNB(binarize=0.5)),
    "linear discriminant": lambda: fitted(discriminant_analysis.LinearDiscriminantAnalysis()),
    "quadratic discriminant": lambda: fitted(discriminant_analysis.QuadraticDiscriminantAnalysis()),
    "gaussian process": lambda: fitted(GaussianProcessClassifier()),
    "perceptron with layers": lambda: fitted(neural_network.MLPClassifier(4, solver="lbfgs", max_iter=900)),
    "label propagation": lambda: fitted(LabelPropagation()),
    "calibrated": lambda: fitted(CalibratedClassifierCV(svm.LinearSVC(), cv=2)),
    "one against the rest": lambda: fitted(OneVsRestClassifier(linear_model.LogisticRegression()), THREE),
    "one against one": lambda: fitted(OneVsOneClassifier(svm.LinearSVC()), THREE),
    "output codes": lambda: fitted(OutputCodeClassifier(linear_model.LogisticRegression(), random_state=0), THREE),
    "grid search": lambda: fitted(GridSearchCV(tree.DecisionTreeClassifier(), {"max_depth": [2, 3]}, cv=2)),
    "grid search of a machine": lambda: fitted(GridSearchCV(svm.SVC(), {"C": [1, 2]}, cv=2)),
    "support vectors": lambda: fitted(svm.SVC()),
    "support vectors, three classes": lambda: fitted(svm.SVC(), THREE),
    "support vectors on an array": lambda: fitted_on_array(svm.SVC()),
    "nu support vectors": lambda: fitted(svm.NuSVC(nu=0.3)),
    "linear support vectors": lambda: fitted(svm.LinearSVC()),
    "ridge": lambda: fitted(linear_model.RidgeClassifier()),
    "perceptron": lambda: fitted(linear_model.Perceptron()),
    "stochastic hinge": lambda: fitted(scaled(linear_model.SGDClassifier(random_state=0))),
    "dummy": lambda: fitted(DummyClassifier(strategy="prior")),
    "outlier detector": detector,
    "xgboost": lambda: fitted(xgboost.XGBClassifier(n_estimators=5, n_jobs=1), Y),
    "xgboost, native": lambda: native_xgboost("binary:logistic", Y),
    "xgboost, native margins": lambda: native_xgboost("binary:logitraw", Y),
    "xgboost, native, three classes": lambda: native_xgboost("multi:softprob", THREE, num_class=3),
    "xgboost, native, labels": lambda: native_xgboost("multi:softmax", THREE, num_class=3),
    "lightgbm": lambda: fitted(lightgbm.LGBMClassifier(n_estimators=5, n_jobs=1, verbose=-1)),
    "lightgbm, native": lambda: native_lightgbm("binary", Y),
    "lightgbm, native, three classes": lambda: native_lightgbm("multiclass", THREE, num_class=3),
    "lightgbm, native, one against all": lambda: native_lightgbm("multiclassova", THREE, num_class=3),
    "catboost": lambda: fitted(catboost.CatBoostClassifier(**QUIET)),
    "catboost on an array": lambda: fitted_on_array(catboost.CatBoostClassifier(**QUIET)),
    "catboost, native": lambda: native_catboost("Logloss", Y),
    "catboost, native, three classes": lambda: native_catboost("MultiClass", THREE),
    "torch module": torch_module,
    "keras, one output": partial(keras, 1),
    "keras, two outputs": partial(keras, 2),
    "an object that takes arrays": lambda: Brought(
        TakesArrays(), lambda rows: np.where(chance_of_array(rows.to_numpy()) > 0.5, "good", "bad")
    ),
    "an object that says words": lambda: Brought(SaysWords(), SaysWords().predict, ["bad", "good"]),
    "a function of a frame": lambda: function(chance_of_frame),
    "a function of an array": lambda: function(chance_of_array, pd.DataFrame.to_numpy),
    "a function of a polars frame": lambda: function(chance_of_polars, pl.from_pandas),
}
HARD = ("voting, hard", "output codes", "an object that says words")
