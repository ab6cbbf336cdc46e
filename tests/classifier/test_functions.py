import numpy as np
import pytest

from counterflownet.classifier import as_classifier
from counterflownet.errors import ClassifierError


class OwnClassifier:
    """What a user may write who has read the Protocol."""

    classes = ("no", "yes")

    def __init__(self, answer):
        self.answer = answer

    def probabilities(self, rows):
        return np.tile(self.answer, (len(rows), 1))


def share_of_age(rows):
    return (rows["age"] / 100.0).to_numpy()


def never(rows):
    raise AssertionError("must not be asked")


def careless(rows):
    """It treats the table as its own."""
    rows.loc[:, "age"] = 0
    del rows["housing"]
    rows.loc[-1] = rows.iloc[0]
    return np.full(60, 0.5)


def test_a_one_dimensional_answer_is_the_probability_of_the_second_class(X):
    found = as_classifier(share_of_age, classes=["young", "old"]).probabilities(X)
    assert found == pytest.approx(np.column_stack([1 - X["age"] / 100, X["age"] / 100]))


def test_a_table_of_probabilities_is_returned_as_it_is(X):
    given = np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], len(X))
    assert (as_classifier(lambda rows: given, classes=["a", "b", "c"]).probabilities(X) == given).all()


def test_a_function_without_classes_asks_for_them():
    with pytest.raises(ClassifierError, match=r"for example: CounterFlowNet\(function, classes=\['bad', 'good'\]\)"):
        as_classifier(share_of_age)


def test_no_rows_give_no_probabilities_and_no_call(X):
    assert as_classifier(never, classes=["a", "b", "c"]).probabilities(X.head(0)).shape == (0, 3)


def test_a_function_that_edits_its_table_does_not_edit_ours(X):
    before = X.copy()
    as_classifier(careless, classes=[0, 1]).probabilities(X)
    assert X.equals(before)


def test_a_failing_function_is_named_with_its_error_and_the_columns(X):
    message = r"KeyError: 'salary'\. It was given 60 rows with the columns: age, income, housing"
    with pytest.raises(ClassifierError, match=message) as caught:
        as_classifier(lambda rows: rows["salary"], classes=[0, 1]).probabilities(X)
    assert isinstance(caught.value.__cause__, KeyError)


def test_an_own_classifier_is_taken_as_it_is(X):
    classifier = as_classifier(OwnClassifier([0.25, 0.75]))
    assert classifier.classes == ("no", "yes")
    assert (classifier.probabilities(X) == [0.25, 0.75]).all()


def test_an_own_classifier_is_checked_too(X):
    with pytest.raises(ClassifierError, match="sum to one"):
        as_classifier(OwnClassifier([0.25, 0.25])).probabilities(X)


@pytest.mark.parametrize("model", [None, 3, "model.pkl", {"a": 1}])
def test_anything_else_is_an_error_that_lists_what_is_allowed(model):
    with pytest.raises(
        ClassifierError,
        match=r"is not a classifier\. Allowed: an object with predict_proba, decision_function or predict",
    ):
        as_classifier(model)
