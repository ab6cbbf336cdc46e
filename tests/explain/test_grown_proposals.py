"""Changes added to changes: beside answers that are known, or until there is one; and what such growth is made of."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from made_grounds import Made

from counterflownet import MaxChanges, OneOf
from counterflownet._states import States
from counterflownet.explain import proposals as module
from counterflownet.explain.proposals import _beam, _pairs_within, _thinned

FLAGS = list("abcdefg")
TRAIN = pd.DataFrame(np.random.default_rng(0).random((60, 7)) < 0.5, columns=FLAGS)
NONE_SET = pd.DataFrame(False, index=range(2), columns=FLAGS)


def enough(*groups: str):
    """Any of these groups of flags is enough; every flag helps by itself, those of the last group most."""
    helps = np.array([0.03 if flag in groups[-1] else 0.001 for flag in FLAGS])

    def likely(rows: pd.DataFrame) -> np.ndarray:
        valid = np.any([rows[list(group)].all(axis=1) for group in groups], axis=0)
        return np.where(valid, 0.9, 0.1 + rows.to_numpy() @ helps)

    return likely


def made_flags(*groups: str, constraints=(), rows: pd.DataFrame = NONE_SET) -> Made:
    return Made(rows, TRAIN, enough(*groups), constraints)


def factuals(made: Made, *rows: int) -> States:
    return States.joined([made.state({}, row) for row in rows])


def grown(made: Made, way: str, *rows: int) -> list[tuple[int, str]]:
    """Row and flags that were changed, of every state that comes of the way."""
    begun, edits = factuals(made, *rows), made.proposals.singles(np.array(rows))
    found = getattr(made.proposals, way)(begun, edits, made.oracle)
    names = ["".join(np.array(FLAGS)[flags]) for flags in found.edited.numpy()]
    return sorted(zip(found.row.tolist(), names, strict=True))


def sizes_asked(made: Made, row: pd.Series) -> set[int]:
    asked = pd.concat(made.asked).to_numpy(bool)
    return set((asked != row.to_numpy(bool)).sum(axis=1).tolist())


def test_beside_an_answer_of_one_change_others_of_two_and_three_are_found() -> None:
    found = grown(made_flags("a", "bc", "def"), "beside", 0, 1)
    assert {(row, names) for row in (0, 1) for names in ("a", "bc", "def")} <= set(found)
    assert len(set(found)) == len(found)


def test_nothing_is_added_to_what_is_enough() -> None:
    found = grown(made_flags("a", "bc"), "beside", 0)
    assert len(found) > 2
    for _, names in found:
        parts = ["".join(part) for part in combinations(names, len(names) - 1)]
        assert any("a" not in part and not {"b", "c"} <= set(part) for part in parts)


def test_a_column_that_is_barred_is_not_the_first_to_be_added() -> None:
    made = made_flags("abc", "abd", "ef")
    begun = States.joined([made.state({"a": True, "b": True}, row) for row in (0, 1)])
    edits, barred = made.proposals.singles(np.array([0, 1])), np.array([FLAGS.index("c"), FLAGS.index("d")])
    found = made.proposals.beside(begun, edits, made.oracle, barred)
    names = [
        (row, "".join(np.array(FLAGS)[flags]))
        for row, flags in zip(found.row.tolist(), found.edited.numpy(), strict=True)
    ]
    assert {(0, "abd"), (1, "abc")} <= set(names)
    assert not {(0, "abc"), (1, "abd")} & set(names)


@pytest.mark.parametrize(("hopeless", "last"), [(True, 3), (False, 7)])
def test_a_hopeless_climb_ends_with_the_first_change_that_brings_nothing(hopeless, last) -> None:
    two_help = Made(NONE_SET, TRAIN, lambda rows: 0.1 + rows["a"] * 0.1 + rows["b"] * 0.1)
    edits = two_help.proposals.singles(np.array([0]))
    found = two_help.proposals.climbed(factuals(two_help, 0), edits, two_help.oracle, hopeless=hopeless)
    assert len(found) == 0
    assert max(sizes_asked(two_help, NONE_SET.iloc[0])) == last


def test_no_more_than_three_are_added_beside_others() -> None:
    made = made_flags("abcd")
    assert grown(made, "beside", 0) == []
    assert max(sizes_asked(made, NONE_SET.iloc[0])) == 3


def test_beside_others_no_more_is_changed_than_may_be_and_all_that_must() -> None:
    few = made_flags("a", "bcd", constraints=[MaxChanges(2)])
    assert "a" in set.intersection(*(set(names) for _, names in grown(few, "beside", 0)))
    assert max(sizes_asked(few, NONE_SET.iloc[0])) == 2
    must = made_flags("a", constraints=[OneOf("g", [True])])
    found = grown(must, "beside", 0)
    assert (0, "ag") in found
    assert all({"a", "g"} <= set(names) for _, names in found)


def test_beside_others_the_states_that_bring_most_go_on(monkeypatch) -> None:
    def likely(rows: pd.DataFrame) -> np.ndarray:
        weights = np.array([6, 5, 4, 3, 2, 1, 0]) / 50
        return np.where(rows[["f", "g"]].all(axis=1) | rows[["a", "d"]].all(axis=1), 0.9, rows.to_numpy() @ weights)

    monkeypatch.setattr(module, "BEAM", 2)
    monkeypatch.setattr(module, "BESIDE", 2)
    assert grown(Made(NONE_SET, TRAIN, likely), "beside", 0) == [(0, "ad")]


def test_of_many_valid_states_those_of_most_slack_are_kept(monkeypatch) -> None:
    monkeypatch.setattr(module, "MANY", 2)
    monkeypatch.setattr(module, "BESIDE", 1)

    def likely(rows: pd.DataFrame) -> np.ndarray:
        return 0.47 + rows.to_numpy() @ (np.array([3, 1, 4, 2, 0, 0, 0]) / 20)

    assert grown(Made(NONE_SET, TRAIN, likely), "beside", 0) == [(0, "a"), (0, "c")]


def test_of_what_is_added_beside_others_only_the_likeliest_is_asked_about(monkeypatch) -> None:
    made = made_flags("abc")
    grown(made, "beside", 0)
    every = made.oracle.asked_about(1)[0]
    monkeypatch.setattr(module, "MOST_GROWN", 3)
    some = made_flags("abc")
    assert (0, "abc") in grown(some, "beside", 0)
    assert some.oracle.asked_about(1)[0] <= 1 + 7 + 3 + 3 < every
    few = made_flags("abc")
    monkeypatch.setattr(module, "MOST_GROWN", 1)
    assert {names for _, names in grown(few, "beside", 0)} <= {"abc"}


def test_climbing_is_over_for_a_row_once_it_has_an_answer() -> None:
    rows = NONE_SET.assign(a=[True, False], b=[True, False])
    made = made_flags("abcd", rows=rows)
    found = grown(made, "climbed", 0, 1)
    assert found == [(0, "cd"), (1, "abcd")]
    asked = pd.concat(made.asked).to_numpy(bool)
    of_first = asked[asked[:, :2].all(axis=1)]
    assert made.oracle.asked_about(2)[0] <= 7 + 6 * module.BEAM
    assert len(of_first) > 0


def test_climbing_ends_after_so_many_changes(monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_CLIMBED", 3)
    made = made_flags("abcd")
    assert grown(made, "climbed", 0) == []
    assert max(sizes_asked(made, NONE_SET.iloc[0])) == 3


def test_climbing_goes_on_from_what_was_begun() -> None:
    made = made_flags("abcd")
    begun = made.state({"a": True, "b": True})
    found = made.proposals.climbed(begun, made.proposals.singles(np.array([0])), made.oracle)
    assert found.change_counts.tolist() == [4]
    assert min(sizes_asked(made, NONE_SET.iloc[0])) == 3


def test_of_many_edits_those_of_most_slack_stay_in_their_order(monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_SINGLES", 70)
    made = made_flags("a")
    edits = made.proposals.singles(np.arange(2))
    slack = np.random.default_rng(0).normal(size=len(edits))
    monkeypatch.setattr(module, "MOST_SINGLES", 3)
    best = made.proposals.best(edits, slack)
    expected = [
        (row, feature)
        for row in (0, 1)
        for feature in range(7)
        if (slack[edits.row == row] > slack[(edits.row == row) & (edits.feature == feature)]).sum() < 3
    ]
    assert list(zip(best.row.tolist(), best.feature.tolist(), strict=True)) == expected
    assert len(best) == 6


@given(arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=40)), st.integers(1, 9))
def test_thinned_values_are_open_evenly_spread_and_end_with_the_last(open_, most) -> None:
    chosen = _thinned(open_, most)
    for flags, kept in zip(open_, chosen, strict=True):
        assert kept[~flags].sum() == 0
        assert kept.sum() == min(most, flags.sum())
        places = np.flatnonzero(kept[flags])
        if len(places):
            assert places[-1] == flags.sum() - 1
            gaps = np.diff([-1, *places])
            assert gaps.max() - gaps.min() <= 1


@given(st.lists(st.integers(0, 3), max_size=12).map(sorted))
def test_pairs_are_all_pairs_of_a_group(numbers) -> None:
    group = [(2, 0, 3, 1)[number] for number in numbers]  # together, in any order
    one, other = _pairs_within(np.array(group, dtype=np.int64))
    expected = [(i, j) for i, j in combinations(range(len(group)), 2) if group[i] == group[j]]
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == expected


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_beam_has_the_best_states_of_each_row_that_change_different_columns(most) -> None:
    draw = np.random.default_rng(most)
    row, edited = draw.integers(2, size=40), draw.random((40, 3)) < 0.5
    states = States.of_arrays(row, draw.integers(9, size=(40, 3)), edited)
    slack = draw.normal(size=40)
    expected = []
    for number in (0, 1):
        best: dict[tuple, int] = {}
        for at in sorted(np.flatnonzero(row == number), key=lambda at: -slack[at]):
            best.setdefault(tuple(edited[at]), int(at))
        expected += list(best.values())[:most]
    assert _beam(states, slack, most).tolist() == expected


def test_every_state_grows_by_every_edit_of_its_own_row_that_changes_another_column() -> None:
    rows = pd.DataFrame({"a": [0.0, 7.0, 3.0], "b": [4.0, 0.0, 9.0], "c": list("xyx")})
    train = pd.DataFrame({"a": np.arange(10.0), "b": np.arange(10.0)[::-1], "c": list("xyzxyzxyzx")})
    made = Made(rows, train, lambda frame: frame["a"] / 10)
    edits = made.proposals.singles(np.arange(3))
    begun = [made.state({"a": 5.0}, 1), made.state({}, 2), made.state({"c": "z"}, 0), made.state({"b": 2.0}, 2)]
    expected = {
        (at.row.item(), *np.where(np.arange(3) == feature, place, at.codes[0].numpy()).tolist())
        for at in begun
        for row, feature, place in zip(edits.row, edits.feature, edits.place, strict=True)
        if row == at.row.item() and not at.edited[0, feature]
    }
    found = made.proposals._grown(States.joined(begun), edits)
    assert {(row, *codes) for row, codes in zip(found.row.tolist(), found.codes.tolist(), strict=True)} == expected
    assert len(found) == len(expected)
    assert (found.change_counts <= 2).all()


@pytest.mark.parametrize("way", ["beside", "climbed"])
def test_a_single_edit_is_tried_too(way) -> None:
    train = pd.DataFrame({"a": [False, True]})
    made = Made(train.head(1), train, lambda rows: np.where(rows["a"], 0.9, 0.1))
    edits = made.proposals.singles(np.array([0]))
    assert len(edits) == 1
    assert len(getattr(made.proposals, way)(made.state({}), edits, made.oracle)) == 1
