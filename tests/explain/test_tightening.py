"""Changes are made as small as they can be, and undone where they are not needed."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_grounds import Made

from counterflownet import Increasing, MaxStep, NotOneOf, OneOf, Range
from counterflownet._states import States
from counterflownet.explain import tightening as module

SIZES = pd.CategoricalDtype(["xs", "s", "m", "l", "xl"], ordered=True)


def table(count: int = 60) -> pd.DataFrame:
    draw = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "a": [*map(float, range(count - 1)), count - 0.5],  # the last says that fractions belong into the column
            "b": draw.permutation(count),
            "size": pd.Series(draw.choice(SIZES.categories, count)).astype(SIZES),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(draw.permutation(count), unit="D"),
            "word": draw.choice(["x", "y", "z"], count),
        }
    )


TRAIN = table()
FIRST = pd.DataFrame(
    {"a": [0.0], "b": [0], "size": pd.Series(["xs"], dtype=SIZES), "day": [TRAIN["day"].min()], "word": ["x"]}
)


def made(probability, *constraints, rows: pd.DataFrame = FIRST, train: pd.DataFrame = TRAIN) -> Made:
    return Made(rows, train, lambda frame: np.where(probability(frame), 0.9, 0.1), constraints)


def test_a_number_goes_to_the_nearest_valid_training_value() -> None:
    one = made(lambda rows: rows["a"] >= 17.2)
    assert one.tightened(one.state({"a": 44.0}))["a"].tolist() == [18.0]


def test_a_number_goes_down_as_well_as_up() -> None:
    high = made(lambda rows: rows["a"] <= 31, rows=FIRST.assign(a=59.5))
    assert high.tightened(high.state({"a": 4.0}))["a"].tolist() == [31.0]


@pytest.mark.parametrize("windows", [[(7, 8)], [(20, 21), (40, 45)], [(3, 3), (30, 50)], [(44, 44)]])
def test_of_a_classifier_that_is_not_monotone_the_nearest_window_is_found(windows) -> None:
    one = made(lambda rows: np.any([rows["a"].between(low, high) for low, high in [*windows, (50, 50)]], axis=0))
    assert one.tightened(one.state({"a": 50.0}))["a"].tolist() == [float(windows[0][0])]


@pytest.mark.parametrize("border", [3, 12, 29, 47, 57])
def test_on_a_slope_the_first_valid_step_is_foreseen(monkeypatch, border) -> None:
    monkeypatch.setattr(module, "FEW_STEPS", 0)
    slope = Made(FIRST, TRAIN, lambda frame: 1 / (1 + np.exp((border - 0.5 - frame["a"]) / 10)))
    assert slope.tightened(slope.state({"a": 58.0}))["a"].tolist() == [float(border)]
    assert len(slope.asked) <= 4  # the state itself, its first steps, all up to where it should be, and what is left
    assert sum(map(len, slope.asked)) <= border + 10


def test_windows_are_found_whether_asked_about_at_once_or_block_by_block(monkeypatch) -> None:
    monkeypatch.setattr(module, "FEW_STEPS", 0)
    for start in range(1, 50):
        one = made(lambda rows, start=start: rows["a"].isin([start, 50]))
        assert one.tightened(one.state({"a": 50.0}))["a"].tolist() == [float(start)]


def test_dates_and_ordered_categories_are_made_smaller_too() -> None:
    begun = TRAIN["day"].min()
    one = made(lambda rows: (rows["day"] >= begun + pd.Timedelta(days=9)) & (rows["size"] >= "m"))
    found = one.tightened(one.state({"day": begun + pd.Timedelta(days=33), "size": "xl"}))
    assert found["day"].tolist() == [begun + pd.Timedelta(days=9)]
    assert found["size"].tolist() == ["m"]


def test_what_is_not_needed_is_undone() -> None:
    one = made(lambda rows: rows["a"] >= 12)
    found = one.tightened(one.state({"a": 12.0, "b": 30, "word": "z", "size": "l"}))
    pd.testing.assert_frame_equal(found, FIRST.assign(a=12.0))


@pytest.mark.parametrize(("dear", "left"), [("a", "b"), ("b", "a")])
def test_of_two_changes_either_of_which_is_enough_the_dearer_one_is_undone(dear, left) -> None:
    one = made(lambda rows: (rows["a"] >= 30) | (rows["b"] >= 30))
    costs = np.array([[8.0 if name == dear else 1.0 for name in FIRST.columns]])
    found = one.tightened(one.state({"a": 40.0, "b": 40}), costs=costs)
    assert [name for name in ("a", "b") if found[name].item() > 0] == [left]


def test_all_changes_are_kept_if_that_is_asked_for_and_made_smaller_all_the_same() -> None:
    one = made(lambda rows: rows["a"] >= 12)
    found = one.tightened(one.state({"a": 40.0, "b": 30, "word": "z", "size": "l"}), undo=False)
    assert found[["a", "b", "word", "size"]].to_numpy().tolist() == [[12.0, 1, "z", "s"]]


def test_changes_are_only_undone_if_that_is_asked_for() -> None:
    one = made(lambda rows: rows["a"] >= 12)
    found = one.tightened(one.state({"a": 40.0, "b": 30}), nearer=False)
    assert found[["a", "b"]].to_numpy().tolist() == [[40.0, 0.0]]


def test_the_last_change_is_never_undone() -> None:
    always = made(lambda rows: rows["a"] >= 0)
    assert always.tightened(always.state({"word": "z"}))["word"].tolist() == ["z"]
    assert always.tightened(always.state({"a": 30.0}))["a"].tolist() == [1.0]


def test_a_value_that_may_not_stay_is_changed_as_little_as_the_constraint_allows() -> None:
    one = made(lambda rows: rows["b"] >= 5, Range("a", 17.5, 40))
    found = one.tightened(one.state({"a": 30.0, "b": 20}))
    assert found[["a", "b"]].to_numpy().tolist() == [[17.5, 5.0]]


def test_the_border_of_a_range_is_reached_although_no_training_row_has_it() -> None:
    high = made(lambda rows: rows["a"] <= 17.8, Range("a", 17.25, 59), rows=FIRST.assign(a=30.0))
    border = high.state({"a": 18.0})
    feature = high.table.codec.schema["a"]
    border.codes[0, 0] = feature.first_border_place
    assert high.tightened(border)["a"].tolist() == [17.25]
    assert high.tightened(border, undo=False)["a"].tolist() == [17.25]


def test_the_end_of_the_longest_step_that_is_allowed_can_be_an_answer() -> None:
    one = made(lambda rows: rows["a"] >= 12.4, MaxStep("a", 12.5))
    at = one.state({"a": 13.0})
    at.codes[0, 0] = one.table.codec.schema["a"].first_border_place + 1
    assert one.decoded(at)["a"].tolist() == [12.5]
    assert one.tightened(at)["a"].tolist() == [12.5]


def test_a_border_on_the_way_is_taken_before_a_training_value_beyond_it() -> None:
    rows = FIRST.assign(a=0.0)
    one = made(lambda frame: frame["a"] >= 17.4, Range("a", 17.5, 59), rows=rows)
    assert one.tightened(one.state({"a": 50.0}))["a"].tolist() == [17.5]


def test_of_listed_values_only_these_are_taken() -> None:
    one = made(lambda rows: rows["a"] >= 11, OneOf("a", [0.0, 5.0, 20.0, 23.0, 50.0]))
    assert one.tightened(one.state({"a": 50.0}))["a"].tolist() == [20.0]


def test_excluded_values_are_not_taken() -> None:
    one = made(lambda rows: rows["a"] >= 11, NotOneOf("a", [11.0, 12.0]))
    assert one.tightened(one.state({"a": 50.0}))["a"].tolist() == [13.0]


def test_a_missing_value_has_no_way_back_but_being_missing_again() -> None:
    gap = FIRST.assign(a=np.nan)
    needed = made(lambda rows: rows["a"] >= 12, rows=gap)
    assert needed.tightened(needed.state({"a": 44.0}))["a"].tolist() == [44.0]
    other = made(lambda rows: rows["b"] >= 12, rows=gap)
    assert other.tightened(other.state({"a": 44.0, "b": 30}))["a"].isna().all()


def test_what_must_rise_rises() -> None:
    one = made(lambda rows: rows["a"] >= 11, Increasing("a"))
    assert one.tightened(one.state({"a": 50.0}))["a"].tolist() == [11.0]


@pytest.mark.parametrize("bar", [1.5, 377.25, 2900.0, 4998.9])
def test_of_thousands_of_values_the_nearest_is_found_for_a_classifier_that_rises(bar) -> None:
    many = pd.DataFrame({"a": np.random.default_rng(1).permutation(5000) + 0.5, "b": np.arange(5000) % 7})
    one = Made(many.iloc[[0]].assign(a=0.5), many, lambda rows: np.where(rows["a"] >= bar, 0.9, 0.1))
    assert one.tightened(one.state({"a": 4999.5}))["a"].tolist() == [np.ceil(bar - 0.5) + 0.5]
    assert len(one.asked) <= 12  # from coarse to fine, not one after the other


def test_a_window_on_the_grid_is_found_among_thousands_of_values() -> None:
    many = pd.DataFrame({"a": np.arange(5000.0), "b": np.arange(5000) % 7})
    grid = np.array(Made(many.head(1), many, lambda rows: rows["a"]).table.codec.schema["a"].grid)
    assert len(grid) == 256
    for value in grid[[3, 77, 200]]:
        one = Made(many.head(1), many, lambda rows, value=value: rows["a"].isin([value, 4999.0]).astype(float))
        assert one.tightened(one.state({"a": 4999.0}))["a"].tolist() == [value]


def random_classifier(seed: int, share: float):
    """A classifier that is as likely to say yes anywhere; what it says depends on the cells alone."""
    worth = np.random.default_rng(seed).random((12, 12, 5)) < share

    def says(rows: pd.DataFrame) -> np.ndarray:
        return worth[rows["a"].astype(int), rows["b"].astype(int), rows["size"].cat.codes.to_numpy(int)]

    return says


SMALL = pd.DataFrame(list(product(range(12), range(12), SIZES.categories)), columns=["a", "b", "size"]).astype(
    {"size": SIZES}
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.4, 0.8]))
def test_under_any_classifier_no_change_can_be_undone_or_made_smaller_and_all_stays_valid(seed, share) -> None:
    says, draw = random_classifier(seed, share), np.random.default_rng(seed)
    rows = SMALL.sample(3, random_state=seed).reset_index(drop=True)
    one = Made(rows, SMALL, lambda frame: np.where(says(frame), 0.9, 0.1))
    begun = States.joined([one.state(SMALL.iloc[at].to_dict(), at % 3) for at in draw.integers(0, len(SMALL), 12)])
    begun = changed_only(one, begun)
    found = one.tightened(begun)
    assert says(found).all()
    assert set(found.index) == set(begun.row.tolist())
    for row, cells in zip(found.index, found.to_dict("records"), strict=True):
        assert not any(says(frame)[0] for frame in nearer(cells, rows.iloc[row].to_dict()))


def changed_only(one: Made, states: States) -> States:
    """Valid states, with cells that are as before marked as such."""
    own = one.table.codec.codes[states.row.numpy()]
    states.edited.numpy()[:] = states.codes.numpy() != own
    return states[one.oracle.verdicts(states).valid & (states.change_counts > 0)]


def nearer(cells: dict, own: dict):
    """The row with one change undone, unless it is the last, or at each value between."""
    ranks = {"a": list(range(12)), "b": list(range(12)), "size": list(SIZES.categories)}
    changed = [name for name in ranks if cells[name] != own[name]]
    for name in changed:
        at, to = ranks[name].index(cells[name]), ranks[name].index(own[name])
        for place in range(min(at, to), max(at, to) + 1):
            if place != at and (place != to or len(changed) > 1):
                yield pd.DataFrame([cells | {name: ranks[name][place]}]).astype({"size": SIZES})


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_what_comes_of_a_state_does_not_depend_on_the_others(seed) -> None:
    says, draw = random_classifier(seed, 0.5), np.random.default_rng(seed)
    rows = SMALL.sample(3, random_state=seed).reset_index(drop=True)
    one = Made(rows, SMALL, lambda frame: np.where(says(frame), 0.9, 0.1))
    begun = States.joined([one.state(SMALL.iloc[at].to_dict(), at % 3) for at in draw.integers(0, len(SMALL), 9)])
    begun = changed_only(one, begun)
    together = {tuple(row) for row in one.tightened(begun).reset_index().to_numpy()}
    alone = [one.tightened(begun[np.array([at])]).reset_index().to_numpy() for at in range(len(begun))]
    assert together == {tuple(row) for rows in alone for row in rows}
    turned = one.tightened(begun[np.arange(len(begun))[::-1].copy()]).reset_index().to_numpy()
    assert together == {tuple(row) for row in turned}


def test_no_two_that_come_back_are_equal_and_nothing_comes_of_nothing() -> None:
    one = made(lambda rows: rows["a"] >= 12)
    begun = States.joined([one.state({"a": value}) for value in (30.0, 40.0, 50.0)])
    assert one.tightened(begun)["a"].tolist() == [12.0]
    assert len(one.tightened(begun[np.zeros(0, dtype=np.int64)])) == 0
