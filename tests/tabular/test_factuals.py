import numpy as np
import pandas as pd
import pytest
from column_strategies import frames_of_any_types
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.tabular.factuals import WIDE, Factuals
from counterflownet.tabular.schema import Schema
from made_states import states

GRADES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
TRAIN = pd.DataFrame(
    {
        "age": [20, 30, 60],
        "day": pd.to_datetime(["2020-01-01", "2020-01-03", "2020-01-11"]),
        "grade": pd.Series(["low", "mid", "high"], dtype=GRADES),
        "job": ["cook", "nurse", "pilot"],
    }
)
SCHEMA = Schema.infer(TRAIN)


def distances(rows: pd.DataFrame, codes: list[int], *, edited: list[bool]) -> list[float]:
    factuals = Factuals(SCHEMA, rows, scale="range")
    return factuals.distances(states([0], [codes], [edited]))[0].tolist()


def test_numbers_and_dates_are_measured_in_their_range_orders_in_places_and_other_changes_count_one():
    assert distances(TRAIN, [1, 1, 1, 1], edited=[True] * 4) == pytest.approx([0.25, 0.2, 0.5, 1.0])


def test_each_state_is_measured_from_the_row_it_began_as():
    factuals = Factuals(SCHEMA, TRAIN, scale="range")
    found = factuals.distances(states([2, 1, 2], np.zeros((3, 4)), np.ones((3, 4))))
    assert found[:, 0] == pytest.approx([1.0, 0.25, 1.0])


def test_what_was_not_edited_did_not_move():
    assert distances(TRAIN, [2, 2, 2, 2], edited=[False, True, False, False]) == pytest.approx([0, 1.0, 0, 0])


def test_a_number_is_measured_from_itself_not_from_its_code():
    assert distances(TRAIN.assign(age=[68, 0, 0]), [0, 0, 0, 0], edited=[True, False, False, False])[0] == 1.2


def test_from_a_missing_value_it_is_all_the_way():
    rows = pd.DataFrame({"age": [np.nan], "day": [pd.NaT], "grade": pd.Series([None], dtype=GRADES), "job": [None]})
    assert distances(rows, [0, 0, 0, 0], edited=[True] * 4) == [1.0, 1.0, 1.0, 1.0]


def test_from_a_grade_never_seen_it_is_all_the_way():
    rows = TRAIN.iloc[:1].assign(grade=["odd"])
    assert distances(rows, [0, 0, 1, 0], edited=[False, False, True, False])[2] == 1.0


def test_a_constant_column_is_measured_in_its_own_unit():
    X = pd.DataFrame({"x": [5.0, 5.0]})
    factuals = Factuals(Schema.infer(X), pd.DataFrame({"x": [7.0]}), scale="range")
    assert factuals.distances(states([0], [[0]], [[True]])).tolist() == [[2.0]]


def test_vectors_are_standardised_numbers_and_flags_of_categories():
    found = Factuals(SCHEMA, TRAIN).vectors
    ages = TRAIN["age"].to_numpy()
    assert found[:, 0] == pytest.approx((ages - ages.mean()) / ages.std())
    assert found[:, 2:].tolist() == np.hstack([np.eye(3), np.eye(3)]).tolist()


def test_missing_and_never_seen_values_are_nothing_as_vectors():
    rows = pd.DataFrame({"age": [None], "day": [pd.NaT], "grade": ["odd"], "job": [None]})
    assert Factuals(SCHEMA, rows).vectors.tolist() == [[0.0] * 8]


def test_numbers_far_outside_stay_finite():
    found = Factuals(SCHEMA, TRAIN.assign(age=[1e99, -1e99, 0.0])).vectors
    assert np.isfinite(found.astype(np.float32) ** 2).all()


def test_wide_columns_are_embedded_with_all_categories_about_equally_far_apart():
    X = pd.DataFrame({"x": [f"c{number}" for number in range(5_000)]})
    found = Factuals(Schema.infer(X, kinds={"x": "categorical"}), X).vectors
    assert found.shape == (5_000, WIDE)
    apart = np.linalg.norm(found[1:501] - found[0], axis=1)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(5_000), rel=1e-5)
    assert apart.min() > 0.9
    assert apart.max() < 1.9


@settings(deadline=None, max_examples=40)
@given(frames_of_any_types(), st.data())
def test_vectors_of_edits_are_those_of_the_decoded_rows(X, data):
    schema = Schema.infer(X)
    factuals = Factuals(schema, X)
    row = np.array(data.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=6)))
    one_row = st.tuples(*[st.integers(0, count - 1) for count in schema.space.code_counts])
    codes = np.array(data.draw(st.lists(one_row, min_size=len(row), max_size=len(row))))
    edited = np.array(data.draw(st.lists(st.booleans(), min_size=codes.size, max_size=codes.size))).reshape(codes.shape)
    made = states(row, codes, edited)
    assert (factuals.edited_vectors(made) == Factuals(schema, factuals.codec.decode(made)).vectors).all()


def test_asking_for_vectors_leaves_those_of_the_factuals_alone():
    factuals = Factuals(SCHEMA, TRAIN)
    nothing, everything = np.zeros((1, 4), dtype=bool), np.ones((1, 4), dtype=bool)
    before = factuals.edited_vectors(states([0], np.zeros((1, 4)), nothing))
    factuals.edited_vectors(states([0], np.full((1, 4), 2), everything))
    assert (factuals.edited_vectors(states([0], np.zeros((1, 4)), nothing)) == before).all()


def test_a_number_counts_as_itself_and_not_as_the_code_it_falls_into():
    X = pd.DataFrame({"x": np.arange(11.0)})
    schema = Schema.infer(X, bins=2)
    factuals = Factuals(schema, pd.DataFrame({"x": [0.5, 4.0]}), scale="range")
    high = schema["x"].values[1]
    assert factuals.codec.codes.tolist() == [[0], [0]]
    assert factuals.distances(states([0, 1], [[1], [1]])).tolist() == [[(high - 0.5) / 10], [(high - 4.0) / 10]]
    assert factuals.vectors[:, 0].tolist() == pytest.approx(
        ((np.array([0.5, 4.0]) - 5.0) / X["x"].std(ddof=0)).tolist()
    )
