import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import ClassifierError, InvalidInputError
from counterflownet_bench.references.encoding import ColumnRoles, RowEncoder

ROWS = pd.DataFrame({"age": [20, 30, 40], "fixed": [5.0, 5.0, 5.0], "job": ["cook", "clerk", "cook"]})
ROLES = ColumnRoles(continuous=("age", "fixed"), categorical={"job": ("clerk", "cook", "pilot")})


def test_numbers_are_standardised_and_categories_one_hot():
    encoded = RowEncoder.fit(ROLES, ROWS)(ROWS)
    deviation = np.sqrt(200 / 3)
    assert encoded == pytest.approx(
        np.array([[-10 / deviation, 0, 0, 1, 0], [0, 0, 1, 0, 0], [10 / deviation, 0, 0, 1, 0]])
    )


@pytest.mark.parametrize("dtype", ["category", "object", "str"])
def test_text_is_the_same_in_every_type(dtype):
    encoder = RowEncoder.fit(ROLES, ROWS)
    assert (encoder(ROWS.astype({"job": dtype})) == encoder(ROWS)).all()


@pytest.mark.parametrize("dtype", ["int64", "float64", "Int64", "object"])
def test_a_number_as_a_category_is_the_same_in_every_type(dtype):
    roles = ColumnRoles(continuous=(), categorical={"level": (1.0, 2.0, 3.5)})
    rows = pd.DataFrame({"level": pd.Series([2, 1], dtype=dtype)})
    assert RowEncoder.fit(roles, rows)(rows).tolist() == [[0, 1, 0], [1, 0, 0]]


def test_other_columns_and_their_order_make_no_difference():
    encoder = RowEncoder.fit(ROLES, ROWS)
    assert (encoder(ROWS.assign(note=1)[["note", "job", "fixed", "age"]]) == encoder(ROWS)).all()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS.assign(job=["cook", "clerk", "baker"]), "'job' holds 'baker', which is not one of clerk, cook, pilot"),
        (ROWS.assign(job=["cook", None, "cook"]), "'job' holds"),
        (ROWS.assign(age=[20, np.nan, 40]), "'age' has missing or infinite numbers"),
        (ROWS.assign(age=[20, np.inf, 40]), "'age' has missing or infinite numbers"),
        (ROWS.drop(columns="job"), "lacks the column 'job'; it has age, fixed"),
    ],
)
def test_what_it_was_not_trained_for_is_refused(rows, message):
    with pytest.raises(ClassifierError, match=message):
        RowEncoder.fit(ROLES, ROWS)(rows)


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"continuous": ("age",), "categorical": {"age": ("a",)}}, "columns with both: age"),
        ({"continuous": (), "categorical": {}}, "columns with both: none"),
        ({"continuous": (), "categorical": {"job": ()}}, "'job' needs plain"),
        ({"continuous": (), "categorical": {"job": (("a", "b"),)}}, "'job' needs plain"),
    ],
)
def test_roles_that_contradict_themselves_are_refused(roles, message):
    with pytest.raises(InvalidInputError, match=message):
        ColumnRoles(**roles)


def test_roles_can_be_read_off_a_table():
    assert ColumnRoles.infer(ROWS, ["age", "fixed"]).categorical == {"job": ("clerk", "cook")}
