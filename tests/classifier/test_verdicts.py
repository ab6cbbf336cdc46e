import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC, LinearSVC

from counterflownet.classifier import as_classifier
from counterflownet.errors import ClassifierError, HardLabelsWarning

ROWS = pd.DataFrame({"a": [0.1, 0.9, 0.5]})


class Says:
    """A model whose ``predict`` says this, whatever it is asked."""

    def __init__(self, said: object) -> None:
        self.said = said

    def predict(self, rows: pd.DataFrame) -> object:
        return self.said


@pytest.mark.parametrize("said", [["no", "yes", "no"], np.array(["no", "yes", "no"]), [[0], [1], [0]], [0, 1, 0]])
def test_labels_and_positions_of_labels_count_as_certain(said: object) -> None:
    with pytest.warns(HardLabelsWarning):
        found = as_classifier(Says(said), classes=["no", "yes"]).probabilities(ROWS)
    assert found.tolist() == [[1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize("said", [[0.25, 0.75, 0.5], [[0.25], [0.75], [0.5]], [[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]]])
def test_probabilities_stay_what_they_are(said: object) -> None:
    found = as_classifier(Says(said), classes=["no", "yes"]).probabilities(ROWS)
    assert found[:, 1].tolist() == [0.25, 0.75, 0.5]


def test_probabilities_of_which_some_are_certain_are_no_labels() -> None:
    found = as_classifier(Says([0.0, 1.0, 0.25]), classes=[0, 1]).probabilities(ROWS)
    assert found[:, 1].tolist() == [0.0, 1.0, 0.25]


@pytest.mark.parametrize(
    ("said", "told"), [(["maybe"] * 3, "neither one of the classes"), ([0.2, 7.0, 0.5], "0 and 1")]
)
def test_anything_else_is_refused(said: object, told: str) -> None:
    with pytest.raises(ClassifierError, match=told):
        as_classifier(Says(said), classes=["no", "yes"]).probabilities(ROWS)


def test_a_decision_is_more_probable_the_farther_it_is_from_the_border(numbers, high) -> None:
    model = LinearSVC().fit(numbers, high)
    second, distance = as_classifier(model).probabilities(numbers)[:, 1], model.decision_function(numbers)
    assert (np.argsort(second, kind="stable") == np.argsort(distance, kind="stable")).all()
    assert ((second > 0.5) == (distance > 0)).all()
    assert np.median(np.maximum(second, 1 - second)) == pytest.approx(1 / (1 + np.exp(-1)))


class Decides(Says):
    """A model that decides by these numbers."""

    classes_ = np.array(["no", "yes"])

    def decision_function(self, rows: pd.DataFrame) -> object:
        return self.said


def test_decisions_in_a_column_are_those_in_a_line() -> None:
    line, column = (
        as_classifier(Decides(np.array([-1.0, 3.0, 0.5]).reshape(shape))).probabilities(ROWS) for shape in (3, (3, 1))
    )
    assert line.tolist() == column.tolist()


def test_the_class_that_a_machine_says_leads_whatever_its_numbers(numbers) -> None:
    model = SVC(kernel="linear").fit(numbers, np.resize([0, 1, 2], len(numbers)))
    said = as_classifier(model).probabilities(numbers).argmax(axis=1)
    assert (said == model.predict(numbers)).all()


class Rates(Says):
    """A model that has a number for each of three classes, of which the highest wins."""

    classes_ = np.arange(3)

    def decision_function(self, rows: pd.DataFrame) -> np.ndarray:
        return np.array(self.said)

    def predict(self, rows: pd.DataFrame) -> np.ndarray:
        return np.argmax(self.said, axis=1)


def test_of_several_classes_the_usual_lead_of_the_first_is_fairly_sure() -> None:
    found = as_classifier(Rates([[4.0, 0.0, 1.0], [0.0, 1.0, 6.0], [2.0, 9.0, 0.0]])).probabilities(ROWS)
    first, second, _ = np.sort(found, axis=1)[:, ::-1].T
    assert np.log(first / second) == pytest.approx([3 / 5, 1.0, 7 / 5])


def test_a_decision_function_of_pairs_names_the_remedy(numbers) -> None:
    model = SVC(decision_function_shape="ovo").fit(numbers, np.resize([0, 1, 2, 3], len(numbers)))
    with pytest.raises(ClassifierError, match="decision_function_shape='ovr'"):
        as_classifier(model).probabilities(numbers)


def test_one_row_sets_no_scale(numbers, high) -> None:
    classifier = as_classifier(LinearSVC().fit(numbers, high))
    classifier.probabilities(numbers.head(1))
    assert classifier.scale is None
    classifier.probabilities(numbers)
    assert classifier.scale is not None
    assert as_classifier(classifier.model, scale=2.0).scale == 2.0
