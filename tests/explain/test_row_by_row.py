"""An explanation is the explanations of its rows, one after the other."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent / "present"))
from made_up_explanations import FACTUALS, explanation

from counterflownet.errors import NoSuchRowError
from counterflownet.explain.explanation import Explanation

CHANGES = [(0, {"months": 12}), (0, {"ratio": 0.1}), (1, {"months": 3})]


@pytest.fixture(name="whole")
def both_rows() -> Explanation:
    return explanation(FACTUALS, CHANGES, asked=2)


def test_rows_are_counted_from_both_ends(whole: Explanation) -> None:
    assert whole[0].factuals.index.tolist() == [17]
    assert whole[-1].factuals.index.tolist() == [18]
    assert [len(one.row) for one in whole] == [2, 1]


def test_it_is_as_long_as_a_loop_over_it(whole: Explanation) -> None:
    assert len(whole) == len(list(whole)) == 2
    assert [len(one) for one in whole] == [1, 1]
    assert [one.factuals.index[0] for one in reversed(whole)] == [18, 17]
    assert [whole[place].to_json() for place in range(len(whole))] == [one.to_json() for one in whole]
    assert len(explanation(FACTUALS, [])) == 2  # whether or not there is an answer


def test_a_row_keeps_all_that_was_said_of_it(whole: Explanation) -> None:
    one = whole[1]
    assert one.to_frame().to_dict("records") == whole.to_frame().iloc[[2]].to_dict("records")
    assert (one.outcomes, one.targets, one.predicted) == (whole.outcomes[1:], whole.targets[1:], whole.predicted[1:])
    assert one.probability_before.tolist() == whole.probability_before[1:].tolist()
    assert one.row.tolist() == [0]


def test_a_slice_is_an_explanation(whole: Explanation) -> None:
    assert whole[:].to_json() == whole.to_json()
    assert whole[1:].to_dict()["rows"] == whole.to_dict()["rows"][1:]
    assert len(whole[2:].factuals) == 0


def test_rows_are_found_by_label(whole: Explanation) -> None:
    assert whole.loc[18].to_json() == whole[1].to_json()
    assert whole.loc[[18, 17]].factuals.index.tolist() == [18, 17]


def test_a_label_may_stand_for_several_rows_and_have_levels() -> None:
    doubled = explanation(FACTUALS.set_axis(["a", "a"]), CHANGES)
    levels = explanation(FACTUALS.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])), CHANGES)
    assert len(doubled.loc["a"].factuals) == len(levels.loc["a"].factuals) == 2
    assert len(levels.loc["a", 2]) == 1
    assert levels.to_frame()["factual"].tolist() == [("a", 1), ("a", 1), ("a", 2)]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda whole: whole[2], r"there are 2 rows.*By label: explanation.loc\[2\]"),
        (lambda whole: whole["x"], "rows are counted from 0"),
        (lambda whole: whole.loc[19], "no row has the label 19. Labels: 17, 18"),
    ],
)
def test_a_row_that_is_not_there_is_an_error(whole: Explanation, ask, message: str) -> None:
    with pytest.raises(NoSuchRowError, match=message) as told:
        ask(whole)
    assert isinstance(told.value, LookupError)


def test_the_frame_may_show_the_changed_columns_alone(whole: Explanation) -> None:
    shown = whole.to_frame(columns="changed")
    assert list(shown.columns[:3]) == ["months", "ratio", "factual"]
    assert np.array_equal(shown["months"], whole.to_frame()["months"])
