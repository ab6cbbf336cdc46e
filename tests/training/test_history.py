"""What was seen while training, as a table, a picture and a line of text."""

import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from counterflownet.errors import InvalidInputError
from counterflownet.training.checks import Check, DirectionValidity
from counterflownet.training.history import History, Moment, has_plateaued, mean_moment

FIRST = Moment(step=10, seconds=30.0, loss=2.0, residual=1.5, reward=0.25, validity=0.5, changes=3.0)
LAST = Moment(step=20, seconds=61.0, loss=1.0, residual=0.5, reward=0.75, validity=1.0, changes=2.0)


def check(step: int, there: float, back: float) -> Check:
    ways = (
        DirectionValidity("bad", "good", 30, True, 500, there),
        DirectionValidity("good", "bad", 7, False, 500, back),
    )
    return Check(step, ways)


EARLY, BETTER, WORSE = check(10, 0.9, 0.4), check(20, 0.98, 0.75), check(25, 1.0, 0.5)


@pytest.fixture
def looked() -> History:
    return History([FIRST, LAST], "step limit", [EARLY, BETTER])


@pytest.fixture
def history() -> History:
    return History([FIRST, LAST], "step limit")


def test_a_frame_has_one_row_per_moment(history) -> None:
    frame = history.to_frame()
    assert frame["step"].tolist() == [10, 20]
    assert list(frame.columns) == ["step", "seconds", "loss", "residual", "reward", "validity", "changes"]


def test_the_frame_of_an_empty_history_has_the_same_columns(history) -> None:
    pd.testing.assert_index_equal(History().to_frame().columns, history.to_frame().columns)


def test_a_plot_shows_reward_validity_changes_and_residual_over_minutes(history) -> None:
    figure = history.plot()
    assert isinstance(figure, Figure)
    titles = [axis.get_title().split("\n")[0] for axis in figure.axes]
    assert titles == ["reward", "validity", "changes", "residual"]
    (line,) = figure.axes[0].get_lines()
    assert line.get_xdata().tolist() == pytest.approx([0.5, 61 / 60])
    assert line.get_ydata().tolist() == [0.25, 0.75]


def test_an_empty_history_can_be_plotted() -> None:
    assert len(History().plot().axes) == 4


def test_a_plot_can_be_drawn(history, tmp_path) -> None:
    history.plot().savefig(tmp_path / "history.png")
    assert (tmp_path / "history.png").stat().st_size > 1000


def test_the_repr_tells_how_it_went(history) -> None:
    told = "20 steps in 61 s, ended: step limit; reward 0.750, validity 100.0%, 2.0 changes, residual 0.50"
    assert repr(history) == f"History({told})"


def test_the_repr_of_an_empty_history_says_so() -> None:
    assert repr(History()) == "History(no step yet)"


def test_json_gives_the_same_history_back(history) -> None:
    assert History.from_json(history.to_json()) == history


def test_json_keeps_the_checks_and_where_a_repair_began(looked) -> None:
    repaired = History([FIRST, LAST], "repair limit", [EARLY, BETTER, WORSE], repair_began=20)
    for told in (looked, repaired):
        assert History.from_json(json.loads(json.dumps(told.to_json()))) == told


def test_a_history_of_an_older_file_has_no_checks(history) -> None:
    old = {name: part for name, part in history.to_json().items() if name in ("moments", "ended")}
    assert History.from_json(old) == history


@pytest.mark.parametrize(
    "edits",
    [
        {"repair_began": 15},
        {"repair_began": "soon"},
        {"notes": "one sentence"},
        {"notes": [1]},
        {"checks": [{"step": 10, "directions": []}]},
        {"checks": [{"step": 1.5, "directions": [asdict(EARLY.worst)]}]},
        {"checks": [{"step": 10, "directions": [{**asdict(EARLY.worst), "validity": "high"}]}]},
        {"checks": [{"step": 10, "directions": [{**asdict(EARLY.worst), "validity": 1.5}]}]},
        {"checks": [{"step": 10, "directions": [{**asdict(EARLY.worst), "held_out": "no"}]}]},
        {"checks": [{"step": 10, "directions": [{**asdict(EARLY.worst), "target": None}]}]},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(looked, edits) -> None:
    with pytest.raises(InvalidInputError):
        History.from_json({**looked.to_json(), **edits})


def test_directions_are_those_of_the_last_look(looked) -> None:
    assert looked.directions == BETTER.directions
    assert History().directions == ()


@pytest.mark.parametrize(("began", "kept"), [(None, WORSE), (10, BETTER), (20, BETTER), (25, WORSE)])
def test_after_a_repair_directions_are_those_of_the_best_look_since_it_began(began, kept) -> None:
    history = History([FIRST, LAST], "repair limit", [EARLY, BETTER, WORSE], repair_began=began)
    assert history.directions == kept.directions


def test_the_repr_tells_the_worst_direction_and_what_it_was_measured_on(looked) -> None:
    assert repr(looked).endswith("residual 0.50; worst direction good -> bad 75.0% on training rows)")
    held = History([FIRST, LAST], "plateau", [check(20, 0.5, 0.75)])
    assert repr(held).endswith("residual 0.50; worst direction bad -> good 50.0%)")


def test_a_plot_shows_every_direction_behind_the_mean_validity(looked) -> None:
    validity = looked.plot().axes[1]
    there, back, mean = (line.get_ydata() for line in validity.get_lines())
    assert (list(there), list(back), list(mean)) == ([0.9, 0.98], [0.4, 0.75], [0.5, 1.0])


def test_every_line_of_a_plot_has_the_same_minutes(looked) -> None:
    minutes = [line.get_xdata() for line in looked.plot().axes[1].get_lines()]
    assert np.array(minutes) == pytest.approx(np.tile([0.5, 61 / 60], (3, 1)))


def test_the_mean_of_moments_stands_at_the_time_of_the_last() -> None:
    assert mean_moment([FIRST, LAST]) == Moment(20, 61.0, 1.5, 1.0, 0.5, 0.75, 2.5)


@pytest.mark.parametrize(
    ("rewards", "plateaued"),
    [
        ([], False),
        ([0.5, 0.5], False),
        ([0.5, 0.5, 0.5], True),
        ([0.1, 0.5, 0.5], False),
        ([0.1, 0.2, 0.5, 0.5, 0.5], True),
        ([0.5, 0.1, 0.50005], True),
        ([0.5, 0.1, 0.502], False),
        ([0.9, 0.1, 0.2], True),
    ],
    ids=str,
)
def test_a_plateau_is_two_windows_that_bring_nothing(rewards, plateaued) -> None:
    assert has_plateaued(rewards, patience=2, tolerance=0.001) == plateaued
