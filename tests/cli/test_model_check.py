"""A model whose arrays lead compiled code astray is refused at once, or when it would read too far."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC
from sklearn.utils.validation import check_array

from counterflownet.cli.model_check import checked_model
from counterflownet.cli.skops_model import load_skops
from counterflownet.errors import SavedFileError


@pytest.fixture(name="X")
def table() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame({"kind": draw.integers(0, 5, 200), "size": draw.random(200)})


@pytest.fixture
def y(X) -> pd.Series:
    return (X["kind"] % 2 == 0) ^ (X["size"] > 0.5)


@pytest.fixture
def boosting(X, y) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(categorical_features=["kind"], max_iter=3).fit(X, y)


@pytest.fixture
def encoding(X, y) -> Pipeline:
    return make_pipeline(OneHotEncoder(drop="first"), LogisticRegression()).fit(X[["kind"]], y)


@pytest.fixture
def machine(X, y) -> SVC:
    model = SVC().fit(X, y)
    model._probA, model._probB = np.ones(1), np.zeros(1)  # as fitted with probabilities
    return model


def first_nodes(model: HistGradientBoostingClassifier) -> np.ndarray:
    return model._predictors[0][0].nodes


def test_what_was_fitted_is_left_as_it_is(boosting, encoding, machine, X):
    assert first_nodes(boosting)["is_categorical"].any()
    for model, columns in ((boosting, ["kind", "size"]), (encoding, ["kind"]), (machine, ["kind", "size"])):
        expected = model.decision_function(X[columns])
        assert np.array_equal(checked_model({"model": [model]})["model"][0].decision_function(X[columns]), expected)
    assert checked_model("no model") == "no model"
    assert checked_model(SVC()).kernel == "rbf"


@pytest.mark.parametrize(
    ("field", "value"), [("left", 10**6), ("right", 10**6), ("left", 0), ("feature_idx", 2), ("feature_idx", -1)]
)
def test_a_node_that_leads_out_of_its_tree_is_refused(boosting, field, value):
    first_nodes(boosting)[field][0] = value
    with pytest.raises(SavedFileError, match="a node leads out of its tree"):
        checked_model(boosting)


@pytest.mark.parametrize(("field", "value"), [("bitset_idx", 1000), ("feature_idx", 1)])
def test_a_set_of_categories_that_is_not_there_is_refused(boosting, field, value):
    nodes = first_nodes(boosting)
    nodes[field][np.flatnonzero(nodes["is_categorical"])[0]] = value
    with pytest.raises(SavedFileError, match="a node leads out of its tree"):
        checked_model(boosting)


@pytest.mark.parametrize(
    ("attribute", "value", "part"),
    [
        ("_in_fit", True, "still being fitted"),
        ("_preprocess_X", np.asarray, "hides the method '_preprocess_X'"),
        ("_predictors", [[LogisticRegression()]], "LogisticRegression"),
        ("n_jobs", 10**6, "n_jobs must be"),
        ("more", np.empty(3, dtype=np.dtype([])), "holds nothing in each of its cells"),
        ("more", np.random.default_rng(np.random.MT19937(0)), "random numbers"),
    ],
)
def test_strange_attributes_are_refused(boosting, attribute, value, part):
    setattr(boosting, attribute, value)
    with pytest.raises((SavedFileError, AttributeError), match=part):
        checked_model(boosting)


def test_columns_that_are_lost_on_the_way_to_a_tree_are_noticed(boosting, X):
    model = checked_model(boosting)
    name, _, columns = model._preprocessor.transformers_[1]
    model._preprocessor.transformers_[1] = (name, "drop", columns)
    with pytest.raises(SavedFileError, match="HistGradientBoostingClassifier would read too far"):
        model.predict_proba(X)


def test_columns_that_a_forest_does_not_ask_for_are_noticed(X, y):
    forest = checked_model(RandomForestClassifier(2, random_state=0).fit(X, y))
    assert forest.predict_proba(X).shape == (200, 2)
    for part in (forest, *forest.estimators_):
        part.n_features_in_ = 1
    del forest.feature_names_in_
    with pytest.raises(SavedFileError, match="DecisionTreeClassifier would read too far"):
        forest.predict_proba(X[["kind"]].to_numpy())


def test_a_tree_outside_of_its_model_is_refused(X, y):
    forest = RandomForestClassifier(2, random_state=0).fit(X, y)
    with pytest.raises(SavedFileError, match="a tree belongs to no model"):
        checked_model([forest.estimators_[0].tree_])


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_n_support", np.array([10**6, 10**6], dtype=np.int32)),
        ("_n_support", np.array([-5, 205], dtype=np.int32)),
        ("_dual_coef_", np.ones((1, 1))),
        ("_intercept_", np.empty(0)),
        ("_probA", np.ones(3)),
        ("n_features_in_", 1),
        ("kernel", "precomputed"),
        ("_sparse", True),
        ("_impl", "one_class"),
        ("classes_", np.arange(50)),
    ],
)
def test_a_support_vector_machine_with_impossible_counts_is_refused(machine, attribute, value):
    setattr(machine, attribute, value)
    with pytest.raises(SavedFileError, match="does not have the support vectors it claims"):
        checked_model(machine)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_n_features_outs", [1]),
        ("_n_features_outs", [10**9]),
        ("_drop_idx_after_grouping", np.array([-3], dtype=object)),
        ("_drop_idx_after_grouping", np.array([99], dtype=object)),
    ],
)
def test_an_encoder_with_other_columns_than_it_claims_is_refused(encoding, attribute, value):
    setattr(encoding[0], attribute, value)
    with pytest.raises(SavedFileError, match="an encoder does not have the columns it claims"):
        checked_model(encoding)


def test_codes_beyond_those_of_an_encoder_are_noticed(encoding):
    encoding[0].categories_ = [np.array([4, 3, 2, 1, 0])]  # where they are not sorted, a search ends behind the last
    with pytest.raises(SavedFileError, match="OneHotEncoder would read too far"):
        checked_model(encoding).predict_proba(pd.DataFrame({"kind": [4]}))


def test_a_file_with_such_a_model_is_refused(boosting, tmp_path):
    skops.io.dump(boosting, tmp_path / "good.skops")
    assert load_skops(tmp_path / "good.skops").predict_proba(pd.DataFrame({"kind": [1], "size": [0.2]})).shape == (1, 2)
    first_nodes(boosting)["left"][0] = 10**6
    skops.io.dump(boosting, tmp_path / "bad.skops")
    with pytest.raises(SavedFileError, match=r"bad.skops.* damaged or malicious"):
        load_skops(tmp_path / "bad.skops")


def test_functions_that_are_known_are_loaded(boosting, tmp_path):
    assert boosting._preprocessor.transformers_[1][1].func.func is check_array
    skops.io.dump(boosting, tmp_path / "good.skops")
    assert load_skops(tmp_path / "good.skops")._preprocessor.transformers_[1][1].func.func is check_array
