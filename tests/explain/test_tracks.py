"""The ways back of changes: every value between the factual's and the answer's, the nearest first."""

import numpy as np
import pandas as pd
import pytest
from made_grounds import Made

from counterflownet import OneOf, Range
from counterflownet.explain.tracks import AT_ONCE, UNDO, Tracks

SIZES = pd.CategoricalDtype(["xs", "s", "m", "l"], ordered=True)
TRAIN = pd.DataFrame(
    {
        "a": [1.0, 2.0, 3.5, 5.0, 8.0, 13.0] * 4,
        "size": pd.Series(["xs", "s", "m", "l"] * 6).astype(SIZES),
        "word": list("xyz") * 8,
    }
)
FIRST = TRAIN.head(1)


def made(*constraints, rows: pd.DataFrame = FIRST, train: pd.DataFrame = TRAIN) -> Made:
    return Made(rows, train, lambda frame: frame["a"], constraints)


def tracks(one: Made, values: dict, *, undo: bool = True, nearer: bool = True) -> Tracks:
    states = one.state(values)
    return one.ground.tracks(states, states.edited.numpy().copy(), undo=undo, nearer=nearer)


def steps(found: Tracks, track: int = 0) -> list[float]:
    numbers = np.where(found.place == UNDO, -1.0, found.number)
    return numbers[found.track == track].tolist()


def test_a_track_has_the_undone_change_then_every_value_between_the_nearest_first() -> None:
    assert steps(tracks(made(), {"a": 13.0})) == [-1.0, 2.0, 3.5, 5.0, 8.0]
    high = made(rows=FIRST.assign(a=13.0))
    assert steps(tracks(high, {"a": 1.0})) == [-1.0, 8.0, 5.0, 3.5, 2.0]


def test_steps_are_those_that_are_asked_for() -> None:
    assert steps(tracks(made(), {"a": 5.0}, undo=False)) == [2.0, 3.5]
    assert steps(tracks(made(), {"a": 5.0}, nearer=False)) == [-1.0]
    assert len(tracks(made(), {"a": 5.0}, undo=False, nearer=False).track) == 0


def test_every_change_has_a_track_and_categories_without_order_can_only_be_undone() -> None:
    found = tracks(made(), {"a": 3.5, "size": "l", "word": "z"})
    assert found.feature.tolist() == [0, 1, 2]
    assert [steps(found, track) for track in range(3)] == [[-1.0, 2.0], [-1.0, 1.0, 2.0], [-1.0]]


def test_a_change_that_is_required_cannot_be_undone() -> None:
    assert steps(tracks(made(Range("a", 2.5, 20)), {"a": 8.0})) == [2.5, 3.5, 5.0]


def test_only_what_is_permitted_is_on_a_track() -> None:
    assert steps(tracks(made(OneOf("a", [1.0, 3.5, 8.0, 13.0])), {"a": 13.0})) == [-1.0, 3.5, 8.0]


def test_a_border_that_is_a_training_value_is_there_once() -> None:
    assert steps(tracks(made(Range("a", 2.0, 13.0)), {"a": 5.0})) == [2.0, 3.5]


def test_a_missing_value_has_no_values_between() -> None:
    assert steps(tracks(made(rows=FIRST.assign(a=np.nan)), {"a": 8.0})) == [-1.0]


def test_fine_values_are_looked_at_from_coarse_to_fine_strictly_between_two_ends() -> None:
    train = pd.DataFrame({"a": np.arange(2000.0) + 0.5, "b": 0})
    one = made(rows=train.head(1), train=train)
    found = tracks(one, {"a": 1999.5})
    near, far = np.array([100.5]), np.array([300.5])
    states = one.state({"a": 1999.5})
    track, place, number = one.ground.finer(found, states, near, far)
    assert len(track) == len(place) == AT_ONCE
    assert (np.diff(number) > 0).all()
    assert 100.5 < number[0] < 120
    assert 280 < number[-1] < 300.5
    assert one.table.codec.numbers(0, states.row.numpy().repeat(AT_ONCE), place).tolist() == number.tolist()


@pytest.mark.parametrize("ends", [(100.5, 101.5), (np.nan, 300.5), (100.5, np.nan)])
def test_there_is_nothing_fine_between_neighbours_or_without_ends(ends) -> None:
    train = pd.DataFrame({"a": np.arange(2000.0) + 0.5, "b": 0})
    one = made(rows=train.head(1), train=train)
    found = tracks(one, {"a": 1999.5})
    near, far = (np.array([end]) for end in ends)
    assert len(one.ground.finer(found, one.state({"a": 1999.5}), near, far)[0]) == 0


def test_listed_values_have_nothing_fine_between_them() -> None:
    train = pd.DataFrame({"a": np.arange(2000.0) + 0.5, "b": 0})
    values = made(rows=train.head(1), train=train).table.codec.schema["a"].values
    one = made(OneOf("a", [values[number] for number in (0, 5, 20, 50)]), rows=train.head(1), train=train)
    found = tracks(one, {"a": values[50]})
    assert steps(found) == [-1.0, values[5], values[20]]
    near, far = np.array([values[5]]), np.array([values[20]])
    assert len(one.ground.finer(found, one.state({"a": values[50]}), near, far)[0]) == 0
