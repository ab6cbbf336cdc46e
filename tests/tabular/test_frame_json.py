import json
from datetime import date

import pandas as pd
import pytest
from column_strategies import DTYPES, frames, identical
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.frame_json import frame_from_json, frame_to_json

KNOWN_TO_JSON = [dtype for dtype in DTYPES if dtype != "object"]


def through_json(frame: pd.DataFrame) -> pd.DataFrame:
    return frame_from_json(json.loads(json.dumps(frame_to_json(frame))))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from(KNOWN_TO_JSON), min_size=1, max_size=4).flatmap(lambda dtypes: frames(dtypes, 4)))
def test_rows_come_back_with_their_types_bit_for_bit(frame):
    again = through_json(frame)
    assert list(again.columns) == list(frame.columns)
    assert all(identical(again[name], frame[name]) for name in frame.columns)


def test_objects_of_several_types_come_back():
    column = pd.Series([1, "a", True, None, 1.5], dtype=object)
    assert identical(through_json(column.to_frame("x"))["x"], column)


@pytest.mark.parametrize("categories", [[3, 1], [1.5, 2.5], ["b", "a"], [True, False], ["a", 1]], ids=repr)
@pytest.mark.parametrize("ordered", [True, False])
def test_categories_keep_their_type_and_order(categories, ordered):
    frame = pd.DataFrame({"x": pd.Categorical([categories[0], None], categories, ordered=ordered)})
    pd.testing.assert_series_equal(through_json(frame)["x"], frame["x"])


def test_narrow_categories_stay_narrow():
    frame = pd.DataFrame({"x": pd.Series([1, 2], dtype="int8").astype("category")})
    assert through_json(frame)["x"].cat.categories.dtype == "int8"


def test_dates_as_categories_come_back_as_dates():
    frame = pd.DataFrame({"x": pd.Categorical(pd.to_datetime(["2020-01-01", "2021-01-01"]))})
    pd.testing.assert_series_equal(through_json(frame)["x"], frame["x"])


def test_columns_called_by_numbers_keep_their_names():
    assert through_json(pd.DataFrame([[1, 2]])).columns.tolist() == [0, 1]


def test_no_rows_keep_their_types():
    frame = pd.DataFrame({"x": pd.Series([], dtype="float32"), "y": pd.Series([], dtype="str")})
    assert through_json(frame).dtypes.tolist() == frame.dtypes.tolist()


def test_dates_among_objects_keep_their_form():
    given = [date(2020, 1, 1), pd.Timestamp("2020-01-01 12:30"), pd.Timestamp("2020-01-01T00:00+01:00"), None, "never"]
    column = pd.Series(given, dtype=object)
    assert identical(through_json(column.to_frame("x"))["x"], column)


@pytest.mark.parametrize("odd", [b"x", {"a"}], ids=repr)
def test_values_that_json_does_not_know_are_left_for_json_to_refuse(odd):
    entries = frame_to_json(pd.DataFrame({"x": pd.Series([odd, "a"], dtype=object)}))
    assert entries[0]["values"][0] is odd
    with pytest.raises(TypeError):
        json.dumps(entries)
