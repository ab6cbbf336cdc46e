"""Changes that are not needed are undone."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.explain.candidates import Edited
from counterflownet.explain.reduction import irreducible

FEATURES = 4
FACTUALS = np.zeros((2, FEATURES), dtype=np.int64)


def edited(row, codes) -> Edited:
    codes = np.array(codes)
    return Edited(np.array(row), codes, codes != 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.booleans())
def test_what_is_left_is_valid_irreducible_distinct_and_part_of_a_given_state(seed, with_rules) -> None:
    draw = np.random.default_rng(seed)
    lead_of = {key: draw.normal() for key in product(range(2), *[range(3)] * FEATURES)}
    required = draw.random((2, FEATURES)) < (0.2 if with_rules else 0.0)

    def leads(states: Edited) -> np.ndarray:
        return np.array([lead_of[(r, *c)] for r, c in zip(states.row.tolist(), states.codes.tolist(), strict=True)])

    states = edited(draw.integers(0, 2, 30), draw.integers(0, 3, (30, FEATURES)))
    kept = states.touched & (leads(states) > 0) & (states.changed | ~required[states.row]).all(axis=1)
    left = irreducible(states[kept], FACTUALS, required, leads)
    assert len(np.unique(np.column_stack([left.row, left.codes]), axis=0)) == len(left)
    assert (leads(left) > 0).all()
    assert ((left.codes != 0) == left.changed).all()
    given_states = set(map(tuple, np.column_stack([states.row, states.codes])[kept].tolist()))
    for row, codes in zip(left.row.tolist(), left.codes, strict=True):
        assert any(r == row and all(c in (0, g) for c, g in zip(codes, g, strict=True)) for r, *g in given_states)
        for feature in np.flatnonzero(codes):
            without = codes.copy()
            without[feature] = 0
            assert not without.any() or required[row, feature] or lead_of[(row, *without)] <= 0


def test_the_undo_that_leaves_the_largest_lead_comes_first() -> None:
    worth = {(1, 1, 0, 0): 0.5, (0, 1, 0, 0): 0.1, (1, 0, 0, 0): 0.3}
    left = irreducible(
        edited([0], [[1, 1, 0, 0]]),
        FACTUALS,
        np.zeros((2, FEATURES), dtype=bool),
        lambda states: np.array([worth[tuple(codes)] for codes in states.codes.tolist()]),
    )
    assert left.codes.tolist() == [[1, 0, 0, 0]]


def test_nothing_given_nothing_left() -> None:
    nothing = edited(np.zeros(0, dtype=np.int64), np.zeros((0, FEATURES), dtype=np.int64))
    assert len(irreducible(nothing, FACTUALS, np.zeros((2, FEATURES), dtype=bool), lambda states: np.zeros(0))) == 0
