from math import isnan

import numpy as np
import pandas as pd
import pytest

from counterflownet_bench.metrics import Answers
from counterflownet_bench.metrics.tightness import FINEST, OrderedColumn, strategies, tightness

TRAIN = pd.DataFrame({"age": np.arange(20, 60), "grade": np.tile(["low", "mid", "high", "mid"], 10)})
AGE = OrderedColumn.of_numbers(TRAIN["age"])
GRADE = OrderedColumn.of_categories(TRAIN["grade"], ["low", "mid", "unseen", "high"])
COLUMNS = (AGE, GRADE)


def answers(ages, grades, *, valid=None, factual=(30, "low")) -> Answers:
    count = len(ages)
    return Answers(
        factuals=pd.DataFrame({"age": [factual[0]], "grade": [factual[1]], "job": ["cook"]}),
        counterfactuals=pd.DataFrame({"age": ages, "grade": grades, "job": "cook"}),
        row=np.zeros(count, dtype=np.int64),
        rank=np.arange(count) + 1,
        valid=np.ones(count, dtype=bool) if valid is None else np.array(valid),
        count=count,
    )


def older_than(limit):
    return lambda rows, _: (rows["age"] > limit).to_numpy()


@pytest.mark.parametrize(("age", "expected"), [(41, 1.0), (42, 0.0), (59, 0.0)])
def test_a_change_is_tight_if_no_training_value_between_is_enough(age, expected):
    assert tightness(answers([age], ["low"]), COLUMNS, older_than(40)) == expected


def test_it_looks_at_every_value_between_even_if_only_one_is_enough():
    found = {
        age: tightness(answers([59], ["low"]), COLUMNS, lambda r, _, a=age: r["age"].to_numpy() == a)
        for age in (31, 44, 58)
    }
    assert found == {31: 0.0, 44: 0.0, 58: 0.0}


def test_it_never_asks_about_values_that_are_not_between():
    def judge(rows, _):
        assert rows["age"].between(31, 40).all()
        return np.zeros(len(rows), dtype=bool)

    assert tightness(answers([41], ["low"]), COLUMNS, judge) == 1.0
    assert tightness(answers([30, 30], ["mid", "high"], factual=(30, "low")), (AGE,), judge) != 1.0  # nothing to judge


def test_categories_in_an_order_count_and_others_do_not():
    judge = lambda rows, _: rows["grade"].isin(["mid", "high"]).to_numpy()  # noqa: E731
    assert tightness(answers([30], ["high"]), COLUMNS, judge) == 0.0
    assert tightness(answers([30], ["mid"]), COLUMNS, judge) == 1.0
    assert isnan(tightness(answers([30], ["mid"]), (AGE,), judge))


def test_invalid_answers_are_not_judged():
    given = answers([59, 41], ["low", "low"], valid=[False, True])
    assert tightness(given, COLUMNS, older_than(40)) == 1.0


def test_a_grid_of_many_values_has_its_ends_and_is_not_longer_than_it_may_be():
    column = OrderedColumn.of_numbers(pd.Series(np.random.default_rng(0).exponential(size=5_000), name="x"))
    assert len(column.grid) <= FINEST
    assert np.array_equal(column.places, np.sort(column.grid))


def test_strategies_are_sets_of_columns_with_directions():
    given = answers([40, 45, 25, 30, 40], ["low", "low", "low", "mid", "mid"])
    assert strategies(given, COLUMNS) == 4  # up twice counts once
    assert strategies(given, ()) == 3  # without an order there is no direction
    assert strategies(answers([40, 25], ["low", "low"], valid=[True, False]), COLUMNS) == 1


def test_a_row_without_valid_answers_has_no_strategy():
    assert strategies(answers([40], ["low"], valid=[False]), COLUMNS) == 0
