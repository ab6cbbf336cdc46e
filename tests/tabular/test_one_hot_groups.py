"""Groups of flags of which exactly one is set, in booleans or in 0 and 1, however the columns are arranged."""

import numpy as np
import pandas as pd

from counterflownet import Schema
from counterflownet.tabular.relations.co_movements import co_movements
from counterflownet.tabular.relations.one_hot_groups import one_hot_groups
from counterflownet.tabular.relations.seen import SeenTable

DRAW = np.random.default_rng(0)
COUNT = 300
COLOURS = pd.get_dummies(pd.Series(DRAW.choice(["red", "green", "blue"], COUNT)))
SHAPES = pd.get_dummies(pd.Series(DRAW.choice(["round", "square"], COUNT)), dtype=int)


def groups(frame: pd.DataFrame) -> list[set[str]]:
    return [{flag.name for flag in group} for group in one_hot_groups(SeenTable.of(Schema.infer(frame), frame))]


def moving(**columns) -> list[tuple[str, ...]]:
    frame = pd.DataFrame(columns)
    found = co_movements(SeenTable.of(Schema.infer(frame), frame))
    return [tuple(column.name for column in group) for group in found]


def test_two_groups_in_one_table_are_told_apart() -> None:
    mixed = pd.concat([COLOURS, SHAPES], axis=1)[["red", "round", "blue", "square", "green"]]
    assert groups(mixed) == [{"red", "green", "blue"}, {"round", "square"}]


def test_a_group_that_lacks_a_colour_is_none() -> None:
    assert groups(COLOURS[["red", "green"]]) == []


def test_a_row_with_two_flags_set_ends_the_group() -> None:
    doubled = COLOURS.copy()
    doubled.iloc[3] = True
    assert groups(doubled) == []


def test_flags_among_other_flags_are_found() -> None:
    others = pd.DataFrame(DRAW.integers(0, 2, (COUNT, 20)), columns=[f"f{number}" for number in range(20)])
    assert groups(pd.concat([others, COLOURS], axis=1)) == [{"red", "green", "blue"}]


def test_few_rows_say_nothing() -> None:
    assert groups(COLOURS.head(6)) == []


def test_numbers_other_than_0_and_1_are_no_flags() -> None:
    assert groups(SHAPES + 1) == []


def test_columns_of_the_same_ranks_move_together() -> None:
    gross = DRAW.random(COUNT) * 1_000
    assert moving(gross=gross, age=DRAW.integers(20, 60, COUNT), net=gross**0.9) == [("gross", "net")]


def test_a_pair_of_rows_in_which_one_moves_alone_is_enough_to_say_nothing() -> None:
    gross = np.arange(COUNT) + 0.5
    assert moving(gross=gross, net=np.round(gross * 0.8)) == []


def test_columns_that_go_opposite_ways_do_not_move_together() -> None:
    year = DRAW.integers(1950, 2000, COUNT)
    assert moving(birth=year, age=2024 - year) == []
