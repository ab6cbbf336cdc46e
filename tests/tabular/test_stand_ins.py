"""A value that stands for a column in which constraints leave no bin: the nearest that is permitted."""

import numpy as np
import pytest

from counterflownet.tabular.stand_ins import NONE, _nearest

NAN = np.nan


@pytest.mark.parametrize(
    ("numbers", "own", "permitted", "nearest"),
    [
        ([], 3.0, [], NONE),
        ([5.0], 3.0, [True], 0),
        ([5.0], 3.0, [False], NONE),
        ([3.0], 3.0, [True], NONE),  # a row's own value is no change
        ([9.0, 5.0, 4.0], 3.0, [True, True, False], 1),
        ([9.0, 5.0], NAN, [False, True], 1),
        ([NAN, 5.0], 3.0, [False, True], 1),
    ],
)
def test_the_nearest_value_that_is_permitted_and_new_is_taken(numbers, own, permitted, nearest) -> None:
    found = _nearest(np.array([numbers]).reshape(1, -1), np.array([[own]]), np.array([permitted], dtype=bool))
    assert found.tolist() == [nearest]
