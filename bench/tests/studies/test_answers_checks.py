"""What the checker says of answers that were written down for it."""

import numpy as np
import pandas as pd
import pytest
from answers_by_hand import JUDGE, SPACE, TRAIN, given, states
from pandas.testing import assert_frame_equal

from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_space import ColumnSpace, TableSpace

OWN = (2, 2, "mid", "red")  # its sum is 2


def test_rows_come_back_from_coordinates_as_they_were() -> None:
    assert_frame_equal(SPACE.frame(SPACE.coordinates(TRAIN)), TRAIN)


def test_categories_lie_in_their_order_and_numbers_are_themselves() -> None:
    assert states((7, 3, "high", "green")).tolist() == [[7, 3, 2, 1]]
    assert SPACE.ordered.tolist() == [True, True, True, False]


def numbers(values: np.ndarray) -> ColumnSpace:
    return TableSpace.of(pd.DataFrame({"income": values}), categories={}, ordered=()).columns[0]


def test_a_long_column_has_a_grid_by_rank_of_rows_or_of_values() -> None:
    space = numbers(np.r_[np.arange(2_000), np.full(6_000, 1_999)])
    by_rows, by_values = space.grid(), space.grid(over="values")
    assert len(by_values) == 256
    assert np.diff(by_values).max() <= 8  # 2,000 values in 255 steps
    assert len(by_rows) == 65  # three quarters of the rows are one value
    assert {0, 1_999} <= set(by_rows) & set(by_values)


def test_a_short_column_has_all_its_values_in_its_grid() -> None:
    assert SPACE.columns[0].grid().tolist() == list(range(10))


def test_a_rank_is_the_share_of_training_rows_below() -> None:
    assert numbers(np.array([3, 1, 2, 2])).rank(np.array([1.0, 2.0, 3.0, 9.0])).tolist() == [0, 0.25, 0.75, 1]


def test_the_values_next_to_a_rows_own_are_tried_in_pairs() -> None:
    space = numbers(np.arange(1_000))
    thin = space.thin_grid(500.0)
    assert {497, 498, 499, 501, 502, 503} <= set(thin)
    assert len(thin) <= 24 + 6
    assert {0, 1, 2, 3} <= set(space.thin_grid(0.0))


def test_an_answer_is_far_if_it_moves_a_number_by_more_than_five_deviations() -> None:
    limit = int(5 * TRAIN["income"].std(ddof=0))  # whole numbers up to here are not more
    answers = given(OWN, (2 + limit, 2, "mid", "red"), (3 + limit, 2, "mid", "red"), (2, 2, "high", "green"))
    assert answers.far().tolist() == [False, True, False]


def test_valid_is_what_the_classifier_says_and_a_tie_is_not() -> None:
    assert given(OWN, (5, 2, "mid", "red"), (4, 2, "mid", "red")).valid.tolist() == [True, False]

    class Tie:
        def predict_proba(self, rows):
            return np.full((len(rows), 2), 0.5)

    assert not type(JUDGE)(SPACE, Tie(), 0).valid(states(OWN)).any()


def test_batches_say_the_same_as_one_call(monkeypatch) -> None:
    some = SPACE.coordinates(TRAIN)
    whole = JUDGE.valid(some)
    monkeypatch.setattr("counterflownet_bench.studies.answers_judge.BATCH_CELLS", 20)
    assert JUDGE.valid(some).tolist() == whole.tolist()
    assert 0 < whole.sum() < len(whole)


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        (Rules(), [True, True, True]),
        (Rules(immutable=("colour",)), [True, True, False]),
        (Rules(increasing=("debt",)), [True, False, True]),
        (Rules(increasing=("income",)), [True, True, True]),
        (Rules(most_changes=1), [True, False, True]),
    ],
)
def test_rules_are_read_on_decoded_rows(rules, kept) -> None:
    answers = given(OWN, (5, 2, "mid", "red"), (4, 1, "mid", "red"), (2, 2, "mid", "blue"), rules=rules)
    assert answers.allowed.tolist() == kept


def test_rules_are_the_same_as_constraints_of_the_library() -> None:
    rules = Rules(("colour",), ("debt", "grade"), 2)
    assert [repr(each) for each in rules.constraints()] == [
        "Immutable('colour')",
        "Increasing('debt', 'grade')",
        "MaxChanges(2)",
    ]
    assert Rules().constraints() == []


def test_an_answer_with_a_change_that_can_be_undone_is_not_minimal() -> None:
    answers = given(OWN, (5, 2, "mid", "red"), (5, 1, "mid", "red"), (4, 1, "mid", "red"))
    assert answers.minimal().tolist() == [True, False, True]


def test_a_change_is_loose_if_a_nearer_training_value_would_do() -> None:
    tight, far = (5, 2, "mid", "red"), (8, 2, "mid", "red")
    both, nominal = (4, 1, "mid", "red"), (2, 2, "mid", "blue")
    assert given(OWN, tight, far, both, nominal).loose().tolist() == [False, True, False, False]
    own = (3, 2, "low", "red")  # for which mid is not enough alone
    assert given(own, (3, 2, "high", "red")).loose().tolist() == [False]
    assert given(own, (7, 0, "high", "red")).loose().tolist() == [True, True, True]


def test_dominated_is_what_a_variation_of_the_same_strategy_surpasses() -> None:
    answers = given(
        OWN,
        (8, 2, "mid", "red"),  # further than the next
        (5, 2, "mid", "red"),
        (2, 0, "high", "red"),  # another strategy
        (4, 1, "mid", "red"),
        (3, 0, "mid", "red"),  # less income, but more debt paid back
        (4, 2, "mid", "blue"),
        (3, 2, "mid", "green"),  # another category
        (3, 2, "mid", "blue"),
    )
    assert answers.dominated().tolist() == [True, False, False, False, False, True, False, False]


def test_answers_of_other_rows_and_equal_answers_dominate_nothing() -> None:
    near, far = (5, 2, "mid", "red"), (8, 2, "mid", "red")
    two = given(OWN, near, far)
    apart = type(two)(two.judge, two.rules, np.array([0, 1]), two.before, two.after)
    assert not apart.dominated().any()
    assert not given(OWN, near, near).dominated().any()


def test_strategies_are_columns_with_directions_and_categories_have_none() -> None:
    numbers = (5, 2, "mid", "green"), (8, 2, "mid", "green"), (1, 2, "mid", "green")
    answers = given((2, 2, "mid", "green"), *numbers, (2, 2, "mid", "blue"), (2, 2, "mid", "red"))
    assert len(answers.strategies(0)) == 3
    assert answers.column_sets(0) == {(0,), (3,)}
    assert answers.strategies(1) == set()


def test_only_valid_and_allowed_answers_are_judged_further() -> None:
    answers = given(OWN, (5, 2, "mid", "red"), (3, 2, "mid", "red"), (2, 2, "mid", "blue"), rules=Rules(("colour",)))
    assert answers.good.after.tolist() == [[5, 2, 1, 0]]
