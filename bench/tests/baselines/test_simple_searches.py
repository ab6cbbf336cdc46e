"""The two methods that learn nothing: nearest unlike neighbours and random search."""

import numpy as np
import pandas as pd
import pytest
from baseline_task import task_on

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.nearest_unlike import NearestUnlike
from counterflownet_bench.baselines.random_search import RandomSearch

COUNT = 5


@pytest.fixture(scope="module")
def asked():
    task, tested = task_on("german_credit", train_count=800)
    rows = tested.head(20)
    return task, rows, [task.classifier.classes[1 - number] for number in task.classifier.predicted(rows)]


def answered(method, asked, rows=None):
    task, all_rows, targets = asked
    some = all_rows if rows is None else all_rows.iloc[rows]
    wanted = targets if rows is None else [targets[row] for row in rows]
    return method.fit(task).answer(some, wanted, count=COUNT, selection="raw")


def changed(given, rows):
    factuals = rows[list(given.counterfactuals.columns)].take(given.row).reset_index(drop=True)
    return (given.counterfactuals != factuals).to_numpy()


def distances(row: pd.Series, others: pd.DataFrame, train: pd.DataFrame, continuous) -> np.ndarray:
    """How far each of the others is: numbers in shares of their range, another category is 1."""
    spans = {name: train[name].max() - train[name].min() for name in continuous}
    parts = [
        (others[name] - row[name]).abs() / spans[name] if name in spans else (others[name] != row[name]).astype(float)
        for name in train.columns
    ]
    return np.sum(parts, axis=0)


@pytest.mark.parametrize("method", [NearestUnlike(), RandomSearch()], ids=["nearest-unlike", "random-search"])
def test_every_answer_is_valid_and_every_row_has_as_many_as_asked(method, asked):
    task, rows, targets = asked
    given = answered(method, asked)
    wanted = np.array([task.classifier.classes.index(target) for target in targets])
    assert (task.classifier.predicted(given.counterfactuals) == wanted[given.row]).all()
    assert given.outcomes == {"complete": len(rows)}


@pytest.mark.parametrize("method", [NearestUnlike(), RandomSearch()], ids=["nearest-unlike", "random-search"])
def test_a_row_s_answers_do_not_depend_on_the_rows_beside_it(method, asked):
    whole, alone = answered(method, asked), answered(method, asked, rows=[7])
    own = whole.counterfactuals[whole.row == 7].reset_index(drop=True)
    pd.testing.assert_frame_equal(own, alone.counterfactuals)


def test_the_nearest_rows_of_the_wanted_class_are_returned_nearest_first(asked):
    task, rows, targets = asked
    given = answered(NearestUnlike(), asked)
    known = task.train.drop_duplicates()
    predicted = task.classifier.predicted(known)
    for row in range(len(rows)):
        number = task.classifier.classes.index(targets[row])
        own = given.counterfactuals[given.row == row]
        every, found = (
            distances(rows.iloc[row], others, task.train, task.card.continuous)
            for others in (known[predicted == number], own)
        )
        assert found == pytest.approx(np.sort(every)[:COUNT])


def test_a_class_without_training_rows_has_no_answers(asked):
    task, rows, targets = asked
    fitted = NearestUnlike().fit(task)
    number = task.classifier.classes.index(targets[0])
    del fitted.rows_of[number]
    given = fitted.answer(rows.head(1), targets[:1], count=COUNT, selection="raw")
    assert len(given.row) == 0
    assert given.outcomes == {"none": 1}


def test_random_search_changes_few_columns_first_and_stops_when_it_has_enough(asked):
    _, rows, _ = asked
    given = answered(RandomSearch(), asked)
    counts = changed(given, rows).sum(axis=1)
    for row in range(len(rows)):
        own = counts[given.row == row]
        assert (np.diff(own) >= 0).all()
    assert counts.min() == 1
    assert counts.max() <= RandomSearch().most_changes


def test_random_search_finds_different_answers_within_the_constraints(asked):
    task, rows, _ = asked
    given = answered(RandomSearch(), asked)
    told = given.counterfactuals.assign(row=given.row)
    assert not told.duplicated().any()
    for name in task.card.increasing:
        assert (given.counterfactuals[name].to_numpy() >= rows[name].to_numpy()[given.row]).all()


def test_one_change_at_most_leaves_rows_without_answers(asked):
    given = answered(RandomSearch(most_changes=1, draws=2), asked)
    assert given.outcomes.get("complete", 0) < len(asked[1])
    assert (changed(given, asked[1]).sum(axis=1) == 1).all()


def test_no_draws_are_an_error():
    with pytest.raises(InvalidInputError, match=r"RandomSearch\.draws"):
        RandomSearch(draws=0)
