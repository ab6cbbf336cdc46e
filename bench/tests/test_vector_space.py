"""Rows as vectors and back, column by column."""

import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.vectors import CategoryBlock, NumberBlock, VectorSpace

ROWS = pd.DataFrame({"age": [20, 30, 40], "job": ["cook", "clerk", "cook"], "income": [1.0, 2.0, 4.0]})
SPACE = VectorSpace(
    (
        NumberBlock(name="age", shift=20.0, scale=20.0, low=20.0, high=40.0, dtype=ROWS["age"].dtype),
        CategoryBlock(
            name="job",
            values=("clerk", "cook", "pilot"),
            decodable=np.array([True, True, False]),
            dtype=ROWS["job"].dtype,
        ),
        NumberBlock(name="income"),
    )
)


def test_numbers_are_shifted_and_scaled_and_categories_are_one_hot():
    assert SPACE.encode(ROWS).tolist() == [[0, 0, 1, 0, 1], [0.5, 1, 0, 0, 2], [1, 0, 1, 0, 4]]
    assert SPACE.spans == {"age": slice(0, 1), "job": slice(1, 4), "income": slice(4, 5)}
    assert SPACE.of_columns(["job"]).tolist() == [False, True, True, True, False]


def test_rows_come_back_from_their_vectors():
    pd.testing.assert_frame_equal(SPACE.decode(SPACE.encode(ROWS)), ROWS)


def test_what_cannot_be_is_decoded_to_the_nearest_that_can():
    decoded = SPACE.decode(np.array([[9.0, 0.2, 0.1, 0.9, 7.5]]))
    assert decoded.iloc[0].tolist() == [40, "clerk", 7.5]


def test_numbers_and_codes_can_be_had_as_they_are():
    assert SPACE.numbers(ROWS).tolist() == [[20, 1], [30, 2], [40, 4]]
    assert SPACE.codes(ROWS).tolist() == [[1], [0], [1]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS.assign(job="baker"), "'job' holds 'baker', which is not one of clerk, cook, pilot"),
        (ROWS.assign(income=[1.0, np.nan, 2.0]), "'income' has missing or infinite numbers"),
        (ROWS.assign(income=[1.0, np.inf, 2.0]), "'income' has missing or infinite numbers"),
        (ROWS.drop(columns="age"), "lacks the column 'age'; it has job, income"),
    ],
)
def test_what_has_no_vector_is_an_error(rows, message):
    with pytest.raises(InvalidInputError, match=message):
        SPACE.encode(rows)
