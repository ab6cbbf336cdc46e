"""Which columns follow from another: what is told, once and in the right direction, and what is no news."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Schema
from counterflownet.tabular.relations.dependencies import dependencies
from counterflownet.tabular.relations.seen import SeenTable

DRAW = np.random.default_rng(0)
COUNT = 600
CITY = DRAW.integers(0, 12, COUNT)


def found(**columns) -> list[tuple[str, str, bool]]:
    frame = pd.DataFrame(columns)
    told = dependencies(SeenTable.of(Schema.infer(frame), frame))
    return [(one.derived.name, one.source.name, one.one_to_one) for one in told]


def words(numbers) -> list[str]:
    return [f"w{number}" for number in numbers]


def test_a_number_that_says_the_same_as_a_word_follows_from_the_word() -> None:
    assert found(number=CITY, word=words(CITY)) == [("number", "word", True)]


def test_the_coarser_column_follows_from_the_finer_one_alone() -> None:
    assert found(state=words(CITY // 3), city=words(CITY)) == [("state", "city", False)]


def test_what_follows_from_what_was_told_goes_without_saying() -> None:
    told = found(city=words(CITY), state=words(CITY // 3), land=words(CITY // 6))
    assert told == [("state", "city", False), ("land", "state", False)]


def test_of_columns_that_say_the_same_one_is_the_source_of_all() -> None:
    told = found(a=words(CITY), b=words(CITY + 1), c=words(-CITY))
    assert told == [("b", "a", True), ("c", "a", True)]


def test_support_counts_the_rows_that_repeat_what_another_has_shown() -> None:
    frame = pd.DataFrame({"word": words(CITY), "number": CITY})
    (told,) = dependencies(SeenTable.of(Schema.infer(frame), frame))
    assert told.support == COUNT - 12


def test_a_single_exception_is_enough_to_say_nothing() -> None:
    state = CITY // 3
    state[CITY.tolist().index(5)] = 3
    assert found(state=words(state), city=words(CITY)) == []


@pytest.mark.parametrize(
    "other",
    [
        [f"key{number}" for number in range(COUNT)],  # everything follows from a key
        ["always the same"] * COUNT,
        words(DRAW.integers(0, 3, COUNT)),
    ],
)
def test_keys_constants_and_strangers_tell_nothing(other) -> None:
    assert found(city=words(CITY), other=other) == []


def test_few_rows_of_each_value_make_a_source_nearly_a_key() -> None:
    customer = np.arange(COUNT) // 5
    assert found(customer=words(customer), city=words(CITY[customer])) == []


def test_a_rare_value_tells_something_only_if_it_is_repeated() -> None:
    assert found(city=words(CITY), rare=(CITY == 3).astype(int)) == [("rare", "city", False)]
    alone = np.arange(COUNT) < 40
    assert found(source=words(np.where(alone, 100 + np.arange(COUNT), CITY)), rare=alone.astype(int)) == []
    few = np.arange(COUNT) < 5
    assert found(group=words(few + 10), flag=words(few + 0)) == []


def test_columns_with_missing_values_are_not_looked_up() -> None:
    state = pd.Series(words(CITY // 3)).mask(CITY == 4)
    assert found(city=words(CITY), state=state) == []


def test_exceptions_beyond_the_first_look_are_seen() -> None:
    city = np.arange(5_000) % 10
    state = city // 2
    state[2_222] = 9  # which is not among the rows of the first look
    assert found(city=words(city), state=words(state)) == []
