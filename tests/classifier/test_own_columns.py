"""Columns that a model was not fitted on."""

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.linear_model import LogisticRegression

from counterflownet import CounterFlowNet, as_classifier
from counterflownet.classifier.own_columns import used_columns

ROWS = pd.DataFrame({"number": range(40), "a": np.linspace(0, 1, 40), "b": np.tile([0, 1], 20)})
Y = (ROWS["a"] > 0.5).astype(int)
OWN = ROWS[["a", "b"]]
TINY = {"steps": 3, "batch_rows": 16, "width": 16, "passes": 1}
LIGHT = {"objective": "binary", "verbose": -1, "min_data_in_leaf": 2}

MODELS = {
    "estimator": lambda: LogisticRegression().fit(OWN, Y),
    "adapted": lambda: as_classifier(LogisticRegression().fit(OWN, Y)),
    "xgboost": lambda: xgboost.train({"objective": "binary:logistic"}, xgboost.DMatrix(OWN, Y), 2),
    "lightgbm": lambda: lightgbm.train(LIGHT, lightgbm.Dataset(OWN, Y), 2),
}


@pytest.mark.parametrize("kind", MODELS)
def test_a_table_loses_what_the_model_was_not_fitted_on(kind) -> None:
    kept, unused = used_columns(ROWS.assign(truth=Y), MODELS[kind]())
    assert list(kept.columns) == ["a", "b"]
    assert unused == ["number", "truth"]


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (LogisticRegression().fit(OWN.to_numpy(), Y), ROWS),  # knows no names
        (LogisticRegression().fit(OWN, Y), ROWS[["number", "a"]]),  # lacks one, which the model itself complains of
        (lambda rows: rows["a"], ROWS),
    ],
)
def test_otherwise_all_columns_stay(model, rows) -> None:
    kept, unused = used_columns(rows, model)
    assert kept is rows
    assert unused == []


def test_they_are_carried_along_and_told_of() -> None:
    table = ROWS.assign(truth=Y)
    explainer = CounterFlowNet(LogisticRegression().fit(OWN, Y), training=TINY).fit(table)
    assert explainer.history.notes[0] == "no answer changes 'number', 'truth': the model was not fitted on them."
    found = explainer.explain(table.head(2), target=1, count=1, rounds=1).to_frame()
    assert found[["number", "truth"]].to_numpy().tolist() == table.iloc[found["factual"], [0, 3]].to_numpy().tolist()
    assert list(found.columns[:4]) == list(table.columns)
