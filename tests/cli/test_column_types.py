"""Cells of text become what they look like, and stay what they were in training."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Schema
from counterflownet.cli.column_types import found_type, typed_as_found, typed_as_trained, value_of
from counterflownet.errors import InvalidInputError


def text(*cells) -> pd.Series:
    return pd.Series(cells, name="column", dtype="str")


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        (["1", "-2"], "int64"),
        (["1", None], "float64"),
        (["1", "2.5"], "float64"),
        (["1e3", ".5"], "float64"),
        (["0.5", "0"], "float64"),
        (["True", "false"], "bool"),
        (["true", None], "object"),
        (["2024-01-31", None], "datetime64[us]"),
        (["2024-01-31 10:00", "2024-02-01T11:30:05"], "datetime64[us]"),
        (["01234", "99999"], "str"),
        (["1", "x"], "str"),
        (["31.01.2024", "01.02.2024"], "str"),
        (["99999999999999999999", "1"], "float64"),
    ],
)
def test_a_column_gets_the_type_that_all_its_values_have(cells, dtype):
    assert found_type(text(*cells)).dtype == dtype


def test_numbers_are_read_to_the_last_digit():
    draw = np.random.default_rng(0).random(2000)
    assert (found_type(text(*map(repr, draw.tolist()))).to_numpy() == draw).all()
    assert found_type(text("9007199254740993")).iloc[0] == 9007199254740993


def test_a_word_among_numbers_is_told_and_is_no_missing_value(capsys):
    assert found_type(text(*["1"] * 19, "nan")).dtype == "str"
    assert "is taken for categories because of 'nan' in row 19" in capsys.readouterr().err
    found_type(text("1", "x"))
    found_type(text(*["1"] * 19, "nan"), "categorical")
    assert capsys.readouterr().err == ""


def test_a_kind_overrules_how_it_looks():
    assert found_type(text("01234"), "integer").iloc[0] == 1234
    assert found_type(text("2024-01-31"), "categorical").dtype == "str"
    assert found_type(text("7", "8"), "categorical").dtype == "int64"


@pytest.fixture
def trained() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "whole": [1, 2, 3],
            "gaps": [1.0, np.nan, 3.0],
            "flag": [True, False, True],
            "maybe": pd.Series([True, None, False], dtype=object),
            "grade": pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True),
            "zip": pd.Series(["01", "02", "10"], dtype="str"),
            "level": pd.Categorical([1, 2, 3]),
            "day": pd.to_datetime(["2024-01-01", "2024-01-02", None]).astype("datetime64[ns]"),
            "zoned": pd.to_datetime(["2024-01-01", "2024-01-02", None]).tz_localize("UTC"),
        }
    )


@pytest.mark.parametrize("rows", [[0, 1, 2], [0], [1], [2]])
def test_any_rows_that_went_through_csv_come_back_in_the_types_of_training(trained, rows, tmp_path):
    some = trained.iloc[rows]
    some.to_csv(tmp_path / "rows.csv", index=False)
    read = pd.read_csv(tmp_path / "rows.csv", dtype=str).set_axis(some.index, axis=0)
    back = typed_as_trained(read, Schema.infer(trained), trained.dtypes)
    pd.testing.assert_frame_equal(back, some)


def test_values_that_training_had_not_are_kept(trained):
    given = pd.DataFrame({"whole": ["7"], "gaps": ["2"], "flag": ["maybe"], "maybe": ["True"], "grade": ["middle"]})
    given = given.assign(zip="x", level="9", day="2025-05-05", zoned="2025-05-05T00:00:00+00:00", more="ignored")
    back = typed_as_trained(given, Schema.infer(trained), trained.dtypes)
    assert list(back.columns) == list(trained.columns)
    assert back.astype(object).iloc[0, :7].tolist() == [7, 2.0, "maybe", True, "middle", "x", 9]


def test_missing_values_in_a_column_of_whole_numbers_stay_missing(trained):
    back = typed_as_trained(trained.assign(whole=[1.0, np.nan, 3.0]), Schema.infer(trained), trained.dtypes)
    assert back["whole"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("given", "values", "value"),
    [
        ("1", (0, 1), 1),
        ("1", ("0", "1"), "1"),
        ("1", (0.0, 1.0), 1.0),
        ("true", (False, True), True),
        ("good", ("bad", "good"), "good"),
        ("gut", ("bad", "good"), "gut"),
        ("3", (0, 1), 3),
    ],
)
def test_a_text_names_a_value_of_whatever_type(given, values, value):
    assert value_of(given, values) == value
    assert type(value_of(given, values)) is type(value)


def test_dates_with_and_without_a_zone_do_not_mix():
    with pytest.raises(InvalidInputError, match="time zone"):
        typed_as_found(text("2024-01-01", "2024-01-01T10:00:00+02:00").to_frame(), {})


def test_times_with_different_offsets_are_the_same_moments_in_utc() -> None:
    read = found_type(pd.Series(["2024-01-31T12:00:00+01:00", "2024-07-31T12:00:00+02:00", None]))
    assert read.dropna().tolist() == [pd.Timestamp("2024-01-31T11:00Z"), pd.Timestamp("2024-07-31T10:00Z")]


def test_times_of_which_some_have_no_offset_are_refused_with_the_reason() -> None:
    with pytest.raises(InvalidInputError, match="mixes dates with and without a time zone"):
        found_type(pd.Series(["2024-01-31T12:00:00+01:00", "2024-07-31T12:00:00"]))
