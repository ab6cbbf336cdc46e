"""Cells beyond the codes: at fine values and at the borders of constraints, in columns of every type."""

import numpy as np
import pandas as pd
import pytest
from column_strategies import identical
from placed_columns import COLUMNS, STEP, as_number, at_every_place, table_of

from counterflownet.tabular.factuals import Factuals
from made_states import states

ANY = pytest.mark.parametrize("name", COLUMNS)


@ANY
def test_a_fine_place_decodes_to_its_training_value(name):
    table = table_of(name)
    count = len(table.codec.schema["x"].fine)
    found = table.codec.decode(at_every_place(table))["x"].tolist()[:count]
    assert list(map(as_number, found)) == sorted(set(map(as_number, COLUMNS[name])))


@ANY
def test_a_border_decodes_to_the_last_value_within_a_step(name):
    table = table_of(name)
    count = len(table.codec.schema["x"].fine)
    *borders, own = map(as_number, table.codec.decode(at_every_place(table))["x"].tolist()[count:])
    whole = isinstance(table.codec.schema["x"].values[0], int) or table.codec.schema["x"].whole
    step = 2 if whole else STEP
    assert borders == pytest.approx([own - step, own + step], rel=1e-3 if name == "float16" else 1e-6)
    assert all(abs(border - own) <= STEP for border in borders)


@ANY
def test_the_type_of_the_column_is_kept(name):
    table = table_of(name)
    found, given = table.codec.decode(at_every_place(table))["x"].dtype, COLUMNS[name].dtype
    if isinstance(given, pd.CategoricalDtype):  # which needs a category for each border
        assert isinstance(found, pd.CategoricalDtype)
        assert set(given.categories) <= set(found.categories)
    else:
        assert found == given


@ANY
def test_a_cell_that_was_not_edited_stays_to_the_bit_beside_others_at_fine_places(name):
    table = table_of(name)
    found = table.codec.decode(at_every_place(table))["x"].iloc[[-1]].reset_index(drop=True)
    given = table.codec.rows["x"].iloc[[1]].reset_index(drop=True)
    assert identical(found.astype(object), given.astype(object))


@ANY
def test_the_number_at_a_place_is_that_of_the_decoded_cell(name):
    table, made = table_of(name), at_every_place(table_of(name))
    row, places, edited = made.numpy()
    numbers = table.codec.numbers(0, row[edited[:, 0]], places[edited[:, 0], 0])
    decoded = Factuals(table.codec.schema, table.codec.decode(made)).coordinates[edited[:, 0], 0]
    assert numbers.tolist() == decoded.tolist()


@ANY
def test_vectors_at_a_place_are_those_of_the_decoded_row(name):
    table, made = table_of(name), at_every_place(table_of(name))
    decoded = Factuals(table.codec.schema, table.codec.decode(made))
    assert table.edited_vectors(made).tolist() == decoded.vectors.tolist()


@ANY
def test_the_distance_to_a_place_is_that_to_the_decoded_cell(name):
    table, made = table_of(name), at_every_place(table_of(name))
    after = Factuals(table.codec.schema, table.codec.decode(made)).coordinates[:, 0]
    before = np.full(len(after), table.coordinates[1, 0])
    assert table.distances(made)[:, 0].tolist() == table.distance(0, before, after).tolist()


def test_whole_numbers_among_objects_stay_whole_numbers():
    table = table_of("whole as objects")
    assert set(map(type, table.codec.decode(at_every_place(table))["x"])) == {int}


def test_borders_are_those_of_the_row_itself():
    table = table_of("float64")
    place = table.codec.schema["x"].first_border_place
    found = table.codec.decode(states([0, 1], [[place + 1], [place + 1]]))["x"]
    assert found.tolist() == pytest.approx((table.codec.rows["x"] + STEP).tolist())


def test_places_and_codes_decode_side_by_side():
    table = table_of("int64")
    (feature,) = table.codec.schema
    places = [[0], [feature.first_fine_place + 1], [feature.first_border_place], [1]]
    found = table.codec.decode(states([0, 1, 1, 0], places, np.ones((4, 1))))["x"]
    assert found.tolist() == [feature.values[0], int(feature.fine[1]), table.codec.rows["x"][1] - 2, feature.values[1]]


def test_a_missing_value_has_no_border_and_fine_values_are_there_for_it():
    table = table_of("Float64")
    rows = pd.DataFrame({"x": pd.array([None, 0.1], dtype="Float64")})
    again = Factuals(table.codec.schema, rows, borders={0: np.array([[np.nan], [0.5]])})
    fine = table.codec.schema["x"].first_fine_place
    made = states([0, 0, 1], [[fine], [0], [fine + 1]], [[True], [False], [True]])
    assert again.codec.decode(made)["x"].isna().tolist() == [False, True, False]
    assert again.distances(made)[0, 0] == 1.0
