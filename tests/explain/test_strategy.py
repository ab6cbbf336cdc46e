"""Which answers are variations of each other, and which of these are dominated."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from made_grounds import Made

from counterflownet._states import States
from counterflownet.explain.strategy import Strategies

GRADES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
DRAW = np.random.default_rng(0)
TRAIN = pd.DataFrame(
    {
        "n": DRAW.integers(0, 6, 60),
        "x": DRAW.choice([0.0, 1.5, 2.5, 7.0], 60),
        "grade": pd.Series(DRAW.choice(GRADES.categories, 60)).astype(GRADES),
        "word": DRAW.choice(["u", "v", "w"], 60),
    }
)
ROWS = TRAIN.head(3).assign(x=[1.5, np.nan, 7.0]).reset_index(drop=True)
MADE = Made(ROWS, TRAIN, lambda rows: rows["n"])


def some_states(seed: int, count: int = 30) -> States:
    draw = np.random.default_rng(seed)
    parts = []
    for _ in range(count):
        row, values = int(draw.integers(3)), TRAIN.iloc[int(draw.integers(60))].to_dict()
        names = [name for name in values if draw.random() < 0.5 and values[name] != ROWS[name].iloc[row]]
        parts.append(MADE.state({name: values[name] for name in names}, row))
    return States.joined(parts)


def number(name: str, value) -> float:
    if name == "word" or pd.isna(value):
        return np.nan
    return float(list(GRADES.categories).index(value)) if name == "grade" else float(value)


def described(states: States) -> list[tuple[int, dict[str, object]]]:
    """Row, and for each change by how much it moves, or the new value where that is not known."""
    told = []
    for at, (row, cells) in enumerate(zip(states.row.tolist(), MADE.decoded(states).to_dict("records"), strict=True)):
        changes = {}
        for d, name in enumerate(TRAIN.columns):
            if states.edited[at, d]:
                way = number(name, cells[name]) - number(name, ROWS[name].iloc[row])
                changes[name] = str(cells[name]) if np.isnan(way) else way
        told.append((row, changes))
    return told


def strategy(row: int, changes: dict[str, object]) -> tuple:
    return row, frozenset((name, 0 if isinstance(way, str) else np.sign(way)) for name, way in changes.items())


def dominates(one: dict[str, object], other: dict[str, object]) -> bool:
    if any(one[name] != other[name] for name in one if isinstance(one[name], str)):
        return False
    ways = [(abs(one[name]), abs(other[name])) for name in one if not isinstance(one[name], str)]
    return all(a <= b for a, b in ways) and any(a < b for a, b in ways)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_keys_are_equal_exactly_for_answers_that_change_the_same_columns_in_the_same_directions(seed) -> None:
    states = some_states(seed)
    keys, own = Strategies.of(MADE.table, states).keys, [strategy(*told) for told in described(states)]
    for one in range(len(own)):
        for other in range(one):
            assert (keys[one] == keys[other]) == (own[one] == own[other])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_dominated_is_what_a_variation_undercuts_in_every_number(seed) -> None:
    states = some_states(seed)
    told = described(states)
    expected = [
        any(strategy(*rival) == strategy(*own) and dominates(rival[1], own[1]) for rival in told) for own in told
    ]
    assert Strategies.of(MADE.table, states).dominated.tolist() == expected


def test_the_way_from_a_missing_value_has_no_direction() -> None:
    states = States.joined([MADE.state({"x": value}, 1) for value in (1.5, 7.0)])
    strategies = Strategies.of(MADE.table, states)
    assert strategies.keys[0] == strategies.keys[1]
    assert not strategies.dominated.any()


def test_of_no_states_none_is_dominated() -> None:
    none = Strategies.of(MADE.table, some_states(0)[np.zeros(0, dtype=np.int64)])
    assert (len(none.keys), len(none.dominated)) == (0, 0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_states_are_covered_that_move_a_number_as_far_as_a_state_that_moves_it_alone(seed) -> None:
    states = some_states(seed)
    told = described(states)
    alone = [(row, *changes.items()) for row, changes in told if len(changes) == 1]
    expected = [
        len(changes) > 1
        and any(
            row == other and not isinstance(changes.get(name, ""), str) and 0 < way / changes[name] <= 1
            for other, (name, way) in alone
            if not isinstance(way, str)
        )
        for row, changes in told
    ]
    assert Strategies.of(MADE.table, states).covered.tolist() == expected
