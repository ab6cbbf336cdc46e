"""What was found so far: each state once, in the order of coming, and who still has too few strategies."""

import numpy as np
import pandas as pd
import pytest
from made_grounds import Made

from counterflownet._states import States
from counterflownet.explain.finds import Finds

TRAIN = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0)[::-1], "c": list("xyzw") * 5})
MADE = Made(pd.DataFrame({"a": [5.0] * 3, "b": [5.0] * 3, "c": ["x"] * 3}), TRAIN, lambda rows: rows["a"])


def states(*values: dict[str, object], row: int = 0) -> States:
    return States.joined([MADE.state(one, row) for one in values])


def told(finds: Finds) -> list[tuple]:
    found = MADE.decoded(finds.joined())
    return list(found.reset_index().itertuples(index=False, name=None))


@pytest.fixture
def finds() -> Finds:
    return Finds(MADE.table)


def short(finds: Finds, wanted: int, *asked: int) -> list[int]:
    return finds.short_of(np.array(asked or (0, 1, 2)), wanted).tolist()


def test_every_state_is_kept_once_in_the_order_of_coming(finds) -> None:
    finds.add(states({"a": 9.0}, {"a": 7.0}, {"a": 9.0}))
    finds.add(states({"a": 7.0}, {"b": 8.0}))
    finds.add(states({"a": 9.0}, row=1))
    assert told(finds) == [(0, 9.0, 5.0, "x"), (0, 7.0, 5.0, "x"), (0, 5.0, 8.0, "x"), (1, 9.0, 5.0, "x")]


def test_variations_of_a_strategy_count_once_and_directions_apart(finds) -> None:
    finds.add(states({"a": 9.0}, {"a": 7.0}))
    assert short(finds, 1) == [1, 2]
    assert short(finds, 2) == [0, 1, 2]
    finds.add(states({"a": 2.0}))
    assert short(finds, 2) == [1, 2]
    finds.add(states({"a": 3.0}, {"a": 8.0}))
    assert short(finds, 3) == [0, 1, 2]


def test_a_strategy_of_one_row_is_none_of_another(finds) -> None:
    finds.add(states({"a": 9.0}, {"b": 9.0}, row=2))
    finds.add(states({"a": 9.0}, row=0))
    assert short(finds, 1) == [1]
    assert short(finds, 2) == [0, 1]


def test_only_who_is_asked_about_can_be_short(finds) -> None:
    finds.add(states({"a": 9.0}, row=1))
    assert short(finds, 1, 2) == [2]
    assert short(finds, 1, 2, 0, 1) == [2, 0]
    assert finds.short_of(np.zeros(0, dtype=np.int64), 1).tolist() == []


def test_whoever_comes_after_all_that_have_finds_is_short(finds) -> None:
    finds.add(states({"a": 9.0}, row=0))
    assert short(finds, 1, 0, 2) == [2]


def test_nothing_that_is_added_leaves_all_as_it_was(finds) -> None:
    finds.add(states({"a": 9.0}))
    finds.add(states({"a": 9.0})[np.zeros(0, dtype=np.int64)])
    assert len(told(finds)) == 1
    assert short(finds, 1) == [1, 2]
