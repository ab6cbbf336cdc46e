"""Rows as JSON: whatever a table holds comes back as it was, and what it cannot hold is an error that says so."""

import json

import pandas as pd
import pytest
from hostile_words import HOSTILE, SCRIPT
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet.serve.cells import frame_of
from counterflownet.serve.describe import row_records


def test_rows_survive_the_way_to_json_and_back(hostile, hostile_table) -> None:
    told = json.loads(json.dumps(row_records(hostile_table)))
    again = frame_of([row["values"] for row in told], hostile)
    pd.testing.assert_frame_equal(again, hostile_table, check_exact=True)


@settings(max_examples=25, deadline=None)
@given(places=st.lists(st.integers(0, 89), min_size=1, max_size=4), labels=st.booleans())
def test_some_rows_are_those_rows_in_the_same_types(hostile, hostile_table, places, labels) -> None:
    some = hostile_table.iloc[places]
    names = [f"row {n}" for n in range(len(places))]
    again = frame_of([row["values"] for row in row_records(some)], hostile, names if labels else None)
    assert list(again.index) == (names if labels else list(range(len(places))))
    pd.testing.assert_frame_equal(again.reset_index(drop=True), some.reset_index(drop=True), check_exact=True)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ({"age": "41"}, "'age' must hold finite numbers"),
        ({"age": True}, "'age' must hold finite numbers"),
        ({"income": 1e200}, "'income' must hold finite numbers"),
        ({"since": 5}, "'since' must hold dates such as"),
        ({"since": "soon"}, "'since' must hold dates such as"),
    ],
    ids=repr,
)
def test_a_cell_of_the_wrong_kind_is_an_error(hostile, hostile_table, cell, said) -> None:
    row = row_records(hostile_table.head(1))[0]["values"]
    with pytest.raises(InvalidInputError, match=said):
        frame_of([row | cell], hostile)


def test_missing_cells_widen_a_column_and_nothing_else(hostile, hostile_table) -> None:
    first, second = (row["values"] for row in row_records(hostile_table.head(2)))
    frame = frame_of([first | {"age": None, "member": None}, second], hostile)
    assert frame["age"].tolist()[1] == second["age"]
    assert frame["age"].isna().tolist() == [True, False]
    assert frame["member"].isna().tolist() == [True, False]
    assert frame["grade"].dtype == hostile_table["grade"].dtype


def test_a_word_never_seen_is_kept(hostile, hostile_table) -> None:
    row = row_records(hostile_table.head(1))[0]["values"]
    assert frame_of([row | {SCRIPT: "new"}], hostile)[SCRIPT].tolist() == ["new"]
    assert frame_of([row | {SCRIPT: HOSTILE[1]}], hostile)[SCRIPT].tolist() == [HOSTILE[1]]
