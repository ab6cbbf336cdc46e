"""Columns that name rows or never vary are noticed, named and left alone."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.schema import Schema

COUNT = 80
FACTOR = np.arange(COUNT) % 7


def schema_with(values: object, name: str = "x", **others: object) -> Schema:
    return Schema.infer(pd.DataFrame({name: values, "f": FACTOR}), **others)


@pytest.mark.parametrize(
    "values",
    [
        np.arange(COUNT),
        np.random.default_rng(0).permutation(3 * COUNT)[:COUNT],
        [f"customer {n}" for n in range(COUNT)],
        pd.Categorical([f"c{n}" for n in range(COUNT)]),
        2**60 + 10**9 * np.arange(COUNT),
        ["same"] * COUNT,
        [True] * COUNT,
        [1.5] * COUNT,
        [None] * COUNT,
    ],
)
def test_what_says_nothing_is_left_alone(values: object) -> None:
    schema = schema_with(values)
    assert list(schema.left_alone) == ["x"]
    assert schema["x"].code_count == 1
    assert "left alone: it has" in repr(schema)


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).random(COUNT),
        np.random.default_rng(0).integers(0, 10**6, COUNT),
        np.arange(COUNT) / 2,
        np.arange(COUNT) // 2,
        ["a", "b"] * (COUNT // 2),
        [None, "a"] * (COUNT // 2),
        pd.date_range("2024-01-01", periods=COUNT),
    ],
)
def test_what_may_matter_is_not(values: object) -> None:
    assert schema_with(values).left_alone == {}


def test_numbers_that_are_called_so_name_rows() -> None:
    far_apart = np.random.default_rng(0).integers(0, 10**9, COUNT)
    assert list(schema_with(far_apart, name="customerId").left_alone) == ["customerId"]
    assert schema_with(far_apart, name="paid").left_alone == {}


def test_a_kind_that_is_given_is_taken_at_its_word() -> None:
    assert schema_with(np.arange(COUNT), kinds={"x": "integer"}).left_alone == {}
    assert schema_with([f"c{n}" for n in range(COUNT)], kinds={"x": "categorical"})["x"].code_count == COUNT


def test_few_rows_say_nothing() -> None:
    assert Schema.infer(pd.DataFrame({"x": ["a", "b"], "k": [1, 1]})).left_alone == {}


def test_a_table_of_nothing_else_is_used_as_it_is() -> None:
    assert Schema.infer(pd.DataFrame({"x": range(COUNT)})).left_alone == {}


@pytest.mark.parametrize(
    "values", [[f"c{n}" for n in range(COUNT)], ["same"] * COUNT, [None] * COUNT], ids=["a", "b", "c"]
)
def test_it_is_restored_from_json(values: object) -> None:
    schema = schema_with(values)
    assert Schema.from_json(schema.to_json()) == schema


def test_whatever_such_a_column_holds_later_comes_back() -> None:
    schema = schema_with([f"c{n}" for n in range(COUNT)])
    later = pd.DataFrame({"x": ["new", None, "c3"], "f": [1, 2, 3]})
    codec = Codec(schema, later)
    assert codec.codes[:, 0].tolist() == [0, 0, 0]
    assert codec.columns[0].equals(later["x"])


def test_what_is_left_alone_has_one_value() -> None:
    with pytest.raises(InvalidInputError, match="must have one value; got 2"):
        replace(schema_with(["a", "b"] * (COUNT // 2))["x"], alone="because")
