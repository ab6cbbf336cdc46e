"""Rows are cut into parts that fit into memory and have rules of few kinds."""

import numpy as np
import pytest

from counterflownet.explain.pose import MOST_RULE_SETS, parts_of


@pytest.mark.parametrize(
    ("count", "size", "ends"), [(0, 4, [0]), (3, 4, [3]), (4, 4, [4]), (5, 4, [4, 5]), (8, 4, [4, 8])]
)
def test_parts_have_no_more_rows_than_fit(count, size, ends) -> None:
    parts = parts_of(np.zeros(count, dtype=np.int64), size)
    assert [part.stop for part in parts] == ends
    assert [part.start for part in parts] == [0, *ends[:-1]]


def test_parts_have_no_more_sets_of_rules_than_a_few() -> None:
    different = np.arange(2 * MOST_RULE_SETS + 1)
    assert [part.stop for part in parts_of(different, 1_000)] == [8, 16, 17]
    assert parts_of(different % MOST_RULE_SETS, 1_000) == [slice(0, len(different))]
