"""How likely chance alone makes a relation: compared with counting what all tables that are as likely say."""

from itertools import product
from math import exp, log

import numpy as np
import pytest

from counterflownet.tabular.relations.surprise import is_surprising, log_chance_of_dependency, log_chance_of_one_set


@pytest.mark.parametrize(
    ("source", "derived"), [("aab", "xxy"), ("aabb", "xxxy"), ("aaabc", "xyyzz"), ("abcd", "xyxy")]
)
def test_columns_that_are_drawn_independently_depend_on_each_other_as_often_as_told(source, derived) -> None:
    told = log_chance_of_dependency(*(np.unique(list(column), return_counts=True)[1] for column in (source, derived)))
    tables = list(product(derived, repeat=len(source)))  # each row takes the cell of any row
    dependent = [len(set(zip(source, table, strict=True))) == len(set(source)) for table in tables]
    assert exp(told) == pytest.approx(np.mean(dependent))


def test_flags_that_are_set_independently_are_a_group_as_often_as_told() -> None:
    counts, row_count = np.array([1, 2, 1]), 4
    cells = product(*([flag < count for flag in range(row_count)] for count in counts))
    one = np.mean([sum(row) == 1 for row in cells])
    assert log_chance_of_one_set(counts, row_count) == pytest.approx(row_count * log(one))


def test_the_more_was_tried_the_less_is_surprising() -> None:
    assert is_surprising(log(1e-12), 100)
    assert not is_surprising(log(1e-12), 10_000)
