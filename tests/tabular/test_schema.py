import json
from datetime import date

import numpy as np
import pandas as pd
import pytest
from column_strategies import frames
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.feature import Feature, Kind
from counterflownet.tabular.schema import Schema

SAVED = ["int64", "float32", "bool", "str", "ordered", "Int8", "datetime64[us]", "datetime64[ns, Europe/Berlin]"]


@pytest.fixture(name="X")
def small_table() -> pd.DataFrame:
    return pd.DataFrame({"age": [30, 40, 50], "income": [1.5, 2.5, 9.0], "job": ["cook", "nurse", "cook"]})


def test_the_space_has_one_count_for_each_column(X):
    assert Schema.infer(X).space.code_counts == (3, 3, 2)


def test_one_number_of_bins_is_for_all_columns_of_numbers(X):
    assert Schema.infer(X, bins=2).space.code_counts == (2, 2, 2)


def test_bins_may_be_given_for_some_columns(X):
    schema = Schema.infer(X, bins={"age": 1, "income": Bins(count=2)})
    assert schema.space.code_counts == (1, 2, 2)


def test_kinds_overrule_what_a_column_was_taken_for(X):
    assert Schema.infer(X, kinds={"age": "categorical"})["age"].kind is Kind.CATEGORICAL


def test_an_order_makes_a_column_ordered(X):
    feature = Schema.infer(X, orders={"job": ["nurse", "cook"]})["job"]
    assert (feature.kind, feature.values) == (Kind.ORDERED, ("nurse", "cook"))


@pytest.mark.parametrize("given", [{"bins": {"agee": 3}}, {"kinds": {"agee": "integer"}}, {"orders": {"agee": [1]}}])
def test_unknown_columns_are_named_with_a_guess(X, given):
    with pytest.raises(InvalidInputError, match=r"unknown column 'agee'\. Did you mean 'age'"):
        Schema.infer(X, **given)


def test_unknown_kinds_are_named_with_a_guess(X):
    with pytest.raises(InvalidInputError, match=r"unknown kind of column 'intege'\. Did you mean 'integer'"):
        Schema.infer(X, kinds={"age": "intege"})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"a": []}), "the training table has no rows"),
        (pd.DataFrame(index=[0, 1]), "the training table has no columns"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "duplicate column names: a"),
        (pd.DataFrame({"a": [1.0, float("inf")]}), "'a' of the training table is infinite .* in row 1"),
    ],
)
def test_tables_that_cannot_be_learned_from_are_refused(table, message):
    with pytest.raises(InvalidInputError, match=message):
        Schema.infer(table)


def test_a_column_is_described_anew_by_its_name(X):
    wider = Feature("job", Kind.CATEGORICAL, ("cook", "nurse", "pilot"))
    assert Schema.infer(X).replace(wider).space.code_counts == (3, 3, 3)


def test_a_column_that_is_not_there_cannot_be_replaced(X):
    with pytest.raises(InvalidInputError, match=r"unknown column 'jobs'\. Did you mean 'job'"):
        Schema.infer(X).replace(Feature("jobs", Kind.CATEGORICAL, ("cook",)))


def test_columns_are_found_by_name_and_by_position(X):
    schema = Schema.infer(X)
    assert schema.position("job") == 2
    assert schema["job"] is list(schema)[2]


def test_rows_are_brought_into_the_order_of_the_schema(X):
    rows = Schema.infer(X).ordered_rows(X[["job", "age", "income"]], "rows")
    pd.testing.assert_frame_equal(rows, X)


def test_it_shows_every_column(X):
    text = repr(Schema.infer(X))
    assert "Schema(3 columns)" in text
    assert "age     integer, 30 to 50, 3 codes" in text
    assert "job     categorical, 2 codes: cook, nurse" in text


@settings(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from(SAVED), min_size=1, max_size=4).flatmap(lambda dtypes: frames(dtypes, 5)))
def test_a_schema_is_the_same_after_json(X):
    schema = Schema.infer(X)
    again = Schema.from_json(json.loads(json.dumps(schema.to_json())))
    assert again == schema
    assert [feature.zone for feature in again] == [feature.zone for feature in schema]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(np.arange(600) ** 1.5),
        pd.Series(pd.date_range("2020-01-01 05:00", periods=600, freq="7h")),
        pd.Series(pd.date_range("2020-01-01", periods=600, tz="Europe/Berlin")),
        pd.Series([date(2020, 1 + number % 12, 1 + number // 12) for number in range(300)], dtype=object),
    ],
    ids=["numbers", "moments", "with a zone", "plain dates"],
)
def test_values_beyond_the_codes_are_the_same_after_json(column):
    feature = Schema.infer(pd.DataFrame({"x": column}), bins=8)["x"]
    (again,) = Schema.from_json(json.loads(json.dumps(Schema((feature,)).to_json())))
    assert len(feature.fine) == len(column)
    assert again == feature
    assert again.fine_values == feature.fine_values
    assert set(map(type, again.fine_values)) == set(map(type, column))
    assert again.steps.place.tolist() == feature.steps.place.tolist()


@pytest.mark.parametrize("part", ["fine", "grid", "ranks"])
def test_saved_numbers_that_do_not_rise_are_refused(X, part):
    entries = Schema.infer(X).to_json()
    entries[1][part] = entries[1][part][::-1]
    with pytest.raises(InvalidInputError, match="column 'income' cannot be restored"):
        Schema.from_json(entries)


@pytest.mark.parametrize("spread", [0.0, -1.0, float("nan")])
def test_a_saved_spread_that_is_no_length_is_refused(X, spread):
    entries = Schema.infer(X).to_json()
    entries[1]["spread"] = spread
    with pytest.raises(InvalidInputError, match="column 'income' cannot be restored"):
        Schema.from_json(entries)


def test_without_fine_values_a_column_tells_no_more_than_its_grid():
    schema = Schema.infer(pd.DataFrame({"x": np.arange(1_000) / 8, "word": ["a", "b"] * 500}), bins=8)
    less = schema.without_fine_values()
    assert less["x"].fine == schema["x"].grid
    assert len(less["x"].fine) < len(schema["x"].fine)
    assert [(feature.values, feature.grid, feature.ranks, feature.edges) for feature in less] == [
        (feature.values, feature.grid, feature.ranks, feature.edges) for feature in schema
    ]


def test_the_grid_needs_a_rank_for_each_value():
    with pytest.raises(InvalidInputError, match="'x' needs one rank for each value of its grid"):
        Feature("x", Kind.CONTINUOUS, (1.0,), edges=(0.0, 2.0), grid=(1.0,))


@pytest.mark.parametrize("odd", [(1, 2), b"x", pd.Timestamp("2020-01-01"), pd.Interval(0, 1)], ids=repr)
def test_values_that_json_does_not_know_are_named(odd):
    schema = Schema.infer(pd.DataFrame({"x": pd.Series([odd, "a"], dtype=object)}))
    with pytest.raises(InvalidInputError, match=f"'x' holds {type(odd).__name__} values, which cannot be saved"):
        schema.to_json()


@pytest.mark.parametrize("name", [True, None, 1.5, ["age"]], ids=repr)
@pytest.mark.usefixtures("without_annotations")
def test_a_saved_name_that_no_column_can_have_is_refused(X, name):
    entry = Schema.infer(X).to_json()[0]
    with pytest.raises(InvalidInputError, match="cannot be restored"):
        Schema.from_json([{**entry, "name": name}])


@pytest.mark.parametrize("part", ["values", "edges", "mean", "deviation"])
def test_a_saved_column_of_numbers_is_refused_if_any_part_of_it_is_infinite(X, part):
    entry = Schema.infer(X).to_json()[1]
    infinite = [*entry[part][:-1], float("inf")] if isinstance(entry[part], list) else float("inf")
    with pytest.raises(InvalidInputError, match="'income' cannot be restored"):
        Schema.from_json([{**entry, part: infinite}])
