"""Which candidates are shown."""

import numpy as np
import pandas as pd
import pytest

from counterflownet.explain.candidates import Candidates
from counterflownet.explain.selection import as_drawn, best, different
from counterflownet.reward.reward import Scores

# candidates:  0    1    2    3    4    5    6
REWARD = np.array([0.9, 0.8, 0.7, 0.6, 0.95, 0.5, 0.4])
ROW = np.array([0, 0, 0, 0, 0, 2, 2])
CHANGED = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [1, 1], [1, 0], [0, 1]], dtype=bool)
VALID = np.array([True, True, True, True, False, True, True])


@pytest.fixture
def candidates() -> Candidates:
    scores = Scores(pd.DataFrame(), VALID, REWARD, REWARD, {})
    sample = np.array([[0, 0, -1, 4], [5, 6, -1, -1]])
    return Candidates(ROW, CHANGED, scores, np.array([0, 2]), sample)


def shown(chosen) -> list[tuple[int, int, int]]:
    return list(zip(chosen.row.tolist(), chosen.rank.tolist(), chosen.number.tolist(), strict=True))


def test_the_best_are_the_valid_ones_of_highest_reward(candidates) -> None:
    assert shown(best(candidates, 2)) == [(0, 1, 0), (0, 2, 1), (2, 1, 5), (2, 2, 6)]


def test_different_ones_change_other_columns_before_the_same_again(candidates) -> None:
    assert shown(different(candidates, 2)) == [(0, 1, 0), (0, 2, 3), (2, 1, 5), (2, 2, 6)]


def test_different_ones_are_ranked_by_reward_and_filled_up(candidates) -> None:
    assert shown(different(candidates, 3))[:3] == [(0, 1, 0), (0, 2, 1), (0, 3, 3)]
    assert shown(different(candidates, 9)) == shown(best(candidates, 9))


def test_samples_as_drawn_keep_doubles_and_invalid_ones_but_not_unchanged_ones(candidates) -> None:
    assert shown(as_drawn(candidates)) == [(0, 1, 0), (0, 2, 0), (0, 4, 4), (2, 1, 5), (2, 2, 6)]


@pytest.mark.parametrize("choose", [best, different])
def test_no_candidates_give_no_answers(choose, candidates) -> None:
    nothing = Scores(pd.DataFrame(), np.zeros(7, dtype=bool), REWARD, REWARD, {})
    assert shown(choose(Candidates(ROW, CHANGED, nothing, candidates.asked, candidates.sample), 3)) == []
