"""Rows as vectors and back."""

import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.datasets import load_benchmark


@pytest.fixture(scope="module")
def german():
    return load_benchmark("german_credit")


@pytest.mark.parametrize("scaling", ["range", "deviation"])
def test_rows_come_back_from_their_vectors(german, scaling) -> None:
    space = vector_space(german.card, german.X_train, scaling)
    rows = german.X_train.head(50).reset_index(drop=True)
    vectors = space.encode(rows)
    assert vectors.shape == (50, space.width)
    pd.testing.assert_frame_equal(space.decode(vectors), rows)


def test_numbers_run_from_0_to_1_or_are_standardised(german) -> None:
    numbers = {name: vector_space(german.card, german.X_train, name) for name in ("range", "deviation")}
    own = {
        name: space.encode(german.X_train)[:, space.of_columns(german.card.continuous)]
        for name, space in numbers.items()
    }
    assert own["range"].min(axis=0).tolist() == [0.0] * own["range"].shape[1]
    assert own["range"].max(axis=0).tolist() == [1.0] * own["range"].shape[1]
    assert np.allclose(own["deviation"].mean(axis=0), 0)
    assert np.allclose(own["deviation"].std(axis=0), 1)


def test_what_lies_beyond_the_training_rows_is_drawn_back(german) -> None:
    space = vector_space(german.card, german.X_train, "range")
    far = space.decode(np.full((2, space.width), 9.0))
    for name in german.card.continuous:
        assert far[name].tolist() == [german.X_train[name].max()] * 2
    for name in german.card.categorical:
        assert set(far[name]) <= set(german.X_train[name])


def test_a_value_that_is_none_of_the_column_is_an_error(german) -> None:
    space = vector_space(german.card, german.X_train, "range")
    rows = german.X_train.head(2).copy()
    name = german.card.categorical[0]
    rows[name] = rows[name].astype(object)
    rows.iloc[1, rows.columns.get_loc(name)] = "no such value"
    with pytest.raises(InvalidInputError, match="no such value"):
        space.encode(rows)
