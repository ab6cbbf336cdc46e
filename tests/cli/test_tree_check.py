"""A tree that leads out of itself is refused before it is asked anything."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import HistGradientBoostingClassifier

from counterflownet.cli.skops_model import load_skops
from counterflownet.cli.tree_check import tree_fault
from counterflownet.errors import SavedFileError


@pytest.fixture
def model() -> HistGradientBoostingClassifier:
    draw = np.random.default_rng(0)
    X = pd.DataFrame({"kind": draw.integers(0, 5, 200), "size": draw.random(200)})
    y = (X["kind"] % 2 == 0) ^ (X["size"] > 0.5)
    return HistGradientBoostingClassifier(categorical_features=["kind"], max_iter=3).fit(X, y)


def first_nodes(model: HistGradientBoostingClassifier) -> np.ndarray:
    return model._predictors[0][0].nodes


def test_what_was_fitted_has_no_fault(model):
    assert first_nodes(model)["is_categorical"].any()
    assert tree_fault(model) is None
    assert tree_fault({"model": [model]}) is None
    assert tree_fault("no model") is None


@pytest.mark.parametrize(
    ("field", "value"), [("left", 10**6), ("right", 10**6), ("left", 0), ("feature_idx", 2), ("feature_idx", -1)]
)
def test_a_node_that_leads_out_of_its_tree_is_a_fault(model, field, value):
    first_nodes(model)[field][0] = value
    assert tree_fault(model) == "a node leads out of its tree"


def test_a_set_of_categories_that_is_not_there_is_a_fault(model):
    nodes = first_nodes(model)
    nodes["bitset_idx"][np.flatnonzero(nodes["is_categorical"])[0]] = 1000
    assert tree_fault(model) == "a node leads out of its tree"


def test_a_column_of_numbers_asked_for_its_category_is_a_fault(model):
    nodes = first_nodes(model)
    nodes["feature_idx"][np.flatnonzero(nodes["is_categorical"])[0]] = 1
    assert tree_fault(model) == "a node leads out of its tree"


def test_hidden_methods_strange_columns_and_lost_trees_are_faults(model):
    assert tree_fault([model._predictors[0][0]]) == "a tree belongs to no model"
    model._in_fit = True
    assert "still being fitted" in tree_fault(model)
    model._in_fit = False
    model._preprocessor.transformers_[1][1].func = np.asarray
    assert "number of columns" in tree_fault(model)
    model._preprocess_X = np.asarray
    assert "hides the method '_preprocess_X'" in tree_fault(model)


def test_a_file_with_such_a_tree_is_refused(model, tmp_path):
    skops.io.dump(model, tmp_path / "good.skops")
    assert load_skops(tmp_path / "good.skops").predict_proba(pd.DataFrame({"kind": [1], "size": [0.2]})).shape == (1, 2)
    first_nodes(model)["left"][0] = 10**6
    skops.io.dump(model, tmp_path / "bad.skops")
    with pytest.raises(SavedFileError, match="malicious trees"):
        load_skops(tmp_path / "bad.skops")
