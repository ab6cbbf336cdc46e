"""Changes that are not needed are undone."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.explain.candidates import Edited
from counterflownet.explain.reduction import FEW, Reduction

FEATURES = 6
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
    states = states[states.touched & (states.changed | ~required[states.row]).all(axis=1)]
    reduction = Reduction(FACTUALS, required, leads)
    few = states.changed.sum(axis=1) <= FEW
    for some, left in (
        (states[few], reduction.irreducible(states[few])),
        (states[~few], reduction.irreducible_after_undoing(states[~few])),
    ):
        begun_as = np.column_stack([some.row, some.codes]).tolist()
        assert len(np.unique(np.column_stack([left.row, left.codes]), axis=0)) == len(left)
        assert (leads(left) > 0).all()
        assert ((left.codes != 0) == left.changed).all()
        for row, codes in zip(left.row.tolist(), left.codes, strict=True):
            assert any(r == row and all(c in (0, g) for c, g in zip(codes, g, strict=True)) for r, *g in begun_as)
            for feature in np.flatnonzero(codes):
                without = codes.copy()
                without[feature] = 0
                assert not without.any() or required[row, feature] or lead_of[(row, *without)] <= 0
        for row in set(some.row[leads(some) > 0].tolist()):
            assert row in left.row  # a valid state always has something minimal in it


def by_table(worth: dict[tuple[int, ...], float]) -> Reduction:
    return Reduction(
        FACTUALS,
        np.zeros((2, FEATURES), dtype=bool),
        lambda states: np.array([worth.get(tuple(codes), -1.0) for codes in states.codes.tolist()]),
    )


def test_a_state_of_few_changes_may_hold_several_minimal_ones() -> None:
    worth = {(1, 1, 2, 0, 0, 0): 0.1, (1, 0, 0, 0, 0, 0): 0.2, (0, 1, 2, 0, 0, 0): 0.5}
    left = by_table(worth).irreducible(edited([0], [[1, 1, 2, 0, 0, 0]]))
    assert sorted(left.codes.tolist()) == [[0, 1, 2, 0, 0, 0], [1, 0, 0, 0, 0, 0]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_small_sets_first_or_all_at_once_find_the_same_and_no_part_of_it_is_valid(seed) -> None:
    draw = np.random.default_rng(seed)
    worth = {codes: draw.normal() for codes in product(range(2), repeat=FEATURES)}
    states = edited(np.zeros(20, dtype=np.int64), draw.integers(0, 2, (20, FEATURES)))
    states = states[states.touched & (states.changed.sum(axis=1) <= FEW)]
    found, asked = {}, {}
    for name, many in (("at once", 10**9), ("small first", 0)):
        reduction, calls = by_table(worth), []
        counted = replace(reduction, leads=lambda some, r=reduction, c=calls: c.append(len(some)) or r.leads(some))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("counterflownet.explain.reduction.MANY", many)
            found[name], asked[name] = counted.irreducible(states).codes.tolist(), calls
    assert found["at once"] == found["small first"]
    assert len(asked["at once"]) == 1
    assert sum(asked["small first"]) <= sum(asked["at once"])
    for codes in found["at once"]:
        parts = product(*[(0, code) if code else (0,) for code in codes])
        assert all(worth[part] <= 0 for part in parts if any(part) and list(part) != codes)


def test_in_bulk_no_set_is_asked_about_of_which_a_part_is_known_to_be_valid(monkeypatch) -> None:
    monkeypatch.setattr("counterflownet.explain.reduction.MANY", 0)
    asked = []
    reduction = by_table({(1, 0, 0, 0, 0, 0): 0.2, (0, 1, 1, 0, 0, 0): 0.1})
    counted = replace(reduction, leads=lambda some: asked.extend(some.codes.tolist()) or reduction.leads(some))
    left = counted.irreducible(edited([0], [[1, 1, 1, 0, 0, 0]]))
    assert sorted(left.codes.tolist()) == [[0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]]
    assert len(asked) == 3 + 1  # each change by itself, then the one pair without the change that is enough


def test_a_state_of_many_changes_loses_first_what_leaves_the_largest_lead() -> None:
    worth = {(1, 1, 1, 1, 1, 0): 0.1, (1, 1, 1, 1, 0, 0): 0.2, (0, 1, 1, 1, 1, 0): 0.5}
    left = by_table(worth).irreducible_after_undoing(edited([0], [[1, 1, 1, 1, 1, 0]]))
    assert left.codes.tolist() == [[0, 1, 1, 1, 1, 0]]


def test_many_changes_that_are_all_needed_stay() -> None:
    left = by_table({(1, 1, 1, 1, 1, 1): 0.1}).irreducible_after_undoing(edited([0], [[1] * 6]))
    assert left.codes.tolist() == [[1] * 6]


def test_nothing_given_nothing_left() -> None:
    nothing = edited(np.zeros(0, dtype=np.int64), np.zeros((0, FEATURES), dtype=np.int64))
    assert len(by_table({}).irreducible(nothing)) == len(by_table({}).irreducible_after_undoing(nothing)) == 0
