"""Which counterfactuals are shown: minimal ones, as many as asked for, different from each other."""

import numpy as np
import pandas as pd
from explained import found, kinds
from laws import superfluous, valid_by

from counterflownet import (
    OneOf,
    Outcome,
)


def test_every_answer_is_minimal(explainer, people, pipeline) -> None:
    rows = people.head(30)
    answer = explainer.explain(rows, constraints=[OneOf("city", ["rome", "oslo"])])
    assert len(answer.row) > 50
    needed = lambda column, old, _new: column != "city" or old != "lima"  # noqa: E731 - the constraint requires this
    assert superfluous(answer, valid_by(pipeline, answer), needed) == []
    loose = explainer.explain(rows, minimal=False)
    assert loose.changed.sum(axis=1).mean() > answer.changed.sum(axis=1).mean()


def test_rows_with_too_few_answers_are_sampled_again(explainer, rejected) -> None:
    asked = {"count": 60, "samples": 4}
    once, often = (explainer.explain(rejected, rounds=rounds, **asked) for rounds in (1, 60))
    counts = [np.bincount(answer.row, minlength=len(rejected)) for answer in (once, often)]
    assert (counts[0] <= counts[1]).all()
    assert counts[0].sum() < counts[1].sum()
    assert set(kinds(once)) == {Outcome.PARTIAL}
    single = explainer.explain(rejected, rounds=60, chunk_rows=1, **asked)
    pd.testing.assert_frame_equal(found(single), found(often), check_exact=True)


def test_more_diversity_shows_answers_that_share_fewer_columns(explainer, people) -> None:
    def shared(diversity: float) -> float:
        answer = explainer.explain(people, count=5, diversity=diversity)
        same = [answer.changed[answer.row == row].all(axis=0).sum() for row in range(len(people))]
        return float(np.mean(same))

    assert shared(0.8) < shared(0.0)


def test_answers_are_told_apart_by_the_columns_they_change_unless_by_all(explainer, people) -> None:
    def shared(over: str) -> float:
        answer = explainer.explain(people, count=4, diversity=0.3, diversity_over=over)
        ways = [answer.changed[answer.row == row] for row in range(len(people))]
        return float(np.mean([(own.sum(axis=0) > 1).sum() for own in ways]))  # columns that several answers change

    assert shared("changed") < shared("all")
