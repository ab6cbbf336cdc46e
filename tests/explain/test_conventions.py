"""Explainers keep the conventions of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from model_kinds import WORDS, X
from sklearn.base import clone
from sklearn.exceptions import NotFittedError as NotFittedInScikit
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from counterflownet import CounterFlowNet, RewardWeights, TrainingSettings
from counterflownet.errors import InvalidInputError, NotFittedError

TINY = TrainingSettings(steps=2, batch_rows=8, width=16, passes=1)


@pytest.fixture(scope="module", name="model")
def fitted_model() -> LogisticRegression:
    return LogisticRegression().fit(X, WORDS)


@pytest.fixture(name="explainer")
def made(model: LogisticRegression) -> CounterFlowNet:
    return CounterFlowNet(model, training=TINY, weights={"plausibility": 0.0}, seed=3)


def test_parameters_are_those_it_was_made_with(explainer: CounterFlowNet, model: LogisticRegression) -> None:
    given = explainer.get_params(deep=False)
    assert (given["model"], given["training"], given["weights"], given["seed"]) == (
        model,
        TINY,
        {"plausibility": 0.0},
        3,
    )
    assert not any("__" in name for name in given)


def test_single_settings_are_parameters_too(explainer: CounterFlowNet) -> None:
    assert explainer.get_params()["training__steps"] == 2
    changed = explainer.set_params(training__steps=5, weights__sparsity=0.25, seed=4)
    assert changed is explainer
    assert explainer.settings.training == TrainingSettings(steps=5, batch_rows=8, width=16, passes=1)
    assert explainer.settings.weights == RewardWeights(plausibility=0.0, sparsity=0.25)
    assert explainer.get_params(deep=False)["seed"] == explainer.settings.seed == 4


def test_new_parameters_forget_what_was_learned(explainer: CounterFlowNet) -> None:
    explainer.fit(X).set_params(seed=1)
    with pytest.raises(NotFittedError):
        explainer.explain(X.head(1))


def test_an_unknown_parameter_is_named(explainer: CounterFlowNet) -> None:
    with pytest.raises(InvalidInputError, match=r"unknown parameter 'training__step'.*training__steps"):
        explainer.set_params(training__step=1)


def test_a_clone_has_the_same_model_and_has_learned_nothing(explainer: CounterFlowNet, model: object) -> None:
    copy = clone(explainer.fit(X))
    assert copy.classifier.model is model
    assert copy.get_params() == explainer.get_params()
    with pytest.raises(NotFittedInScikit):
        check_is_fitted(copy)
    check_is_fitted(explainer)


def test_a_loaded_explainer_can_be_cloned(explainer: CounterFlowNet, model: object, tmp_path) -> None:
    loaded = CounterFlowNet.load(explainer.fit(X).save(tmp_path / "x.cfn"), model)
    assert clone(loaded).settings == explainer.settings


def test_labels_are_taken_as_everywhere_and_change_nothing(explainer: CounterFlowNet) -> None:
    with_labels = explainer.fit(X, WORDS).explain(X.head(2)).to_frame()
    pd.testing.assert_frame_equal(with_labels, clone(explainer).fit(X, y=None).explain(X.head(2)).to_frame())


@pytest.mark.parametrize("y", [np.roll(WORDS, 7), pd.Series(np.roll(WORDS, 7))], ids=["array", "series"])
def test_a_classifier_that_is_no_better_than_a_guess_is_told(explainer: CounterFlowNet, y: object) -> None:
    told = explainer.fit(X, y).history.notes
    assert any("no more than always saying" in note for note in told)
    assert "note: the classifier is right about" in repr(explainer)
    assert explainer.fit(X, WORDS).history.notes == []


def test_labels_of_another_table_are_an_error(explainer: CounterFlowNet) -> None:
    with pytest.raises(InvalidInputError, match="one label for each of the 60 rows; got 59"):
        explainer.fit(X, WORDS[1:])


def test_a_classifier_that_says_one_thing_only_is_told() -> None:
    explainer = CounterFlowNet(lambda rows: np.ones(len(rows)), classes=["no", "yes"], training=TINY)
    notes = explainer.fit(X).history.notes
    assert "says 'yes' of every training row" in notes[0]
    assert "validity is 0 or 1" in notes[1]


def test_notes_are_saved(explainer: CounterFlowNet, model: object, tmp_path) -> None:
    explainer.fit(X).history.notes.append("mind the gap")
    assert CounterFlowNet.load(explainer.save(tmp_path / "x.cfn"), model).history.notes == ["mind the gap"]
