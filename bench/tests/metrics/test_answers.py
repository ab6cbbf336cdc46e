import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics import Answers, changed_cells, without_copies

FACTUALS = pd.DataFrame({"age": [30, 40], "job": ["cook", "clerk"]}, index=["ann", "bob"])
COUNTERFACTUALS = pd.DataFrame({"age": [30, 35, 41], "job": ["clerk", "clerk", "clerk"]})


def answers(**changes) -> Answers:
    fields = {
        "factuals": FACTUALS,
        "counterfactuals": COUNTERFACTUALS,
        "row": np.array([0, 0, 1]),
        "rank": np.array([1, 3, 2]),
        "valid": np.array([True, False, True]),
        "count": 3,
    }
    return Answers(**(fields | changes))


def test_changed_cells_are_those_that_differ_from_the_factual():
    assert answers().changed.tolist() == [[False, True], [True, True], [True, False]]


def test_answers_stand_at_the_place_of_their_rank_and_other_places_are_empty():
    assert answers().present.tolist() == [[True, False, True], [False, True, False]]
    assert answers().placed(np.array([7, 8, 9]), empty=-1).tolist() == [[7, -1, 8], [-1, 9, -1]]


def test_columns_are_found_by_their_names():
    assert (answers(counterfactuals=COUNTERFACTUALS[["job", "age"]]).changed == answers().changed).all()


def test_no_answers_at_all_are_answers():
    nothing = np.empty(0, dtype=np.int64)
    none = answers(counterfactuals=COUNTERFACTUALS[:0], row=nothing, rank=nothing, valid=np.empty(0, dtype=bool))
    assert not none.present.any()


@pytest.mark.parametrize("dtype", ["float64", "Int64", "object"])
def test_a_number_is_the_same_in_another_type(dtype):
    same = COUNTERFACTUALS.astype({"age": dtype})
    assert (changed_cells(FACTUALS, same, np.array([0, 0, 1])) == answers().changed).all()


def test_a_category_is_the_same_as_its_text():
    same = COUNTERFACTUALS.astype({"job": "category"})
    assert (changed_cells(FACTUALS, same, np.array([0, 0, 1])) == answers().changed).all()


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
@pytest.mark.parametrize("dtype", ["object", "Float64"])
def test_a_missing_value_equals_a_missing_value_and_nothing_else(missing, dtype):
    old = pd.DataFrame({"x": pd.Series([missing, 1.0], dtype=dtype)})
    new = pd.DataFrame({"x": pd.Series([missing, 2.0, missing], dtype=dtype)})
    assert changed_cells(old, new, np.array([0, 0, 1])).ravel().tolist() == [False, True, True]


def test_a_copy_of_the_factual_is_no_answer():
    copied = COUNTERFACTUALS.assign(age=[30, 30, 41], job=["clerk", "cook", "clerk"])
    with pytest.raises(InvalidInputError, match=r"1 of 3 counterfactuals are copies of their factual, .* position 1"):
        answers(counterfactuals=copied)
    assert without_copies(FACTUALS, copied, np.array([0, 0, 1])).tolist() == [0, 2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 0}, "count must be at least 1"),
        ({"count": 2}, "rank must be between 1 and count = 2"),
        ({"rank": np.array([0, 1, 1])}, "rank must be between"),
        ({"rank": np.array([1, 1, 1])}, "the same rank"),
        ({"row": np.array([0, 0, 2])}, "position among the 2 factuals"),
        ({"row": np.array([-1, 0, 1])}, "position among the 2 factuals"),
        ({"counterfactuals": COUNTERFACTUALS[:2]}, "equally long"),
        ({"counterfactuals": COUNTERFACTUALS[["age"]]}, "same columns, each once; got age, job and age"),
        ({"counterfactuals": COUNTERFACTUALS[["age", "age"]]}, "same columns"),
        ({"factuals": FACTUALS[:0]}, "no factuals"),
    ],
)
def test_answers_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(InvalidInputError, match=message):
        answers(**changes)
