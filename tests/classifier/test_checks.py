import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet.classifier import checked_probabilities
from counterflownet.errors import ClassifierError

GOOD = [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]


def checked(given):
    return checked_probabilities(given, row_count=3, class_count=2)


def with_second_row(*values):
    return [GOOD[0], list(values), GOOD[2]]


@pytest.mark.parametrize("kind", [list, np.array, np.float32, pd.DataFrame, torch.tensor])
def test_every_kind_of_table_comes_back_in_double_precision(kind):
    found = checked(kind(GOOD))
    assert found.dtype == np.float64
    assert (found == GOOD).all()


@pytest.mark.parametrize("given", [GOOD[:2], np.ones((3, 1)), np.ones(3), np.ones((1, 3, 2)), 0.5])
def test_a_wrong_shape_is_named_beside_the_right_one(given):
    with pytest.raises(ClassifierError, match=r"\(3, 2\); got \(.*\)\. Check that classes="):
        checked(given)


@pytest.mark.parametrize("given", [None, "text", [["a", "b"]], [[0.5, 0.5], [1.0]], torch.ones(3, requires_grad=True)])
def test_what_is_no_table_of_numbers_is_named(given):
    with pytest.raises(ClassifierError, match="got"):
        checked(given)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_shown_with_its_row(bad):
    with pytest.raises(ClassifierError, match=rf"that are finite; row 1 of 3 is \[{bad}, 0.5\]"):
        checked(with_second_row(bad, 0.5))


@pytest.mark.parametrize("bad", [-0.5, 1.5, 1.0 + 2e-6])
def test_a_number_outside_the_unit_interval_is_shown_with_its_row(bad):
    with pytest.raises(ClassifierError, match=rf"between 0 and 1; row 1 of 3 is .*{bad}.*outputs='logits'"):
        checked(with_second_row(1.0 - bad, bad))


def test_a_row_that_does_not_sum_to_one_is_shown():
    with pytest.raises(ClassifierError, match=r"that sum to one in each row; row 1 of 3 is \[0.5, 0.502\]"):
        checked(with_second_row(0.5, 0.502))


@pytest.mark.parametrize("near", [(0.5, 0.5009), (-9e-7, 1.0 + 9e-7)])
def test_rounding_is_forgiven_and_returned_as_it_is(near):
    assert tuple(checked(with_second_row(*near))[1]) == near
