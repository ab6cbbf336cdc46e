"""Models of one number per row."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import nn

from counterflownet.classifier.regressor import Regressor, as_model
from counterflownet.errors import CounterFlowNetError

ROWS = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.0, 1.0, 0.0]})
Y = [1.0, 3.0, 3.0]


class Foreign:
    """A model that knows nothing of scikit-learn but how its regressors say what they are."""

    _estimator_type = "regressor"

    def predict(self, rows: pd.DataFrame) -> pd.Series:
        return rows["a"]


@pytest.mark.parametrize(
    "model",
    [LinearRegression().fit(ROWS, Y), make_pipeline(StandardScaler(), LinearRegression()).fit(ROWS, Y), Foreign()],
    ids=["estimator", "pipeline", "foreign"],
)
def test_a_model_that_says_it_is_a_regressor_is_taken_for_one(model) -> None:
    regressor = as_model(model)
    assert isinstance(regressor, Regressor)
    assert regressor.classes == ()
    assert regressor.probabilities(ROWS).tolist() == [[number] for number in model.predict(ROWS)]


def test_one_that_was_fitted_on_an_array_is_asked_with_an_array() -> None:
    model = RandomForestRegressor(3, random_state=0).fit(ROWS.to_numpy(), Y)
    assert as_model(model).predictions(ROWS).tolist() == model.predict(ROWS.to_numpy()).tolist()


@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_a_function_is_a_regressor_if_it_is_said_to_be_one(shape) -> None:
    regressor = as_model(lambda rows: rows["a"].to_numpy().reshape(shape), task="regression")
    assert regressor.predictions(ROWS).tolist() == [1.0, 2.0, 3.0]
    assert regressor.predictions(ROWS.head(0)).tolist() == []
    assert repr(regressor) == "Regressor(<lambda>)"


def test_a_probability_is_a_number_by_a_function() -> None:
    model = LogisticRegression().fit(ROWS, [0, 1, 1])
    with pytest.raises(CounterFlowNetError, match=r"is a classifier.*predict_proba\(rows\)\[:, 1\]"):
        as_model(model, task="regression")
    likely = as_model(lambda rows: model.predict_proba(rows)[:, 1], task="regression")
    assert (likely.predictions(ROWS) == model.predict_proba(ROWS)[:, 1]).all()


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (LinearRegression(), "not fitted"),
        (LinearRegression, "got the class LinearRegression"),
        (nn.Linear(2, 1), "does not take raw columns"),
        (object(), "is no regressor"),
    ],
)
def test_what_cannot_be_asked_for_a_number_is_refused(model, told) -> None:
    with pytest.raises(CounterFlowNetError, match=told):
        as_model(model, task="regression")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (np.zeros((3, 2)), r"shape \(3,\); got \(3, 2\)"),
        (np.zeros(2), r"got \(2,\)"),
        (["good", "bad", "good"], "leave out task='regression'"),
        (np.array([1.0, np.nan, 2.0]), "row 1 of 3 is nan"),
    ],
)
def test_whatever_is_not_one_finite_number_per_row_is_an_error(answer, told) -> None:
    with pytest.raises(CounterFlowNetError, match=told):
        as_model(lambda _: answer, task="regression").predictions(ROWS)


def test_classes_and_unknown_tasks_are_refused() -> None:
    model = DummyRegressor().fit(ROWS, Y)
    with pytest.raises(CounterFlowNetError, match="has no classes"):
        as_model(model, classes=["a", "b"], task="regression")
    with pytest.raises(CounterFlowNetError, match="unknown task 'regresion'"):
        as_model(model, task="regresion")
