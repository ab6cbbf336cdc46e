"""A value that stands for a column in which constraints leave no bin: the nearest that is permitted."""

import numpy as np
import pytest
from placed_columns import table_of

from counterflownet.tabular.binning import code_of
from counterflownet.tabular.stand_ins import NONE, _nearest, stand_ins

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


def test_a_stand_in_has_the_place_and_the_bin_of_its_value_and_a_row_without_one_has_none() -> None:
    codec = table_of("int64").codec  # rows of 12 and 21
    (feature,) = codec.schema
    steps = np.isin(feature.steps.number, [3.0, 15.0]) & np.array([[True], [False]])
    borders = np.zeros(codec.borders_of(0).shape, dtype=bool)
    places, codes = stand_ins(codec, 0, np.arange(2), steps, borders)
    at = feature.steps.number.tolist().index(15.0)
    assert places.tolist() == [feature.steps.place[at], NONE]
    assert codes.tolist() == [code_of(np.array([15.0]), np.asarray(feature.edges))[0], 0]
