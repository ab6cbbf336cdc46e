import numpy as np
import pandas as pd
import pytest

from counterflownet.classifier import as_classifier
from counterflownet.classifier.forms import RememberedForm
from counterflownet.errors import ClassifierError

ROWS = pd.DataFrame({"a": [0.1, 0.9], "b": [1, 2]})


def test_what_worked_is_remembered() -> None:
    kinds = []

    def chance(rows):
        kinds.append(type(rows).__name__)
        return rows[:, 0]

    classifier = as_classifier(chance, classes=["no", "yes"])
    classifier.probabilities(ROWS)
    first = list(kinds)
    classifier.probabilities(ROWS)
    assert first == ["DataFrame", "ndarray"]
    assert kinds[len(first) :] == ["ndarray"]


def test_a_failing_attempt_leaves_the_rows_as_they_were() -> None:
    def spoils(rows):
        if isinstance(rows, pd.DataFrame):
            rows["a"] = 99.0
        return rows[:, 0]

    assert RememberedForm(spoils)(ROWS.copy()).tolist() == [0.1, 0.9]


def test_if_nothing_works_the_error_is_that_of_the_frame() -> None:
    classifier = as_classifier(lambda rows: rows["typo"], classes=["no", "yes"])
    with pytest.raises(ClassifierError, match="failed with KeyError: 'typo'"):
        classifier.probabilities(ROWS)


def test_a_model_that_knows_its_columns_by_name_is_never_asked_with_an_array() -> None:
    class Named:
        feature_names_in_ = np.array(["b", "a"])
        classes_ = (0, 1)

        def predict_proba(self, rows):
            if isinstance(rows, np.ndarray):
                return np.full((len(rows), 2), 0.5)
            raise KeyError("another order")

    with pytest.raises(ClassifierError, match="another order"):
        as_classifier(Named()).probabilities(ROWS)
