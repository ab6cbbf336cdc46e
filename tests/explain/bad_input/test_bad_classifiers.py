"""Classifiers that cannot be asked, and targets that they do not know."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from misuse import Cases, assert_told_in_words, probability
from sklearn.linear_model import LogisticRegression

from counterflownet import (
    CounterFlowNet,
)
from counterflownet.errors import (
    ClassifierError,
    InvalidInputError,
)


def raising(frame: pd.DataFrame) -> np.ndarray:
    raise KeyError("salary")


def ends_badly(value: Any) -> Callable[[pd.DataFrame], np.ndarray]:
    """A function that answers with ``value`` in the last row."""

    def answers(frame: pd.DataFrame) -> np.ndarray:
        found = np.full((len(frame), 2), 0.5)
        found[-1] = value
        return found

    return answers


CLASSIFIERS: Cases = {
    "one class only": (lambda g: g.make(classes=["only"]), ClassifierError, "needs at least two classes.*Fit it"),
    "it raises": (lambda g: g.fit(raising), ClassifierError, "failed with KeyError: 'salary'.*columns: a, b"),
    "it answers NaN": (lambda g: g.fit(ends_badly(np.nan)), ClassifierError, "finite; row 39 of 40 is \\[nan, nan"),
    "it answers above one": (lambda g: g.fit(ends_badly([2, -1])), ClassifierError, "between 0 and 1; row 39"),
    "it does not sum to one": (lambda g: g.fit(ends_badly([0.5, 0.6])), ClassifierError, "sum to one.*row 39"),
    "wrong shape": (lambda g: g.fit(lambda X: np.ones((3, 2)) / 2), ClassifierError, "= \\(40, 2\\); got \\(3, 2\\)"),
    "not fitted": (lambda g: CounterFlowNet(LogisticRegression()), ClassifierError, "not fitted.*Call its fit"),
    "a bare module": (lambda g: CounterFlowNet(torch.nn.Linear(2, 2)), ClassifierError, "Wrap it.*TorchClassifier"),
    "a function without classes": (
        lambda g: CounterFlowNet(probability),
        ClassifierError,
        "List them in the order of its columns",
    ),
    "classes as one word": (lambda g: g.make(classes="good"), ClassifierError, "must be a list of labels"),
    "a number of classes": (lambda g: g.make(classes=2), ClassifierError, "must be a list of labels.*got 2"),
    "no model at all": (lambda g: CounterFlowNet(None), ClassifierError, "NoneType is not a classifier. Allowed:"),
}

TARGETS: Cases = {
    "unknown": (lambda g: g.explain(target="god"), InvalidInputError, "unknown target class 'god'.*'bad', 'good'"),
    "of another type": (
        lambda g: g.make(classes=[0, 1]).fit(g.plain).explain(g.plain, target="1"),
        InvalidInputError,
        "'1'.*1 and '1' are different labels",
    ),
    "missing": (lambda g: g.explain(target=pd.NA), InvalidInputError, "unknown target class"),
    "not named, of three": (
        lambda g: g.three_way.explain(g.people.head(2)),
        InvalidInputError,
        "with 3 classes the target must be named. Allowed: 'maybe', 'no', 'yes'",
    ),
    "too few": (lambda g: g.explain(target=["good", "bad"]), InvalidInputError, "2 targets were given for 3 rows"),
    "one of them unknown": (lambda g: g.explain(target=["good", "bad", 1]), InvalidInputError, "target class 1"),
    "a table": (lambda g: g.explain(target=np.full((3, 2), "good")), InvalidInputError, "unknown target class array"),
}


@pytest.mark.parametrize(("misuse", "kind", "message"), CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_a_mistake_in_a_classifier_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)


@pytest.mark.parametrize(("misuse", "kind", "message"), TARGETS.values(), ids=TARGETS)
def test_a_mistake_in_a_target_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)
