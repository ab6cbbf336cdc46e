from math import isnan

import numpy as np
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics import ChangeEvaluation, evaluate_changes

# One instance, three features, four places: two valid answers, an invalid one, an empty place.
CHANGED = np.array([[[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]]], dtype=bool)
SUPERFLUOUS = np.array([[[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]], dtype=bool)
PRESENT = np.array([[1, 1, 1, 0]], dtype=bool)
VALID = np.array([[1, 1, 0, 0]], dtype=bool)


def record(**changes) -> ChangeEvaluation:
    fields = {"changed": CHANGED, "superfluous": SUPERFLUOUS, "in_training": ~VALID, "present": PRESENT, "valid": VALID}
    return ChangeEvaluation(**(fields | changes))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("minimality", 1 / 2), ("training_rows", 0 / 2), ("changes", (2 + 3) / 2)],
)
def test_every_metric_of_a_case_computed_by_hand(name, expected):
    assert evaluate_changes(record(), [name]) == {name: expected}


def test_training_rows_are_counted_among_valid_answers():
    assert evaluate_changes(record(in_training=np.array([[True, False, True, True]])))["training_rows"] == 1 / 2


def test_without_valid_answers_there_is_nothing_to_average():
    assert all(isnan(value) for value in evaluate_changes(record(valid=np.zeros_like(VALID))).values())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"superfluous": ~CHANGED}, "only a changed cell"),
        ({"valid": ~PRESENT}, "valid but empty"),
        ({"present": np.ones_like(PRESENT)}, "place 3 of instance 0 is a copy"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(InvalidInputError, match=message):
        record(**changes)


def test_an_unknown_metric_is_an_error_and_never_skipped():
    with pytest.raises(InvalidInputError, match="unknown metric 'minimal'"):
        evaluate_changes(record(), ["minimal"])
