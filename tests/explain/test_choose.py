"""Which candidates are shown."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_candidates import FACTUALS

from counterflownet._space import CodeSpace
from counterflownet.explain.choose import choose, every_sample
from counterflownet.explain.search import Drawn, Pool
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.reward import Scores
from made_states import states

SPACE = CodeSpace((64, 3, 3), ordered=(True, False, False))


def pool_of(row, codes, reward) -> Pool:
    reward = np.array(reward, dtype=float)
    codes = np.array(codes, dtype=np.int64).reshape(len(reward), -1 if len(reward) else 3)
    edited, target = states(row, codes), np.ones(len(reward), dtype=np.int64)
    candidates = Candidates(FACTUALS, edited, target, pd.DataFrame(index=range(len(reward))), np.eye(2)[target])
    return Pool(candidates, Scores(reward, reward, {}))


@pytest.fixture
def pool() -> Pool:
    """Row 0 has three near ways and two others; row 2 has two candidates."""
    codes = [[10, 0, 0], [11, 0, 0], [12, 0, 0], [0, 1, 0], [0, 0, 2], [5, 0, 0], [0, 2, 0]]
    return pool_of([0, 0, 0, 0, 0, 2, 2], codes, [0.9, 0.8, 0.75, 0.7, 0.6, 0.4, 0.5])


def shown(chosen) -> list[tuple[int, int, int]]:
    return list(zip(chosen.row.tolist(), chosen.rank.tolist(), chosen.number.tolist(), strict=True))


def test_without_diversity_the_answers_are_those_of_highest_reward(pool) -> None:
    assert shown(choose(pool, SPACE, 2, 0.0)) == [(0, 1, 0), (0, 2, 1), (2, 1, 6), (2, 2, 5)]


def test_with_diversity_near_doubles_give_way_to_another_kind_of_answer(pool) -> None:
    assert shown(choose(pool, SPACE, 2, 0.5))[:2] == [(0, 1, 0), (0, 2, 3)]
    assert [number for _, _, number in shown(choose(pool, SPACE, 3, 0.5))[:3]] == [0, 3, 4]


@settings(max_examples=40, deadline=None, derandomize=True)  # near is a matter of degree: the same cases every time
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(0.05, 0.95), st.integers(1, 40))
def test_columns_that_no_candidate_changes_have_no_say(seed, count, diversity, more) -> None:
    draw = np.random.default_rng(seed)
    codes = np.zeros((12, 3), dtype=np.int64)
    codes[np.arange(12), draw.integers(0, 3, 12)] = draw.integers(1, 3, 12)  # one change each
    narrow = pool_of(np.zeros(12), codes, draw.random(12))
    wide = pool_of(np.zeros(12), np.pad(codes, [(0, 0), (0, more)]), narrow.scores.reward)
    space = CodeSpace((64, 3, 3, *[3] * more), ordered=(True, *[False] * (2 + more)))
    alone, among = (choose(some, own, count, diversity, "changed") for some, own in ((narrow, SPACE), (wide, space)))
    assert shown(alone) == shown(among)


def test_over_all_features_answers_of_few_changes_look_alike(pool) -> None:
    wide = CodeSpace((64, 3, 3, *[3] * 37), ordered=(True, *[False] * 39))
    among = pool_of(pool.row, np.pad(pool.candidates.states.codes, [(0, 0), (0, 37)]), pool.scores.reward)
    assert [number for _, _, number in shown(choose(among, wide, 3, 0.3))[:3]] == [0, 1, 2]
    assert [number for _, _, number in shown(choose(among, wide, 3, 0.3, "changed"))[:3]] == [0, 3, 4]


def test_a_row_with_few_candidates_shows_all_of_them_best_first(pool) -> None:
    for diversity in (0.0, 0.5, 1.0):
        assert shown(choose(pool, SPACE, 5, diversity))[-2:] == [(2, 1, 6), (2, 2, 5)]


def test_one_answer_is_the_best_whatever_the_diversity(pool) -> None:
    assert shown(choose(pool, SPACE, 1, 0.9)) == [(0, 1, 0), (2, 1, 6)]


@pytest.mark.parametrize("diversity", [0.0, 0.5])
def test_no_candidates_give_no_answers(diversity) -> None:
    assert shown(choose(pool_of([], [], []), SPACE, 3, diversity)) == []


def distance(a, b) -> float:
    """Hamming, but numbers are wholly different from a quarter of their codes on."""
    parts = np.abs(a - b).astype(float)
    parts[0] /= 16
    return float(np.minimum(parts, 1).mean())


def worth(chosen, codes, reward, diversity) -> float:
    apart = np.mean([distance(codes[i], codes[j]) for i, j in combinations(chosen, 2)])
    return (1 - diversity) * np.mean(reward[list(chosen)]) + diversity * apart


@settings(max_examples=40, deadline=None, derandomize=True)  # near is a matter of degree: the same cases every time
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(0.05, 1.0))
def test_the_choice_is_nearly_the_best_of_all(seed, count, diversity) -> None:
    draw = np.random.default_rng(seed)
    codes = np.column_stack([draw.integers(0, 64, 9), draw.integers(0, 3, (9, 2))])
    reward = draw.random(9)
    chosen = choose(pool_of(np.zeros(9), codes, reward), SPACE, count, diversity).number
    assert len(set(chosen.tolist())) == count
    best = max(worth(some, codes, reward, diversity) for some in combinations(range(9), count))
    assert worth(chosen.tolist(), codes, reward, diversity) >= 0.8 * best
    assert reward[chosen].tolist() == sorted(reward[chosen], reverse=True)


def test_the_choice_for_one_row_does_not_depend_on_the_others() -> None:
    draw = np.random.default_rng(0)
    codes = np.column_stack([draw.integers(0, 64, 60), draw.integers(0, 3, (60, 2))])
    reward, row = draw.random(60), np.repeat([0, 1, 2], [30, 10, 20])
    together = shown(choose(pool_of(row, codes, reward), SPACE, 4, 0.4))
    for number, start in ((0, 0), (1, 30), (2, 40)):
        own = row == number
        alone = shown(choose(pool_of(row[own], codes[own], reward[own]), SPACE, 4, 0.4))
        assert [(r, rank, n + start) for r, rank, n in alone] == [entry for entry in together if entry[0] == number]


def test_every_sample_is_shown_in_its_place_the_first_candidate_too(pool) -> None:
    drawn = Drawn(pool, np.array([0, 2]), np.array([[0, -1, 3], [-1, 5, 5]]))
    assert shown(every_sample(drawn)) == [(0, 1, 0), (0, 3, 3), (2, 2, 5), (2, 3, 5)]
