"""Which candidates are shown, and in which order."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet import Schema
from counterflownet.explain.choose import _Apart, choose, every_sample, far_fetched
from counterflownet.explain.search import Drawn, Pool
from counterflownet.explain.strategy import Strategies
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.factors import Scores
from counterflownet.tabular.factuals import Factuals
from made_states import states

NUMBERS, WORDS, LEVELS = 2, 2, 64


def factuals(more: int = 0) -> Factuals:
    """Three rows of code 0 everywhere; two columns of numbers, two of words, and ``more`` of words."""
    numbers = {f"n{d}": range(LEVELS) for d in range(NUMBERS)}
    words = {f"w{d}": [f"{'abc'[i % 3]}" for i in range(LEVELS)] for d in range(WORDS + more)}
    table = pd.DataFrame(numbers | words)
    schema = Schema.infer(table, kinds=dict.fromkeys(numbers, "integer"))  # which count rows, but are not their names
    return Factuals(schema, table.iloc[[0, 0, 0]].reset_index(drop=True))


FACTUALS = factuals()


def pool_of(row, codes, reward, table: Factuals = FACTUALS) -> Pool:
    reward = np.array(reward, dtype=float)
    codes = np.array(codes, dtype=np.int64).reshape(len(reward), len(table.codec.schema))
    edited, target = states(row, codes), np.ones(len(reward), dtype=np.int64)
    candidates = Candidates(table, edited, target, pd.DataFrame(index=range(len(reward))), np.eye(2)[target])
    return Pool(candidates, Scores(reward, reward, {}))


@pytest.fixture
def pool() -> Pool:
    """Row 0: three variations of one strategy, two more strategies; row 2: two strategies."""
    codes = [[10, 30, 0, 0], [11, 20, 0, 0], [12, 10, 0, 0], [0, 0, 1, 0], [5, 0, 0, 2], [5, 0, 0, 0], [0, 0, 2, 0]]
    return pool_of([0, 0, 0, 0, 0, 2, 2], codes, [0.9, 0.8, 0.75, 0.7, 0.6, 0.4, 0.5])


def shown(chosen) -> list[tuple[int, int, int]]:
    return list(zip(chosen.row.tolist(), chosen.rank.tolist(), chosen.number.tolist(), strict=True))


@pytest.mark.parametrize("diversity", [0.0, 0.5, 1.0])
def test_strategies_come_before_variations(pool, diversity) -> None:
    assert [number for _, _, number in shown(choose(pool, 3, diversity))[:3]] == [0, 3, 4]
    assert [number for _, _, number in shown(choose(pool, 4, diversity))[:4]] == [0, 1, 3, 4]


SIX = [[k * (place == d) for d in range(6)] for place, k in enumerate((1, 1, 1, 1, 1, 1))]
MANY = factuals(more=2)


def six_strategies(rewards: list[float]) -> Pool:
    """One row, and as many strategies of one column each."""
    return pool_of([1] * 6, SIX, rewards, MANY)


@pytest.mark.parametrize(
    ("worth", "numbers"), [(0.0, [0, 1, 2, 3, 4, 5]), (0.25, [0, 1, 2, 3, 4]), (0.7, [0, 1, 2, 3]), (1.0, [0, 1, 2, 3])]
)
def test_beyond_four_strategies_only_those_worth_showing_are_shown(worth, numbers) -> None:
    pool = six_strategies([0.8, 0.5, 0.4, 0.3, 0.2, 0.19])
    chosen = choose(pool, 10, 0.3, worth=worth)
    assert chosen.number.tolist() == numbers
    assert far_fetched(pool, chosen, 3).tolist() == [0, 6 - len(numbers), 0]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_far_fetched_strategy_stands_in_for_one_that_is_worth_showing(count) -> None:
    pool = six_strategies([0.8, 0.7, 0.6, 0.01, 0.01, 0.01])
    assert choose(pool, count, 1.0, worth=0.25).number.tolist() == list(range(count))


def test_far_fetched_variations_are_left_out_however_few_strategies_there_are() -> None:
    pool = pool_of([0, 0, 0], [[10, 30, 0, 0], [11, 20, 0, 0], [12, 10, 0, 0]], [0.8, 0.3, 0.1])
    assert choose(pool, 5, 0.3, worth=0.25).number.tolist() == [0, 1]
    assert choose(pool, 5, 0.3).number.tolist() == [0, 1, 2]


def test_rows_whose_best_answer_is_worth_nothing_show_all() -> None:
    assert len(choose(six_strategies([0.0] * 6), 10, 0.3, worth=0.25).number) == 6


def test_strategies_are_numbered_by_their_best_within_each_row(pool) -> None:
    chosen = choose(pool, 5, 0.3)
    assert shown(chosen) == [(0, 1, 0), (0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4), (2, 1, 6), (2, 2, 5)]
    assert chosen.strategy.tolist() == [1, 1, 1, 2, 3, 1, 2]


def test_ranks_and_strategies_close_up_where_an_answer_is_left_out(pool) -> None:
    chosen = choose(pool, 5, 0.3)
    kept = chosen.ranked_anew(~np.isin(chosen.number, [0, 3]))
    assert shown(kept) == [(0, 1, 1), (0, 2, 2), (0, 3, 4), (2, 1, 6), (2, 2, 5)]
    assert kept.strategy.tolist() == [1, 1, 2, 1, 2]


def test_what_is_dominated_is_not_shown_however_good_its_reward() -> None:
    codes = [[10, 30, 0, 0], [9, 30, 0, 0], [9, 31, 0, 0], [8, 32, 0, 0], [9, 30, 1, 0]]
    chosen = choose(pool_of([0] * 5, codes, [0.9, 0.8, 0.95, 0.7, 0.6]), 5, 0.3)
    assert [number for _, _, number in shown(chosen)] == [1, 3, 4]


def test_without_diversity_the_strategies_are_those_of_highest_reward(pool) -> None:
    assert shown(choose(pool, 2, 0.0)) == [(0, 1, 0), (0, 2, 3), (2, 1, 6), (2, 2, 5)]


def test_with_diversity_another_kind_of_answer_comes_before_a_similar_one() -> None:
    codes = [[9, 0, 1, 0], [9, 0, 1, 1], [9, 9, 1, 0], [0, 0, 0, 2]]  # the last shares nothing with the first
    pool = pool_of([0] * 4, codes, [0.9, 0.89, 0.88, 0.6])
    assert [number for _, _, number in shown(choose(pool, 2, 0.0))] == [0, 1]
    assert [number for _, _, number in shown(choose(pool, 2, 0.6))] == [0, 3]


@pytest.mark.parametrize("diversity", [0.0, 0.5, 1.0])
def test_a_row_with_few_candidates_shows_all_of_them_best_first(pool, diversity) -> None:
    assert shown(choose(pool, 5, diversity))[-2:] == [(2, 1, 6), (2, 2, 5)]


def test_one_answer_is_the_best_whatever_the_diversity(pool) -> None:
    assert shown(choose(pool, 1, 0.9)) == [(0, 1, 0), (2, 1, 6)]


@pytest.mark.parametrize("diversity", [0.0, 0.5])
def test_no_candidates_give_no_answers(diversity) -> None:
    assert shown(choose(pool_of([], [], []), 3, diversity)) == []


def drawn_pool(seed: int, count: int = 14, more: int = 0, rows: int = 1) -> Pool:
    draw = np.random.default_rng(seed)
    codes = np.column_stack([draw.integers(0, LEVELS, (count, NUMBERS)), draw.integers(0, 3, (count, WORDS))])
    codes *= draw.random(codes.shape) < 0.6
    codes = codes[codes.any(axis=1)]
    row = np.sort(draw.integers(0, rows, len(codes)))
    wide = np.pad(codes, [(0, 0), (0, more)])
    return pool_of(row, wide, draw.random(len(codes)), factuals(more) if more else FACTUALS)


def changes(pool: Pool) -> list[frozenset[tuple[int, int]]]:
    directions = Strategies.of(pool.candidates.table, pool.candidates.states).direction
    return [frozenset((d, int(way)) for d, way in enumerate(line) if way) for line in directions]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from(["changed", "all"]))
def test_what_is_shown_keeps_its_promises(seed, count, diversity, over) -> None:
    pool = drawn_pool(seed, 20, rows=3)
    chosen = choose(pool, count, diversity, over)
    ways = changes(pool)
    open_ = ~Strategies.of(pool.candidates.table, pool.candidates.states).dominated
    for row in np.unique(pool.row):
        own = np.flatnonzero((pool.row == row) & open_)
        number = chosen.number[chosen.row == row]
        assert open_[number].all()
        assert len(set(number.tolist())) == len(number) == min(count, len(own))
        assert number[0] == own[np.argmax(pool.scores.reward[own])]
        assert (np.diff(pool.scores.reward[number]) <= 0).all()
        assert len({ways[at] for at in number}) == min(count, len({ways[at] for at in own}))
        for at in number:  # of a strategy the best ones are shown
            better = [n for n in own if ways[n] == ways[at] and pool.scores.reward[n] > pool.scores.reward[at]]
            assert set(better) <= set(number.tolist())


def worth(chosen, ways, reward, diversity) -> float:
    apart = np.mean([1 - len(ways[i] & ways[j]) / len(ways[i] | ways[j]) for i, j in combinations(chosen, 2)])
    return (1 - diversity) * np.mean(reward[list(chosen)]) + diversity * apart


@settings(max_examples=40, deadline=None, derandomize=True)  # near is a matter of degree: the same cases every time
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(0.05, 1.0))
def test_the_choice_is_nearly_the_best_of_all_that_hold_the_best_answer(seed, count, diversity) -> None:
    pool = drawn_pool(seed)
    ways, reward = changes(pool), pool.scores.reward
    open_ = np.flatnonzero(~Strategies.of(pool.candidates.table, pool.candidates.states).dominated)
    leaders = [max((n for n in open_ if ways[n] == way), key=lambda n: reward[n]) for way in {ways[n] for n in open_}]
    chosen = choose(pool, count, diversity).number.tolist()
    if len(leaders) <= count:
        return
    best = max(leaders, key=lambda n: reward[n])
    possible = [some for some in combinations(leaders, count) if best in some]
    assert worth(chosen, ways, reward, diversity) >= 0.9 * max(
        worth(some, ways, reward, diversity) for some in possible
    )


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(0.05, 0.95), st.integers(1, 40))
def test_columns_that_no_candidate_changes_have_no_say(seed, count, diversity, more) -> None:
    alone, among = (choose(drawn_pool(seed, more=wide), count, diversity, "changed") for wide in (0, more))
    assert shown(alone) == shown(among)


def test_over_all_columns_answers_of_few_changes_look_alike() -> None:
    codes = np.pad([[9, 0, 1, 0], [9, 0, 1, 1], [9, 9, 1, 0], [0, 0, 0, 2]], [(0, 0), (0, 37)])
    wide = pool_of([0] * 4, codes, [0.9, 0.89, 0.88, 0.75], factuals(37))
    assert [number for _, _, number in shown(choose(wide, 2, 0.3, "all"))] == [0, 1]
    assert [number for _, _, number in shown(choose(wide, 2, 0.3, "changed"))] == [0, 3]


def test_the_choice_for_one_row_does_not_depend_on_the_others() -> None:
    draw = np.random.default_rng(0)
    codes = np.column_stack([draw.integers(0, LEVELS, (60, 2)), draw.integers(0, 3, (60, 2))])
    codes *= draw.random(codes.shape) < 0.5
    codes[:, 0] += ~codes.any(axis=1)
    reward, row = draw.random(60), np.repeat([0, 1, 2], [30, 10, 20])
    together = shown(choose(pool_of(row, codes, reward), 4, 0.4))
    for number, start in ((0, 0), (1, 30), (2, 40)):
        own = row == number
        alone = shown(choose(pool_of(row[own], codes[own], reward[own]), 4, 0.4))
        assert [(r, rank, n + start) for r, rank, n in alone] == [entry for entry in together if entry[0] == number]


def test_every_sample_is_shown_in_its_place_the_first_candidate_too(pool) -> None:
    drawn = Drawn(pool, np.array([0, 2]), np.array([[0, -1, 3], [-1, 5, 5]]))
    assert shown(every_sample(drawn)) == [(0, 1, 0), (0, 3, 3), (2, 2, 5), (2, 3, 5)]
    assert every_sample(drawn).strategy.tolist() == [1, 2, 1, 1]


@pytest.mark.parametrize(("shared", "apart"), [(True, [0.0, 2 / 3, 1.0]), (False, [0.0, 1.0, 1.0])])
def test_how_far_answers_are_apart_is_a_share_of_the_changes_that_either_makes(shared, apart) -> None:
    changes = np.array([[[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]], dtype=np.float32)
    measured = _Apart(changes, changes.sum(axis=2), shared=shared).from_chosen(np.array([0]))
    assert measured[0] == pytest.approx(apart)
