"""Exhaustive search against counting by loops, and random search where two changes are not enough."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from answers_by_hand import JUDGE, SPACE, TRAIN, StandIn, given, states

from counterflownet_bench.studies.answers_enumeration import enumerated
from counterflownet_bench.studies.answers_judge import Judge
from counterflownet_bench.studies.answers_regret import Scorer
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_search import RandomSearch

VALUES = [range(10), range(10), range(3), range(3)]  # as coordinates; the training rows have all of them
ROWS = [(2, 2, "mid", "red"), (0, 9, "low", "green"), (3, 2, "low", "blue"), (0, 6, "low", "red")]
RULES = [Rules(), Rules(("colour",), ("debt",)), Rules(most_changes=1)]


def total(state) -> float:
    return state[0] - state[1] + 2 * state[2] + 3 * (state[3] == 2)


def by_loops(own: list[float], rules: Rules) -> set[tuple]:
    """Every answer of one or two changes of which none is superfluous, found without anything of the study's."""
    names = ["income", "debt", "grade", "colour"]
    found = set()
    for size in range(1, min(2, rules.most_changes or 2) + 1):
        for columns in combinations(range(4), size):
            for values in product(*(VALUES[column] for column in columns)):
                changes = dict(zip(columns, values, strict=True))
                if any(own[column] == value for column, value in changes.items()):
                    continue
                if any(names[column] in rules.immutable for column in columns):
                    continue
                if any(names[c] in rules.increasing and v < own[c] for c, v in changes.items()):
                    continue
                parts = [{c: v for c, v in changes.items() if c != left} for left in columns]
                less = [total([part.get(c, own[c]) for c in range(4)]) >= 5 for part in parts]
                if total([changes.get(c, own[c]) for c in range(4)]) >= 5 and not any(less):
                    found.add(tuple(changes.get(c, own[c]) for c in range(4)))
    return found


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("row", ROWS)
def test_exhaustive_search_finds_all_minimal_answers_and_no_others(row, rules) -> None:
    own = states(row)[0]
    every = enumerated(own, JUDGE, rules)
    loops = by_loops(own.tolist(), rules)
    assert {tuple(state) for state in every.promising(10_000)} == loops
    assert len(every) == len(loops)
    changed = [tuple(np.flatnonzero(np.array(state) != own).tolist()) for state in loops]
    assert every.column_sets() == set(changed)
    strategies = {
        tuple((c, c < 3 and bool(state[c] > own[c])) for c in columns)
        for state, columns in zip(loops, changed, strict=True)
    }
    assert every.strategy_count() == len(strategies)


def test_the_most_promising_have_fewest_changes_and_every_strategy_its_nearest_first() -> None:
    own = states(ROWS[0])[0]
    every = enumerated(own, JUDGE, Rules())
    chosen = every.promising(every.strategy_count())
    changes = (chosen != own).sum(axis=1)
    assert (np.diff(changes) >= 0).all()
    assert chosen[:2].tolist() in ([[5, 2, 1, 0], [2, 2, 1, 2]], [[2, 2, 1, 2], [5, 2, 1, 0]])
    pairs = every.promising()[(every.promising() != own).sum(axis=1) == 2]
    first = [tuple(np.sign(state - own) * (np.array([1, 1, 1, 0]) | (state != own))) for state in pairs]
    assert len(set(first[: len(set(first))])) == len(set(first))


def test_random_search_finds_what_needs_three_changes_and_nothing_where_nothing_is() -> None:
    own = states((0, 9, "low", "red"))[0]
    needs_three = Rules(immutable=("income",))  # debt to 0, grade and colour give 7
    assert len(enumerated(own, JUDGE, needs_three)) == 0
    train = SPACE.coordinates(TRAIN)
    search = RandomSearch(JUDGE, needs_three, train[JUDGE.valid(train)])
    assert search.finds(own, np.random.default_rng(0), 2_000)
    assert RandomSearch(JUDGE, needs_three, train[:0]).finds(own, np.random.default_rng(0), 2_000)
    for impossible in (Rules(("income", "colour")), Rules(("income",), most_changes=2), Rules(("income",), ("debt",))):
        assert not RandomSearch(JUDGE, impossible, train).finds(own, np.random.default_rng(0), 2_000)


class OnlyTheFirst:
    """Approves one training row, and nothing else."""

    def predict_proba(self, rows):
        known = (SPACE.coordinates(rows) == SPACE.coordinates(TRAIN)[0]).all(axis=1)
        return np.column_stack([~known, known]).astype(float)


def test_random_search_knows_that_training_rows_are_answers() -> None:
    judge = Judge(SPACE, OnlyTheFirst(), 1)
    own, train = states((5, 8, "high", "blue"))[0], SPACE.coordinates(TRAIN)
    assert RandomSearch(judge, Rules(), train[:1]).finds(own, np.random.default_rng(0), 100)
    assert not RandomSearch(judge, Rules(), train[:0]).finds(own, np.random.default_rng(0), 100)


class Extremes:
    """Approves the lowest and the highest income."""

    def predict_proba(self, rows):
        extreme = rows["income"].isin([0, 9])
        return np.column_stack([~extreme, extreme]).astype(float)


def test_up_and_down_are_two_strategies_of_one_column() -> None:
    every = enumerated(states(ROWS[0])[0], Judge(SPACE, Extremes(), 1), Rules())
    assert every.column_sets() == {(0,)}
    assert every.strategy_count() == 2


def test_draws_keep_the_rules_and_change_few_and_many_columns() -> None:
    search = RandomSearch(JUDGE, Rules(most_changes=3), SPACE.coordinates(TRAIN))
    drawn = search._drawn(np.ones((1_000, 4), dtype=bool), np.random.default_rng(0)).sum(axis=1)
    assert set(drawn.tolist()) == {1, 2, 3}


def test_regret_is_what_the_best_answer_lacks_of_the_best_one_known() -> None:
    own = ROWS[0]
    every = [enumerated(states(own)[0], JUDGE, Rules())]  # one change, reward 0.9, is enough
    scorer = Scorer(StandIn({}), SPACE, "yes")
    two, three = (4, 1, "mid", "red"), (3, 1, "high", "red")
    assert scorer.regrets(given(own, two, three), every).all == pytest.approx([1 - 0.8 / 0.9])
    assert scorer.regrets(given(own, two, (5, 2, "mid", "red")), every).all == pytest.approx([0.0])
    assert len(scorer.regrets(given(own, (2, 1, "mid", "red")), every).all) == 0  # it is not valid


def test_where_more_changes_are_better_than_any_enumerated_one_nothing_is_regretted() -> None:
    class More(StandIn):
        def score(self, factuals, counterfactuals, *, target=None):
            scored = super().score(factuals, counterfactuals, target=target)
            return 1.0 - scored

    own = ROWS[0]
    every = [enumerated(states(own)[0], JUDGE, Rules())]
    assert Scorer(More({}), SPACE, "yes").regrets(given(own, (3, 1, "high", "red")), every).all.tolist() == [0.0]


def test_an_answer_that_goes_too_far_is_nothing_that_a_tight_one_must_regret() -> None:
    class Far(StandIn):
        def score(self, factuals, counterfactuals, *, target=None):
            return pd.DataFrame({"reward": np.where(counterfactuals["income"] == 9, 1.0, 0.5)})

    own = ROWS[0]
    every = [enumerated(states(own)[0], JUDGE, Rules())]
    tight = next(value for value in range(3, 10) if JUDGE.valid(states((value, *own[1:])))[0])
    found = Scorer(Far({}), SPACE, "yes").regrets(given(own, (tight, *own[1:])), every)
    assert found.all == pytest.approx([0.5])
    assert found.tight == pytest.approx([0.0])
