import pickle
from enum import Enum

import numpy as np
import pytest
from lightgbm import LGBMClassifier
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from xgboost import XGBClassifier

from counterflownet.classifier import as_classifier
from counterflownet.errors import ClassifierError
from counterflownet.protocols import Classifier


class Risk(Enum):
    LOW = 1
    HIGH = 2


class NoLabels:
    """Probabilities, and nothing else."""

    def predict_proba(self, rows):
        return np.full((len(rows), 2), 0.5)


def scaled_regression():
    return make_pipeline(StandardScaler(), LogisticRegression())


def test_a_logistic_regression_answers_as_it_does_by_itself(numbers, high):
    model = scaled_regression().fit(numbers, high)
    assert (as_classifier(model).probabilities(numbers) == model.predict_proba(numbers)).all()


def test_a_pipeline_is_given_the_raw_strings(X, high):
    encode = ColumnTransformer([("strings", OneHotEncoder(), ["housing"])], remainder=StandardScaler())
    model = make_pipeline(encode, LogisticRegression()).fit(X, high)
    assert (as_classifier(model).probabilities(X) == model.predict_proba(X)).all()


def test_an_estimator_fitted_on_an_array_is_asked_without_a_warning(numbers, high):
    model = RandomForestClassifier(n_estimators=5, random_state=0).fit(numbers.to_numpy(), high)
    expected = model.predict_proba(numbers.to_numpy())
    assert (as_classifier(model).probabilities(numbers) == expected).all()


@pytest.mark.parametrize("fitted_on", ["frame", "array"])
@pytest.mark.parametrize("kind", [XGBClassifier, LGBMClassifier])
def test_boosted_trees_answer_in_double_precision(numbers, high, kind, fitted_on):
    rows = numbers if fitted_on == "frame" else numbers.to_numpy()
    classifier = as_classifier(kind(n_estimators=3, verbosity=0, n_jobs=1).fit(rows, high))
    found = classifier.probabilities(numbers)
    assert classifier.classes == (0, 1)
    assert found.dtype == np.float64
    assert (found.argmax(axis=1) == high).mean() > 0.8


@pytest.mark.parametrize("names", [("bad", "good"), (False, True), (3, 7), (1.0, 2.0)])
def test_labels_of_any_type_become_plain_python_values(numbers, high, names):
    classes = as_classifier(scaled_regression().fit(numbers, np.array(names)[high])).classes
    assert classes == names
    assert [type(label) for label in classes] == [type(name) for name in names]


def test_three_classes_are_kept_in_the_order_of_the_model(numbers):
    labels = np.resize(["b", "c", "a"], len(numbers))
    classifier = as_classifier(scaled_regression().fit(numbers, labels))
    assert classifier.classes == ("a", "b", "c")
    assert classifier.probabilities(numbers).shape == (len(numbers), 3)


def test_given_labels_rename_those_of_the_model(numbers, high):
    model = scaled_regression().fit(numbers, high)
    assert as_classifier(model, classes=[Risk.LOW, Risk.HIGH]).classes == (Risk.LOW, Risk.HIGH)


@pytest.mark.parametrize("classes", [[1, 0], [1, 2], ["a", "b", "c"]])
def test_given_labels_that_shift_those_of_the_model_are_refused(numbers, high, classes):
    model = scaled_regression().fit(numbers, high)
    with pytest.raises(ClassifierError, match=r"own classes in their order; got .* for 0, 1\. Omit classes="):
        as_classifier(model, classes=classes)


def test_a_model_without_labels_takes_given_ones():
    assert as_classifier(NoLabels(), classes=["no", "yes"]).classes == ("no", "yes")


def test_a_model_without_labels_asks_for_them():
    with pytest.raises(ClassifierError, match=r"NoLabels has no classes_.*classes=\['bad', 'good'\]"):
        as_classifier(NoLabels())


@pytest.mark.parametrize("model", [scaled_regression(), LogisticRegression(), XGBClassifier(), LGBMClassifier()])
def test_an_unfitted_model_is_an_error(model):
    assert isinstance(model, BaseEstimator)
    with pytest.raises(ClassifierError, match=r"is not fitted.*Call its fit"):
        as_classifier(model)


def test_a_model_of_one_class_is_an_error(numbers):
    model = RandomForestClassifier(n_estimators=2).fit(numbers, np.zeros(len(numbers), dtype=int))
    with pytest.raises(ClassifierError, match="needs at least two classes"):
        as_classifier(model)


def test_a_model_with_several_outputs_is_an_error(numbers, high):
    model = RandomForestClassifier(n_estimators=2).fit(numbers, np.column_stack([high, 1 - high]))
    with pytest.raises(ClassifierError, match="one output at a time"):
        as_classifier(model)


def test_a_regressor_names_the_remedy(numbers, high):
    with pytest.raises(ClassifierError, match=r"LinearRegression predicts numbers.*a function that returns"):
        as_classifier(LinearRegression().fit(numbers, high))


def test_a_class_instead_of_a_model_is_an_error():
    with pytest.raises(ClassifierError, match="got the class LogisticRegression"):
        as_classifier(LogisticRegression)


def test_an_adapted_model_is_adapted_once_and_can_travel(numbers, high):
    classifier = as_classifier(RandomForestClassifier(n_estimators=3).fit(numbers.to_numpy(), high))
    assert isinstance(classifier, Classifier)
    assert as_classifier(classifier) is classifier
    travelled = pickle.loads(pickle.dumps(classifier))  # noqa: S301 our own bytes
    assert (travelled.probabilities(numbers) == classifier.probabilities(numbers)).all()
    assert repr(classifier) == "as_classifier(RandomForestClassifier, classes=(0, 1))"
