"""Changes that are not needed are undone."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_candidates import FACTUALS, FEATURES, asking, rows_of

from counterflownet._states import States
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.reduction import FEW, Reduction
from made_states import states as made_states

OWN = FACTUALS.codec.codes


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.booleans())
def test_what_is_left_is_valid_irreducible_distinct_and_part_of_a_given_state(seed, with_rules) -> None:
    draw = np.random.default_rng(seed)
    lead_of = {key: draw.normal() for key in product(range(2), *[range(3)] * FEATURES)}
    required = draw.random((2, FEATURES)) < (0.2 if with_rules else 0.0)
    states = made_states(draw.integers(0, 2, 30), draw.integers(0, 3, (30, FEATURES)))
    row, _, edited = states.numpy()
    states = states[edited.any(axis=1) & (edited | ~required[row]).all(axis=1)]
    reduction = Reduction(OWN, required, Oracle(asking(lambda row, codes: lead_of[(row, *codes)])))
    few = states.change_counts <= FEW
    for given_states, left in (
        (states[few], reduction.irreducible(states[few])),
        (states[~few], reduction.irreducible_after_undoing(states[~few])),
    ):
        assert len(set(rows_of(left))) == len(left)
        assert all(lead_of[key] > 0 for key in rows_of(left))
        assert ((left.codes != 0) == left.edited).all()
        for row, *codes in rows_of(left):
            parts = [
                all(c in (0, g) for c, g in zip(codes, g, strict=True)) for r, *g in rows_of(given_states) if r == row
            ]
            assert any(parts)
            for feature in np.flatnonzero(codes):
                without = [0 if d == feature else code for d, code in enumerate(codes)]
                assert not any(without) or required[row, feature] or lead_of[(row, *without)] <= 0
        for key in rows_of(given_states):
            assert lead_of[key] <= 0 or key[0] in left.row  # a valid state always has something minimal in it


def by_table(worth: dict[tuple[int, ...], float], asked: list[list[list[int]]] | None = None) -> Reduction:
    """A reduction that knows the lead of some states, all others being invalid; it notes what each call was about."""
    ask, noted = asking(lambda _row, codes: worth.get(codes, -1.0)), [] if asked is None else asked
    oracle = Oracle(lambda states: noted.append(states.codes.tolist()) or ask(states))
    return Reduction(OWN, np.zeros((2, FEATURES), dtype=bool), oracle)


def codes_of(states: States) -> list[list[int]]:
    return states.codes.tolist()


def test_a_state_of_few_changes_may_hold_several_minimal_ones() -> None:
    worth = {(1, 1, 2, 0, 0, 0): 0.1, (1, 0, 0, 0, 0, 0): 0.2, (0, 1, 2, 0, 0, 0): 0.5}
    left = by_table(worth).irreducible(made_states([0], [[1, 1, 2, 0, 0, 0]]))
    assert sorted(codes_of(left)) == [[0, 1, 2, 0, 0, 0], [1, 0, 0, 0, 0, 0]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_small_sets_first_or_all_at_once_find_the_same_and_no_part_of_it_is_valid(seed) -> None:
    draw = np.random.default_rng(seed)
    worth = {codes: draw.normal() for codes in product(range(2), repeat=FEATURES)}
    states = made_states(np.zeros(20), draw.integers(0, 2, (20, FEATURES)))
    states = states[(states.change_counts > 0) & (states.change_counts <= FEW)]
    found, asked = {}, {}
    for name, many in (("at once", 10**9), ("small first", 0)):
        asked[name] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("counterflownet.explain.reduction.MANY", many)
            found[name] = codes_of(by_table(worth, asked[name]).irreducible(states))
    assert found["at once"] == found["small first"]
    assert len(asked["at once"]) == 1
    assert sum(map(len, asked["small first"])) <= len(asked["at once"][0])
    for codes in found["at once"]:
        parts = product(*[(0, code) if code else (0,) for code in codes])
        assert all(worth[part] <= 0 for part in parts if any(part) and list(part) != codes)


def test_in_bulk_no_set_is_asked_about_of_which_a_part_is_known_to_be_valid(monkeypatch) -> None:
    monkeypatch.setattr("counterflownet.explain.reduction.MANY", 0)
    asked = []
    reduction = by_table({(1, 0, 0, 0, 0, 0): 0.2, (0, 1, 1, 0, 0, 0): 0.1}, asked)
    left = reduction.irreducible(made_states([0], [[1, 1, 1, 0, 0, 0]]))
    assert sorted(codes_of(left)) == [[0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]]
    assert sum(map(len, asked)) == 3 + 1  # each change by itself, then the one pair without the change that is enough


def test_a_state_of_many_changes_loses_first_what_leaves_the_largest_lead() -> None:
    worth = {(1, 1, 1, 1, 1, 0): 0.1, (1, 1, 1, 1, 0, 0): 0.2, (0, 1, 1, 1, 1, 0): 0.5}
    left = by_table(worth).irreducible_after_undoing(made_states([0], [[1, 1, 1, 1, 1, 0]]))
    assert codes_of(left) == [[0, 1, 1, 1, 1, 0]]


def test_many_changes_that_are_all_needed_stay() -> None:
    left = by_table({(1, 1, 1, 1, 1, 1): 0.1}).irreducible_after_undoing(made_states([0], [[1] * 6]))
    assert codes_of(left) == [[1] * 6]


def test_states_that_are_not_valid_lead_to_nothing() -> None:
    left = by_table({(1, 1, 1, 1, 0, 0): 0.5}).irreducible_after_undoing(made_states([0], [[1, 1, 1, 1, 1, 0]]))
    assert len(left) == 0


def test_nothing_given_nothing_left() -> None:
    nothing = made_states([], np.zeros((0, FEATURES)))
    assert len(by_table({}).irreducible(nothing)) == len(by_table({}).irreducible_after_undoing(nothing)) == 0
