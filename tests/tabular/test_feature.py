import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.dates import microseconds, moment, zone_of
from counterflownet.tabular.feature import Feature, Kind, as_numbers

ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu"]


def test_a_feature_needs_a_value():
    with pytest.raises(InvalidInputError, match="'job' needs at least one value"):
        Feature("job", Kind.CATEGORICAL, ())


def test_a_value_listed_twice_is_named():
    with pytest.raises(InvalidInputError, match="'job' lists a value more than once: cook, cook"):
        Feature("job", Kind.CATEGORICAL, ("cook", "cook"))


def test_numbers_need_one_edge_more_than_values():
    with pytest.raises(InvalidInputError, match="2 values and 2 edges; there must be one more edge"):
        Feature("age", Kind.INTEGER, (1, 2), edges=(0.0, 3.0))


@pytest.mark.parametrize(
    ("kind", "numeric", "has_order"),
    [
        (Kind.CONTINUOUS, True, True),
        (Kind.INTEGER, True, True),
        (Kind.DATE, True, True),
        (Kind.ORDERED, False, True),
        (Kind.BOOLEAN, False, False),
        (Kind.CATEGORICAL, False, False),
    ],
)
def test_numbers_dates_and_ordered_categories_have_an_order(kind, numeric, has_order):
    feature = Feature("x", kind, (1,), edges=(0.0, 1.0))
    assert (feature.numeric, feature.has_order) == (numeric, has_order)


def test_missing_and_never_seen_values_have_codes_behind_all_others():
    feature = Feature("x", Kind.CATEGORICAL, ("a", "b"))
    assert feature.encode(pd.Series(["b", None, "c", "a"])).tolist() == [1, 2, 3, 0]


def test_many_cells_have_the_codes_that_each_has_in_a_short_column():
    feature = Feature("x", Kind.CATEGORICAL, ("a", "1", 1, 2.5, 0, ""))
    cells = ["a", "1", 1, 1.0, True, False, np.float32(2.5), np.int64(1), None, np.nan, pd.NA, "", "b", b"a"]
    column = pd.Series(cells, dtype=object)
    short, long = feature.encode(column), feature.encode(pd.concat([column] * 3, ignore_index=True))
    assert short.tolist() == [0, 1, 2, 2, 2, 4, 3, 2, 6, 6, 6, 5, 7, 7]
    assert long.tolist() == 3 * short.tolist()


def test_the_width_is_the_range_of_the_bins():
    assert Feature("x", Kind.CONTINUOUS, (1.0, 4.0), edges=(0.0, 2.0, 5.0)).width == 5.0


def test_the_width_of_a_constant_is_one():
    assert Feature("x", Kind.CONTINUOUS, (3.0,), edges=(3.0, 3.0)).width == 1.0


def test_the_place_of_an_ordered_category_is_its_code():
    feature = Feature("x", Kind.ORDERED, ("low", "mid", "high"))
    assert feature.code_numbers.tolist() == [0.0, 1.0, 2.0]
    assert feature.coordinates(pd.Series(["high", "low"])).tolist() == [2.0, 0.0]


def test_missing_and_never_seen_values_have_no_place():
    feature = Feature("x", Kind.ORDERED, ("low", "high"))
    assert np.isnan(feature.coordinates(pd.Series([None, "huge"]))).all()


def test_the_place_of_a_number_is_itself_also_outside_all_bins():
    feature = Feature("x", Kind.CONTINUOUS, (1.0, 4.0), edges=(0.0, 2.0, 5.0))
    assert feature.coordinates(pd.Series([-7.5, 1.25])).tolist() == [-7.5, 1.25]


def test_dates_count_in_days():
    days = as_numbers(pd.Series(pd.to_datetime(["1970-01-02", "1970-01-03 12:00", None], format="ISO8601")), Kind.DATE)
    assert days.tolist() == pytest.approx([1.0, 2.5, np.nan], nan_ok=True)


def test_dates_with_a_zone_count_from_the_same_beginning():
    column = pd.Series([pd.Timestamp("1970-01-02 01:00", tz="Europe/Berlin")])
    assert as_numbers(column, Kind.DATE).tolist() == [1.0]


@settings(deadline=None)
@given(st.datetimes(pd.Timestamp("1800-01-01"), pd.Timestamp("2140-01-01")), st.sampled_from([None, *ZONES]))
def test_a_date_is_found_again_from_its_days_to_the_microsecond(given, zone):
    column = pd.Series([pd.Timestamp(given)]).dt.tz_localize("UTC").dt.tz_convert(zone)
    days = as_numbers(column, Kind.DATE)[0]
    assert moment(days, zone_of(column)) == column[0]


@settings(deadline=None)
@given(st.integers(-(10**6), 10**11))
def test_whole_seconds_are_found_again_from_days_of_any_millennium(seconds):
    assert microseconds(np.array([seconds / 86_400])).tolist() == [seconds * 1_000_000]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_days_do_not_depend_on_the_resolution_of_the_column(unit):
    column = pd.Series(pd.to_datetime(["2021-03-04 05:06:07"]))
    assert as_numbers(column.astype(f"datetime64[{unit}]"), Kind.DATE) == as_numbers(column, Kind.DATE)


@pytest.mark.parametrize("wrong", ["12", np.inf, -np.inf, 1e200, 1j, [1, 2]], ids=repr)
def test_a_value_that_is_no_finite_number_is_named(wrong):
    with pytest.raises(InvalidInputError, match="'age' must hold finite numbers; got "):
        as_numbers(pd.Series([3, wrong], name="age", dtype=object), Kind.CONTINUOUS)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA], ids=repr)
def test_a_missing_number_is_nan_in_a_column_of_objects(missing):
    assert np.isnan(as_numbers(pd.Series([3, missing], dtype=object), Kind.INTEGER)[1])


def test_text_that_is_no_date_is_an_error():
    with pytest.raises(InvalidInputError, match="'day' must hold dates"):
        as_numbers(pd.Series(["soon"], name="day"), Kind.DATE)


def test_a_number_far_outside_a_narrow_bin_lies_at_its_edge() -> None:
    feature = Feature("x", Kind.CONTINUOUS, (1e-310,), (0.0, 2e-310))
    column = pd.Series([1e9, -1e9])
    assert feature.offsets(column, feature.encode(column)).tolist() == [1.0, -1.0]  # and no warning, which is an error


def test_in_the_narrowest_bin_there_is_every_value_lies_in_the_middle() -> None:
    edges = (0.0, float(np.nextafter(0.0, 1.0)), 10.0)
    feature = Feature("gain", Kind.CONTINUOUS, (0.0, 5.0), edges)
    column = pd.Series([0.0, 10.0])
    assert feature.offsets(column, feature.encode(column)).tolist() == [0.0, 1.0]  # and no warning, which is an error
