"""Each row says how it went: no answer is an answer, with a reason."""

import numpy as np
import pandas as pd
from explained import found, kinds

from counterflownet import (
    CounterFlowNet,
    Immutable,
    Increasing,
    Outcome,
    Range,
)


def test_a_row_already_in_the_target_class_says_so(explainer, people, pipeline) -> None:
    rows = people.head(20)
    answer = explainer.explain(rows, target="good")
    already = pipeline.predict(rows) == "good"
    assert [kind is Outcome.ALREADY_TARGET for kind in kinds(answer)] == already.tolist()
    assert not np.isin(answer.row, np.flatnonzero(already)).any()


def test_a_row_in_which_nothing_may_change_says_so(explainer, rejected, people) -> None:
    label = rejected.index[1]
    answer = explainer.explain(rejected, row_constraints={label: [Immutable(*people.columns)]})
    assert kinds(answer)[1] is Outcome.NOTHING_ALLOWED
    assert 1 not in answer.row
    assert kinds(answer)[0] is not Outcome.NOTHING_ALLOWED


def test_constraints_that_exclude_each_other_in_one_row_are_named(explainer, rejected) -> None:
    rows = rejected.head(3).assign(age=[40, 70, 45])
    answer = explainer.explain(rows, constraints=[Range("age", 30, 50), Increasing("age")])
    assert kinds(answer)[1] is Outcome.CONTRADICTION
    assert "Range('age', 30, 50) and Increasing('age')" in answer.outcomes[1].reason
    assert Outcome.CONTRADICTION not in {kinds(answer)[0], kinds(answer)[2]}


def test_all_rows_without_an_answer_give_an_empty_table_with_the_right_columns(explainer, rejected, people) -> None:
    answer = explainer.explain(rejected, constraints=[Immutable(*people.columns)])
    assert set(kinds(answer)) == {Outcome.NOTHING_ALLOWED}
    assert len(answer.to_frame()) == 0
    pd.testing.assert_series_equal(found(answer).dtypes, rejected.dtypes)


def test_a_classifier_that_never_says_yes_gives_no_counterfactual_and_a_reason(plain, tiny) -> None:
    never = CounterFlowNet(lambda frame: np.full(len(frame), 0.2), classes=["no", "yes"], training=tiny).fit(plain)
    answer = never.explain(plain.head(5))
    assert kinds(answer) == [Outcome.NONE_VALID] * 5
    assert answer.targets == ("yes",) * 5
    assert len(answer.row) == 0
    assert {row.outcome for row in never.sample(plain.head(5)).outcomes} == {Outcome.NONE_VALID}


def test_fewer_than_asked_for_is_said(explainer, rejected) -> None:
    answer = explainer.explain(rejected, count=1000, samples=50)
    counts = np.bincount(answer.row, minlength=len(rejected))
    assert set(kinds(answer)) <= {Outcome.PARTIAL, Outcome.NONE_VALID}
    assert [f"{count} of 1000" in row.reason for count, row in zip(counts, answer.outcomes, strict=True) if count]


def test_as_many_as_asked_for_is_complete(explainer, rejected) -> None:
    answer = explainer.explain(rejected, count=1, samples=300)
    assert set(kinds(answer)) == {Outcome.COMPLETE}
    assert np.bincount(answer.row).tolist() == [1] * len(rejected)


def test_answers_that_were_left_out_as_far_fetched_are_counted(explainer, rejected) -> None:
    few, every = (explainer.explain(rejected, count=40, worth=worth) for worth in (0.9, 0.0))
    shown, all_of_them = (np.bincount(answer.row, minlength=len(rejected)) for answer in (few, every))
    assert (shown < all_of_them).any()
    best = pd.Series(few.reward).groupby(few.row).transform("max")
    assert ((few.reward >= 0.9 * best) | (few.strategy <= 4)).all()
    told = [" more would be far-fetched" in row.reason for row in few.outcomes]
    assert any(told)
    assert not any("far-fetched" in row.reason for row in every.outcomes)
