"""Which counterfactuals are shown: minimal ones, as many as asked for, different from each other."""

import numpy as np
import pandas as pd
from explained import found, kinds

from counterflownet import (
    Explanation,
    OneOf,
    Outcome,
)


def without_one_change(answer: Explanation, number: int):
    """The counterfactual as it would be without one of its changes, for each of them."""
    cells = answer.counterfactuals.iloc[[number]]
    for column in answer.factuals.columns[answer.changed[number]]:
        undone = cells.copy()
        undone[column] = answer.factuals[column].take([int(answer.row[number])]).to_numpy()
        yield column, undone.astype(answer.factuals.dtypes)


def test_every_answer_is_minimal(explainer, people, pipeline) -> None:
    rows = people.head(30)
    answer = explainer.explain(rows, constraints=[OneOf("city", ["rome", "oslo"])])
    assert len(answer) > 50
    for number in range(len(answer)):
        target = answer.targets[answer.row[number]]
        for column, undone in without_one_change(answer, number):
            needed = column == "city" and undone["city"].item() == "lima"  # the constraint requires this change
            assert needed or pipeline.predict(undone)[0] != target
    loose = explainer.explain(rows, minimal=False)
    assert loose.changed.sum(axis=1).mean() > answer.changed.sum(axis=1).mean()


def test_rows_with_too_few_answers_are_sampled_again(explainer, rejected) -> None:
    once, often = (explainer.explain(rejected, count=5, samples=4, rounds=rounds) for rounds in (1, 60))
    assert len(once) < len(often) == 5 * len(rejected)
    assert set(kinds(often)) == {Outcome.COMPLETE}
    single = explainer.explain(rejected, count=5, samples=4, rounds=60, chunk_rows=1)
    pd.testing.assert_frame_equal(found(single), found(often), check_exact=True)


def test_more_diversity_shows_answers_that_share_fewer_columns(explainer, people) -> None:
    def shared(diversity: float) -> float:
        answer = explainer.explain(people, count=5, diversity=diversity)
        same = [answer.changed[answer.row == row].all(axis=0).sum() for row in range(len(people))]
        return float(np.mean(same))

    assert shared(0.8) < shared(0.0)


def test_answers_are_told_apart_by_the_columns_they_change_unless_by_all(explainer, people) -> None:
    def sets_of_columns(over: str) -> float:
        answer = explainer.explain(people, count=4, diversity=0.3, diversity_over=over)
        return float(np.mean([len(np.unique(answer.changed[answer.row == row], axis=0)) for row in range(len(people))]))

    assert sets_of_columns("changed") > sets_of_columns("all")
