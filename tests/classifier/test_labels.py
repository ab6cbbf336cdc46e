import numpy as np
import pytest

from counterflownet.classifier.labels import plain_labels
from counterflownet.errors import ClassifierError


def test_numpy_scalars_become_plain_python_values():
    labels = plain_labels(np.array(["no", "yes"]))
    assert labels == ("no", "yes")
    assert {type(label) for label in labels} == {str}


@pytest.mark.parametrize("given", ["yes", b"yes", {"a", "b"}, {0: "a", 1: "b"}, 2])
def test_what_has_no_order_of_labels_is_refused(given):
    with pytest.raises(ClassifierError, match=r"must be a list of labels in the order.*classes=\['bad', 'good'\]"):
        plain_labels(given)


@pytest.mark.parametrize("given", [["a", "a"], [1, True], [0, 0.0]])
def test_equal_labels_are_refused(given):
    with pytest.raises(ClassifierError, match="distinct"):
        plain_labels(given)


@pytest.mark.parametrize("given", [[], ["only"]])
def test_fewer_than_two_labels_are_refused(given):
    with pytest.raises(ClassifierError, match="needs at least two classes"):
        plain_labels(given)


@pytest.mark.parametrize("given", [[["a"], ["b"]], [("a", []), ("b", [])]])
def test_labels_that_cannot_be_hashed_are_refused(given):
    with pytest.raises(ClassifierError, match="hashable"):
        plain_labels(given)
