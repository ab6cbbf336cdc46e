"""What boosters say becomes probabilities, whatever their objective; stand-ins say it here, real ones elsewhere."""

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from counterflownet.classifier import as_classifier
from counterflownet.classifier.booster_numbers import gives_numbers
from counterflownet.classifier.boosters import LightGBooster, xgboost_matrix

ROWS = pd.DataFrame({"a": [0.0, 1.0], "b": [2.0, 3.0]})


class Boosted:
    """What is asked of a ``lightgbm.Booster``: how its file begins, its columns, its predictions."""

    def __init__(self, objective: str, class_count: int, said: list) -> None:
        self.text = f"tree\nversion=v4\nnum_class={class_count}\nobjective={objective} num_class:{class_count}\n"
        self.said = np.array(said)

    def model_to_string(self, num_iteration: int) -> str:
        assert num_iteration == 1
        return self.text

    def feature_name(self) -> list[str]:
        return ["b", "a"]

    def predict(self, rows: pd.DataFrame) -> np.ndarray:
        assert list(rows.columns) == self.feature_name()
        return self.said


@pytest.mark.parametrize(
    ("objective", "class_count", "said", "told"),
    [
        ("multiclassova", 3, [[0.5, 0.25, 0.25], [0.8, 0.4, 0.4]], [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]),
        ("multiclass", 3, [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]], [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]),
        ("binary", 1, [0.25, 1.0], [[0.75, 0.25], [0.0, 1.0]]),
    ],
)
def test_what_a_booster_says_becomes_a_probability_of_each_class(objective, class_count, said, told) -> None:
    assert LightGBooster(Boosted(objective, class_count, said))(ROWS).tolist() == told


def test_a_native_booster_is_recognised_by_its_class() -> None:
    booster = type("Booster", (Boosted,), {"__module__": "lightgbm.basic"})("binary", 1, [0.25, 1.0])
    classifier = as_classifier(booster, classes=["bad", "good"])
    assert (classifier.classes, classifier.own) == (("bad", "good"), (0, 1))
    assert classifier.probabilities(ROWS).tolist() == [[0.75, 0.25], [0.0, 1.0]]


class CatBoost:
    """What is asked of a catboost model: whether it is fitted, and its loss."""

    __module__ = "catboost.core"

    def __init__(self, loss: str, *, fitted: bool = True) -> None:
        self.loss, self.fitted = loss, fitted

    def is_fitted(self) -> bool:
        return self.fitted

    def get_all_params(self) -> dict[str, str]:
        return {"loss_function": self.loss}


@pytest.mark.parametrize(
    ("loss", "numbers"),
    [("RMSE", True), ("Quantile:alpha=0.9", True), ("Logloss", False), ("MultiClass:use_weights=false", False)],
)
def test_the_loss_of_a_booster_without_its_parameters_says_whether_it_gives_numbers(loss, numbers) -> None:
    assert gives_numbers(CatBoost(loss)) is numbers
    assert not gives_numbers(CatBoost(loss, fitted=False))


@pytest.mark.parametrize(("names", "told"), [(["b", "a"], [[2.0, 0.0], [3.0, 1.0]]), (None, [[0.0, 2.0], [1.0, 3.0]])])
def test_a_booster_with_names_is_given_categories_and_its_own_order(names, told, monkeypatch) -> None:
    made = SimpleNamespace(DMatrix=lambda rows, **options: (np.asarray(rows).tolist(), options))
    monkeypatch.setitem(sys.modules, "xgboost", made)
    options = {"enable_categorical": True} if names else {}
    assert xgboost_matrix(SimpleNamespace(feature_names=names), ROWS) == (told, options)
