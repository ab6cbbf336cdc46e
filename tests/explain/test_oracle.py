"""The classifier is asked once about every state, in as few calls as can be."""

import numpy as np
import pandas as pd
import pytest
from made_grounds import Made

from counterflownet._states import States
from counterflownet.explain import oracle as module

TRAIN = pd.DataFrame({"a": np.arange(20.0), "b": list("xyzwv") * 4})


@pytest.fixture
def made() -> Made:
    return Made(TRAIN.iloc[[0, 5]].reset_index(drop=True), TRAIN, lambda rows: rows["a"] / 20)


def states(made: Made, *values: float, row: int = 0) -> States:
    return States.joined([made.state({"a": value}, row) for value in values])


def test_verdicts_are_what_the_classifier_says_in_the_order_asked(made) -> None:
    verdicts = made.oracle.verdicts(states(made, 15.0, 3.0, 10.0, 15.0))
    assert verdicts.valid.tolist() == [True, False, False, True]
    np.testing.assert_allclose(np.exp(verdicts.slack), [3.0, 3 / 17, 1.0, 3.0])


def test_a_state_is_asked_about_once_however_often_it_is_met(made) -> None:
    made.oracle.verdicts(states(made, 15.0, 3.0, 15.0))
    made.oracle.verdicts(states(made, 3.0, 15.0, 4.0))
    made.oracle.verdicts(states(made, 15.0))
    assert [rows["a"].tolist() for rows in made.asked if len(rows) > 1] == [sorted([3.0, 15.0], key=_by(made))]
    assert sorted(pd.concat(made.asked)["a"]) == [3.0, 4.0, 15.0]
    assert len(made.asked) == 2


def _by(made: Made):
    """States are asked about in the order of their keys, which mean nothing."""
    return lambda value: int(states(made, value).keys()[0])


def test_what_was_learnt_later_does_not_disturb_what_was_learnt_before(made) -> None:
    draw = np.random.default_rng(0)
    for _ in range(30):
        values = draw.integers(1, 20, 4).astype(float)
        assert made.oracle.verdicts(states(made, *values)).valid.tolist() == (values > 10).tolist()


def test_equal_codes_of_two_rows_are_two_states(made) -> None:
    both = States.joined([states(made, 15.0), states(made, 15.0, row=1)])
    assert made.oracle.verdicts(both).valid.tolist() == [True, True]
    assert len(made.asked[0]) == 2
    assert made.oracle.asked_about(3).tolist() == [1, 1, 0]


def test_waiting_states_join_the_next_call(made) -> None:
    made.oracle.soon(states(made, 4.0, 5.0))
    made.oracle.soon(states(made, 6.0))
    assert made.asked == []
    made.oracle.verdicts(states(made, 12.0))
    assert [sorted(rows["a"]) for rows in made.asked] == [[4.0, 5.0, 6.0, 12.0]]
    made.oracle.verdicts(states(made, 5.0, 4.0, 6.0))
    assert len(made.asked) == 1


def test_waiting_states_wait_on_while_everything_else_is_known(made) -> None:
    made.oracle.verdicts(states(made, 12.0))
    made.oracle.soon(states(made, 4.0))
    made.oracle.verdicts(states(made, 12.0))
    assert len(made.asked) == 1
    assert not made.oracle.verdicts(states(made, 4.0)).valid[0]
    assert len(made.asked) == 2


def test_no_states_are_no_question(made) -> None:
    assert len(made.oracle.verdicts(states(made, 4.0)[np.zeros(0, dtype=np.int64)]).valid) == 0
    assert made.asked == []


def test_many_states_are_asked_about_in_parts_that_fit_into_memory(made, monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 2 * 3)  # three states of two columns
    values = np.arange(1.0, 11.0)
    assert made.oracle.verdicts(states(made, *values)).valid.tolist() == [False] * 10
    assert [len(rows) for rows in made.asked] == [3, 3, 3, 1]


def test_a_state_of_more_columns_than_fit_is_asked_about_all_the_same(made, monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 1)
    assert made.oracle.verdicts(states(made, 15.0, 2.0)).valid.tolist() == [True, False]


def test_nobody_is_asked_about_states_that_break_a_rule_if_only_validity_counts(made) -> None:
    oracle = module.Oracle(made.ask, lambda some: some.keys() != states(made, 15.0).keys())
    assert oracle.valid(states(made, 15.0, 16.0, 3.0)).tolist() == [False, True, False]
    assert sorted(pd.concat(made.asked)["a"]) == [3.0, 16.0]
