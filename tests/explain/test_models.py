"""The classifiers people have: boosted trees, pipelines, functions, networks; labels of every type."""

import lightgbm
import numpy as np
import pandas as pd
import pytest
import torch
import xgboost
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from counterflownet import CounterFlowNet, TorchClassifier

QUICK = {"steps": 8, "batch_rows": 32, "width": 16}


@pytest.fixture(scope="module", name="numbers")
def table_of_numbers() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame({"a": draw.random(80), "b": draw.integers(0, 20, 80), "c": draw.random(80) < 0.5})


@pytest.fixture(scope="module")
def categories(numbers) -> pd.DataFrame:
    towns = np.random.default_rng(1).choice(["rome", "oslo", "lima"], len(numbers))
    return numbers.assign(town=pd.Categorical(towns, categories=["rome", "lima", "oslo", "never seen"]))


@pytest.fixture(scope="module")
def high(numbers) -> np.ndarray:
    return (numbers["a"] + numbers["b"] / 20 > 1).to_numpy()


def check(explainer: CounterFlowNet, X: pd.DataFrame, predict) -> None:
    """Fits, explains, and asks the model itself what it says of the answers."""
    answer = explainer.fit(X).explain(X.head(30), count=2, samples=60)
    rows = answer.to_frame()[list(X.columns)]
    assert len(rows) >= 15
    assert list(predict(rows)) == [answer.targets[row] for row in answer.row]
    pd.testing.assert_series_equal(rows.dtypes, X.dtypes)


def test_xgboost(numbers, high) -> None:
    model = xgboost.XGBClassifier(n_estimators=10, n_jobs=1).fit(numbers, high.astype(int))
    check(CounterFlowNet(model, training=QUICK), numbers, model.predict)


def test_xgboost_with_labels_of_the_users_own(numbers, high) -> None:
    model = xgboost.XGBClassifier(n_estimators=10, n_jobs=1).fit(numbers, high.astype(int))
    names = np.array(["low", "high"])
    explainer = CounterFlowNet(model, classes=names, training=QUICK)
    check(explainer, numbers, lambda rows: names[model.predict(rows)])


def test_xgboost_on_categories(categories, high) -> None:
    model = xgboost.XGBClassifier(n_estimators=10, n_jobs=1, enable_categorical=True)
    model.fit(categories, high.astype(int))
    check(CounterFlowNet(model, training=QUICK), categories, model.predict)


def test_lightgbm_on_categories(categories, high) -> None:
    model = lightgbm.LGBMClassifier(n_estimators=10, n_jobs=1, verbose=-1, min_child_samples=5)
    model.fit(categories, np.where(high, "high", "low"))
    check(CounterFlowNet(model, training=QUICK), categories, model.predict)


def test_a_pipeline_on_raw_columns(people, pipeline) -> None:
    check(CounterFlowNet(pipeline, training=QUICK), people, pipeline.predict)


def test_a_forest_fitted_on_an_array(numbers, high) -> None:
    model = RandomForestClassifier(10, random_state=0).fit(numbers.to_numpy(float), high)
    check(CounterFlowNet(model, training=QUICK), numbers, lambda rows: model.predict(rows.to_numpy(float)))


@pytest.mark.parametrize("labels", [["low", "high"], [0, 1], [False, True], [-1, 1], [1.0, 2.0]], ids=str)
def test_labels_of_any_type(numbers, high, labels) -> None:
    model = LogisticRegression().fit(numbers, np.array(labels)[high.astype(int)])
    explainer = CounterFlowNet(model, training=QUICK)
    assert set(explainer.classes) == set(labels)
    check(explainer, numbers, model.predict)


def test_a_function_of_the_frame(numbers) -> None:
    def chance(frame: pd.DataFrame) -> np.ndarray:
        return np.clip(frame["a"].to_numpy() * 0.5 + frame["b"].to_numpy() / 40, 0, 1)

    explainer = CounterFlowNet(chance, classes=["low", "high"], training=QUICK)
    check(explainer, numbers, lambda rows: np.where(chance(rows) > 0.5, "high", "low"))


@pytest.mark.parametrize("outputs", [1, 2])
def test_a_torch_module_with_its_preprocessing(numbers, high, outputs) -> None:
    module = torch.nn.Linear(3, outputs)
    with torch.no_grad():
        module.weight.zero_()
        module.weight[-1] = torch.tensor([4.0, 0.2, 0.0])
        module.bias.copy_(torch.tensor([0.0, -4.0])[-outputs:])
    model = TorchClassifier(module, lambda frame: frame.to_numpy(np.float32), classes=["low", "high"])
    explainer = CounterFlowNet(model, training=QUICK)
    check(explainer, numbers, lambda rows: np.where(4 * rows["a"] + 0.2 * rows["b"] > 4, "high", "low"))
    assert module.training  # left as it was


def test_three_classes_of_boosted_trees(numbers) -> None:
    model = lightgbm.LGBMClassifier(n_estimators=15, n_jobs=1, verbose=-1, min_child_samples=5)
    model.fit(numbers, pd.cut(numbers["a"], [-1, 0.3, 0.6, 2], labels=["x", "y", "z"]).astype(str))
    explainer = CounterFlowNet(model, training=QUICK).fit(numbers)
    wanted = np.resize(["x", "y", "z"], 30)
    answer = explainer.explain(numbers.head(30), target=wanted, count=2)
    assert len(answer.row) > 15
    assert (model.predict(answer.to_frame()[numbers.columns]) == wanted[answer.row]).all()
