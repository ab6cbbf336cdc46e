import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.frame import as_frame, check_finite, check_not_empty, check_table, in_order, training_frame

TABLE = pd.DataFrame({"age": [30, 40], "job": ["cook", "nurse"]}, index=["p", "q"])


def test_a_table_stays_the_same_object():
    assert as_frame(TABLE) is TABLE


def test_a_row_of_a_table_is_a_table_of_one_row():
    pd.testing.assert_frame_equal(as_frame(TABLE.loc["q"]), TABLE.loc[["q"]])


def test_a_mapping_is_a_table_of_one_row():
    assert as_frame({"age": 30, "job": "cook"}).to_dict("records") == [{"age": 30, "job": "cook"}]


def test_a_list_of_mappings_is_a_table():
    assert as_frame([{"age": 30}, {"age": 40}])["age"].tolist() == [30, 40]


@pytest.mark.parametrize("given", [[], [1, 2], "rows", None], ids=repr)
def test_anything_else_is_refused_with_a_way_out(given):
    with pytest.raises(
        InvalidInputError, match=r"rows must be a frame \(of pandas, polars or pyarrow\).*columns=.*got"
    ):
        as_frame(given)


def test_a_table_without_columns_is_refused():
    with pytest.raises(InvalidInputError, match="rows has no columns"):
        check_table(pd.DataFrame(index=[0]), "rows")


def test_doubled_column_names_are_listed():
    with pytest.raises(InvalidInputError, match=r"duplicate column names: a, b\. Rename or drop"):
        check_table(pd.DataFrame([[1, 2, 3, 4]], columns=["a", "b", "a", "b"]), "rows")


@pytest.mark.parametrize("name", [1.5, ("a", "b"), None, True], ids=repr)
def test_column_names_that_cannot_be_written_down_are_refused(name):
    with pytest.raises(InvalidInputError, match="neither text nor integers"):
        check_table(pd.DataFrame([[1]], columns=pd.Index([name], tupleize_cols=False, dtype=object)), "rows")


def test_whole_numbers_may_be_column_names():
    check_table(pd.DataFrame([[1, 2]]), "rows")


def test_a_table_without_rows_is_refused():
    with pytest.raises(InvalidInputError, match="rows has no rows; give at least one"):
        check_not_empty(TABLE.iloc[:0], "rows")


@pytest.mark.parametrize("endless", [np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("dtype", ["float64", "Float64"])
def test_an_infinite_value_is_shown_with_its_column_and_row(endless, dtype):
    table = pd.DataFrame({"age": pd.Series([1.0, np.nan, endless], dtype=dtype, index=[7, 8, 9])})
    with pytest.raises(InvalidInputError, match=r"'age' of rows is infinite \(beyond 1e\+100\) in row 9\."):
        check_finite(table, "rows")


def test_columns_come_in_the_order_asked_for():
    assert list(in_order(TABLE, ("job", "age"), "rows").columns) == ["job", "age"]


def test_a_table_in_order_stays_the_same_object():
    assert in_order(TABLE, ("age", "job"), "rows") is TABLE


def test_missing_columns_are_listed_with_a_guess():
    with pytest.raises(InvalidInputError, match=r"lacks 1 of the 2 columns .* on: aged\. .*Did you mean 'age'"):
        in_order(TABLE, ("aged", "job"), "rows")


def test_columns_too_many_are_left_out():
    assert list(in_order(TABLE, ("age",), "rows").columns) == ["age"]


@pytest.mark.parametrize(
    "array", [np.zeros((2, 3)), np.zeros(3), np.zeros((2, 2, 2))], ids=lambda array: str(array.shape)
)
def test_an_array_needs_a_name_for_every_column(array):
    with pytest.raises(InvalidInputError, match="name its columns"):
        as_frame(array)
    with pytest.raises(InvalidInputError, match="with the 2 columns a, b; got the shape"):
        as_frame(array, columns=["a", "b"])


@pytest.mark.parametrize(
    "values", [[30, 40], (30, 40), np.array([30, 40]), pd.Series([30, 40])], ids=lambda v: type(v).__name__
)
def test_a_mapping_from_columns_to_values_is_a_table(values):
    found = as_frame({"age": values, "job": ["cook", "clerk"]})
    assert found.to_dict("records") == [{"age": 30, "job": "cook"}, {"age": 40, "job": "clerk"}]
    pd.testing.assert_frame_equal(training_frame({"age": values, "job": ["cook", "clerk"]}), found)


def test_a_mapping_from_columns_to_single_values_is_one_row():
    assert as_frame({"age": 30, "job": "cook"}).to_dict("records") == [{"age": 30, "job": "cook"}]


@pytest.mark.parametrize(
    "row", [pd.Series([1, 2, 3]), {"age": 30, "job": "cook"}, {}], ids=["Series", "mapping", "nothing"]
)
def test_one_row_is_no_training_table(row):
    with pytest.raises(
        InvalidInputError, match=r"the training table is one .*, which is taken for one row; give a frame"
    ):
        training_frame(row)


def test_one_row_may_be_an_array():
    assert as_frame(np.array([1, "x"], dtype=object), columns=["a", "b"]).to_dict("records") == [{"a": 1, "b": "x"}]


def test_a_name_as_a_number_and_as_text_is_an_error_since_json_knows_one():
    table = pd.DataFrame([[1, 2]], columns=pd.Index([1, "1"], dtype=object))
    with pytest.raises(InvalidInputError, match=r"a column called '1' as text and another as a number.*Rename one"):
        check_table(table, "the training table")
