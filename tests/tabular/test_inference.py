from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from column_strategies import columns
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet import Schema
from counterflownet.errors import InvalidInputError
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.feature import Feature, Kind
from counterflownet.tabular.inference import inferred_feature, inferred_kind


def feature_of(values, *, dtype=None, bins: Bins | None = None, kind=None, order=None) -> Feature:
    return inferred_feature(pd.Series(values, dtype=dtype, name="x"), bins or Bins(), kind, order)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series([1, 2], dtype="int8"), Kind.INTEGER),
        (pd.Series([1, 2**52], dtype="uint64"), Kind.INTEGER),
        (pd.Series([2.0**60, 2.0**70]), Kind.CONTINUOUS),
        (pd.Series([1.0, 2.0]), Kind.INTEGER),
        (pd.Series([1, 2], dtype="Int64"), Kind.INTEGER),
        (pd.Series([1.0, 2.5]), Kind.CONTINUOUS),
        (pd.Series([1, 2.5], dtype=object), Kind.CONTINUOUS),
        (pd.Series([1.0, 2.0**53 - 1]), Kind.INTEGER),
        (pd.Series([1.0, 2.0**53]), Kind.CONTINUOUS),  # from here on a float is not known to be a whole number
        (pd.Series([Decimal("1.5"), Decimal(2)]), Kind.CONTINUOUS),
        (pd.Series([1.5, 2.5], dtype="Float32"), Kind.CONTINUOUS),
        (pd.Series([True, False]), Kind.BOOLEAN),
        (pd.Series([True, False], dtype=object), Kind.BOOLEAN),
        (pd.Series([True], dtype="boolean"), Kind.BOOLEAN),
        (pd.Series(pd.to_datetime(["2020-01-01"])), Kind.DATE),
        (pd.Series(pd.to_datetime(["2020-01-01"]).tz_localize("UTC")), Kind.DATE),
        (pd.Series(["1", "2"]), Kind.CATEGORICAL),
        (pd.Series([1, "a"], dtype=object), Kind.CATEGORICAL),
        (pd.Series(pd.Categorical([1, 2])), Kind.CATEGORICAL),
        (pd.Series(pd.Categorical([1, 2], ordered=True)), Kind.ORDERED),
        (pd.Series([date(2020, 1, 1)]), Kind.DATE),
        (pd.Series([pd.Timestamp("2020-01-01"), date(2020, 1, 1)], dtype=object), Kind.DATE),
        (pd.Series([np.datetime64("2020-01-01", "ns")], dtype=object), Kind.DATE),
        (pd.Series([date(2020, 1, 1), "never"], dtype=object), Kind.CATEGORICAL),
    ],
)
def test_the_kind_is_read_off_type_and_values(column, kind):
    assert inferred_kind(column) is kind


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1 + 2j]),
        pd.Series(pd.period_range("2020", periods=1)),
        pd.Series(pd.interval_range(0, 1)),
    ],
    ids=lambda column: str(column.dtype),
)
def test_types_that_cannot_be_worked_with_are_named(column):
    with pytest.raises(InvalidInputError, match=r"'x' holds .* values, which are not supported; convert them to"):
        inferred_kind(column.rename("x"))


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", object])
def test_whole_numbers_that_floats_cannot_tell_apart_are_refused_as_numbers_and_exact_as_categories(dtype):
    values = [2**53 + 1, 5, 2**60 + 1]
    with pytest.raises(InvalidInputError, match=r"'x' holds \d+: whole numbers from 2\*\*53 on.*make it categorical"):
        feature_of(values, dtype=dtype)
    assert feature_of(values, dtype=dtype, kind=Kind.CATEGORICAL).values == (5, 2**53 + 1, 2**60 + 1)


@pytest.mark.parametrize("dtype", ["int16", "uint64", "Int64"])
def test_a_column_of_whole_numbers_gets_whole_numbers_also_as_a_continuous_one(dtype):
    bins = Bins(count=3, strategy="uniform", decode="centre", distinct=False)
    feature = feature_of([1, 5, 9, 100, 1000], dtype=dtype, bins=bins, kind=Kind.CONTINUOUS)
    assert feature.values == (168, 500, 834)
    assert {type(value) for value in feature.values} == {int}


def test_plain_dates_decode_to_plain_dates():
    days = [date(2020, 1, day) for day in (1, 2, 9, 20, 31)]
    assert feature_of(days, dtype=object).values == tuple(days)
    centres = feature_of(days, dtype=object, bins=Bins(count=2, strategy="uniform", decode="centre")).values
    assert centres == (date(2020, 1, 9), date(2020, 1, 23))


def test_moments_with_different_offsets_are_moments_in_utc():
    given = [pd.Timestamp("2020-01-01T00:00+01:00"), pd.Timestamp("2020-01-01T00:00-05:00")]
    feature = feature_of(given, dtype=object)
    assert list(feature.values) == given
    assert {str(value.tz) for value in feature.values} == {"UTC"}


def test_moments_with_and_without_a_time_zone_cannot_be_compared():
    with pytest.raises(InvalidInputError, match="'x' mixes dates with and without a time zone"):
        feature_of([pd.Timestamp("2020-01-01T00:00+01:00"), pd.Timestamp("2020-01-01")], dtype=object)


@pytest.mark.parametrize("dtype", ["float64", object, "str", "Int64", "datetime64[ns]", "category"])
def test_a_column_of_missing_values_only_is_left_alone(dtype):
    assert feature_of([None, None], dtype=dtype).alone == "it has no values"
    with pytest.raises(InvalidInputError, match="'x' has only missing values; drop it"):
        feature_of([None, None], dtype=dtype, kind=Kind.CONTINUOUS)


def test_whole_numbers_with_missing_ones_stay_whole_numbers():
    feature = feature_of([3, None, 1])
    assert feature.kind is Kind.INTEGER
    assert feature.values == (1, 3)
    assert {type(value) for value in feature.values} == {int}


def test_booleans_with_missing_ones_stay_booleans():
    assert feature_of([True, None], dtype=object).values == (False, True)


def test_categories_are_sorted_whatever_the_order_of_rows():
    assert feature_of(["b", "c", "a", "b"]).values == ("a", "b", "c")


def test_values_of_several_types_are_sorted_type_by_type():
    assert feature_of(["b", 2, "a", 1.5, date(2020, 1, 1)], dtype=object).values == (1.5, 2, date(2020, 1, 1), "a", "b")


def test_categories_of_the_type_that_never_occur_are_left_out():
    column = pd.Categorical(["c", "a"], ["c", "b", "a"], ordered=True)
    assert feature_of(column).values == ("c", "a")


def test_a_constant_column_has_one_value():
    feature = feature_of([0.1, 0.1, 0.1])
    assert feature.values == (0.1,)
    assert feature.deviation == 1.0


def test_mean_and_deviation_are_those_of_the_training_rows():
    feature = feature_of([1.0, 2.0, None, 4.5])
    assert feature.mean == pytest.approx(2.5)
    assert feature.deviation == pytest.approx(np.std([1.0, 2.0, 4.5]))


def test_an_order_may_name_values_that_do_not_occur():
    feature = feature_of(["mid", "low"], kind=Kind.ORDERED, order=["low", "mid", "high"])
    assert feature.values == ("low", "mid", "high")


def test_an_order_that_leaves_out_a_value_is_an_error():
    with pytest.raises(InvalidInputError, match="'x' may hold only low, mid, but also holds high"):
        feature_of(["low", "high"], kind=Kind.ORDERED, order=["low", "mid"])


def test_an_order_of_text_is_never_guessed():
    with pytest.raises(InvalidInputError, match=r"order of column 'x' is unknown; give it as orders=\{'x': \[lowest"):
        feature_of(["low", "high"], kind=Kind.ORDERED)


def test_numbers_are_ordered_by_size_without_being_told():
    assert feature_of([30, 4], kind=Kind.ORDERED).values == (4, 30)


def test_text_is_no_column_of_numbers():
    with pytest.raises(InvalidInputError, match="must hold finite numbers; got '1'"):
        feature_of(["1", "2"], kind=Kind.CONTINUOUS)


def test_text_is_no_column_of_booleans():
    with pytest.raises(InvalidInputError, match="may hold only False, True, but also holds yes"):
        feature_of(["yes"], kind=Kind.BOOLEAN)


def test_fractions_are_no_column_of_whole_numbers():
    with pytest.raises(InvalidInputError, match=r"'x' must hold whole numbers; got 1\.5"):
        feature_of([1.0, 1.5], kind=Kind.INTEGER)


def test_an_infinite_number_among_objects_is_an_error():
    with pytest.raises(InvalidInputError, match="'x' must hold finite numbers; got inf"):
        feature_of([1, np.inf], dtype=object)


def test_lists_are_no_values():
    with pytest.raises(InvalidInputError, match="'x' must hold single values, such as numbers or text"):
        feature_of([[1], [2]])


def test_dates_of_whole_days_decode_to_whole_days():
    days = pd.Series(pd.date_range("2020-01-01", periods=50))
    feature = feature_of(days, bins=Bins(count=7, strategy="uniform", decode="centre"))
    assert all(value == value.normalize() for value in feature.values)


def test_dates_keep_their_time_zone():
    column = pd.Series(pd.date_range("2020-01-01", periods=3, tz="Europe/Berlin"))
    feature = feature_of(column)
    assert list(feature.values) == column.tolist()
    assert {str(value.tz) for value in feature.values} == {"Europe/Berlin"}


def test_dates_within_one_second_are_told_apart():
    column = pd.Series(pd.to_datetime(["2020-01-01 00:00:00.1", "2020-01-01 00:00:00.2"]))
    assert list(feature_of(column).values) == column.tolist()


def test_dates_beyond_the_reach_of_nanoseconds_work():
    column = pd.Series(pd.to_datetime(["3020-01-01", "1020-01-01"])).astype("datetime64[s]")
    assert list(feature_of(column).values) == sorted(column)


@settings(deadline=None)
@given(
    columns("int8", 12) | columns("uint64", 12) | columns("Int64", 12),
    st.integers(1, 5),
    st.sampled_from(["uniform", "quantile"]),
    st.sampled_from(["nearest", "centre"]),
)
def test_whole_numbers_decode_to_whole_numbers_that_their_type_can_hold(column, count, strategy, decode):
    feature = inferred_feature(column.rename("x"), Bins(count=count, strategy=strategy, decode=decode))
    assert {type(value) for value in feature.values} == {int}
    assert pd.Series(feature.values, dtype=column.dtype).tolist() == list(feature.values)


def test_a_centre_that_the_type_cannot_hold_gives_way_to_what_it_can():
    feature = feature_of([1, 100], dtype="int8", bins=Bins(edges=(0, 100, 1000), decode="centre"))
    assert feature.values == (50, 127)


def test_a_column_may_be_named_by_a_number() -> None:
    assert Schema.infer(pd.DataFrame({7: [1, 2, 3]})).names == (7,)
