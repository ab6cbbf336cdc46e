"""The figure of an explanation, and matplotlib only where it is asked for."""

import subprocess
import sys
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from made_up_explanations import FACTUALS, explanation, many

from counterflownet import AtLeast
from counterflownet.errors import MissingExtraError
from counterflownet.explain.explanation import Explanation
from counterflownet.explain.present import figure


def test_the_figure_names_what_is_changed_most_first_and_which_way_is_better() -> None:
    shown = explanation(FACTUALS, [(0, {"months": 6}), (0, {"months": 5, "ratio": 0.1}), (1, {"months": 3})])
    left, right = figure(shown).axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["months", "ratio"]
    assert [bar.get_width() for bar in left.patches] == pytest.approx([100, 100 / 3])
    assert "%" in left.get_xlabel()
    assert right.get_xlabel() == "changed columns (fewer is better)"
    assert right.get_ylabel() == "reward (higher is better)"


def test_the_figure_counts_changes_in_whole_numbers_and_shows_every_point() -> None:
    changes = [{"months": 6}, {"months": 5, "ratio": 0.1}, {"months": 3, "ratio": 0.2}]
    left, right = figure(explanation(FACTUALS, [(0, change) for change in changes])).axes
    assert right.get_xticks().tolist() == [1, 2]
    low, high = right.get_xlim()
    assert low < 0.75
    assert high > 2.25
    assert [label.get_text() for label in left.texts] == ["100%", "67%"]
    assert left.get_title(loc="left") == "What is changed"
    assert left.get_xlim()[1] > 100


def test_the_label_of_the_longest_bar_has_room_in_its_panel() -> None:
    drawn = figure(explanation(FACTUALS, [(0, {"months": 6}), (0, {"months": 5})]))
    drawn.draw_without_rendering()
    left, _ = drawn.axes
    assert left.texts[0].get_window_extent().x1 < left.bbox.x1


def test_the_points_of_the_figure_stay_near_their_count_and_do_not_depend_on_chance() -> None:
    first, second = (figure(many(3, 30)).axes[1].collections[0].get_offsets() for _ in range(2))
    assert len(first) == 90
    assert np.array_equal(first, second)
    assert np.abs(first[:, 0] - 1).max() <= 0.25


def test_the_figure_shows_at_most_fifteen_columns() -> None:
    names = [f"c{number}" for number in range(20)]
    left, _ = figure(explanation(pd.DataFrame(0, columns=names, index=[0, 1]), [(0, dict.fromkeys(names, 1))])).axes
    assert len(left.patches) == 15
    assert left.get_title(loc="left") == "What is changed (top 15 of 20)"


@pytest.mark.parametrize("column", ["$ per month", r"$\frac{$", "x" * 80])
def test_a_figure_can_be_drawn_whatever_a_column_is_called(column: str) -> None:
    drawn = figure(explanation(pd.DataFrame({column: [1]}), [(0, {column: 2})]))
    target = BytesIO()
    drawn.savefig(target)
    assert target.getvalue().startswith(b"\x89PNG")


def test_an_empty_figure_says_so() -> None:
    drawn = figure(explanation(FACTUALS, []))
    assert [text.get_text() for text in drawn.texts] == ["No counterfactuals to show\n(rows: 2 none valid)"]


def test_a_missing_matplotlib_names_the_command_that_installs_it(
    answer: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(MissingExtraError, match=r"pip install matplotlib \(part of the extra 'plot'\)"):
        answer.plot()


def test_importing_costs_no_matplotlib() -> None:
    code = "import sys, counterflownet.explain.explanation; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603 (our own code)


def borders(shown: Explanation) -> list[float]:
    """Where the figure of one row says that the target begins."""
    _, right = figure(shown[0]).axes
    return [float(line.get_xdata()[0]) for line in right.lines]


def test_no_border_is_drawn_where_less_than_half_may_be_most() -> None:
    changes = [(0, {"months": 6}), (0, {"ratio": 0.1})]
    assert borders(explanation(FACTUALS, changes)) == [0.5]
    assert borders(explanation(FACTUALS, changes, probability=np.array([0.45, 0.6]))) == []
    assert borders(explanation(FACTUALS, changes, probability=np.array([0.8, 0.9]), confidence=0.7)) == [0.7]


def test_every_probability_of_a_row_has_its_bar_in_view() -> None:
    _, right = figure(explanation(FACTUALS, [(0, {"months": 6}), (0, {"ratio": 0.1})])[0]).axes
    bottom, top = right.get_ylim()
    assert len(right.patches) == 3
    assert all(top < bar.get_y() < bar.get_y() + bar.get_height() < bottom for bar in right.patches)


def test_ticks_of_large_predictions_leave_room_for_each_other() -> None:
    prices = {"probability": np.array([257_000, 252_000, 251_000.0]), "probability_before": np.array([177_700.5, 1.0])}
    changes = [(0, {"months": 6}), (0, {"ratio": 0.1}), (0, {"months": 9})]
    house = explanation(FACTUALS, changes, regression=True, targets=(AtLeast(250_000),) * 2, **prices)
    drawn = figure(house[0])
    drawn.draw_without_rendering()
    axes = drawn.axes[1]
    shown = [tick for tick in axes.get_xticks() if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]]
    assert len(shown) <= 3
    assert "200,000" in [label.get_text() for label in axes.get_xticklabels()]
