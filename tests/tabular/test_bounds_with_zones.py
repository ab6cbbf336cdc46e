"""Columns that have a time zone: their bounds, and dates that are all missing."""

import pandas as pd
from constrained_table import compiled_for

from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Range
from counterflownet.tabular.schema import Schema


def test_a_bound_with_a_zone_of_its_own_is_the_same_moment_in_the_zone_of_the_column():
    hours = pd.date_range("2020-01-02", periods=4, freq="4h", tz="Asia/Tokyo")
    codec = Codec(Schema.infer(pd.DataFrame({"day": hours})), pd.DataFrame({"day": hours[-1:]}))
    bound = pd.Timestamp("2020-01-02 04:00", tz="Asia/Tokyo").tz_convert("UTC")
    assert compiled_for(codec, [Range("day", high=bound)]).allowed.codes.tolist() == [[True, True, False, False]]


def test_missing_dates_need_no_zone():
    hours = pd.date_range("2020-01-02", periods=4, freq="4h", tz="Asia/Tokyo")
    schema = Schema.infer(pd.DataFrame({"day": hours}))
    nothing = pd.DataFrame({"day": pd.Series([pd.NaT, pd.NaT], dtype="datetime64[ns]")})
    assert Codec(schema, nothing).codes.tolist() == [[4], [4]]
