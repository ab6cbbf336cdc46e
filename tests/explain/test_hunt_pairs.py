"""Pairs of changes: for rows that are short of answers, and for others only if a pair could be their best one."""

import numpy as np
import pandas as pd
import pytest
from made_grounds import Made
from made_searches import Random, made_search

from counterflownet._states import States
from counterflownet.explain import hunt as module
from counterflownet.explain.hunt import Effort, Hunt
from counterflownet.explain.strategy import Strategies

COLUMNS = list("abcd")
TRAIN = pd.DataFrame(dict.fromkeys(COLUMNS, np.arange(60.0))).assign(b=np.arange(60.0)[::-1] + 0.5)
ZEROS = pd.DataFrame(np.zeros((2, 4)), columns=COLUMNS).assign(b=0.5)


def likely(rows: pd.DataFrame) -> np.ndarray:
    """Much of the first column is enough by itself, some of the last two together; either of these helps."""
    one, other = rows["c"] >= 5, rows["d"] >= 5
    return np.where((rows["a"] >= 30) | (one & other), 0.9, 0.1 + 0.3 * (one | other) + (rows["c"] + rows["d"]) / 2000)


def made_hunt(
    *, sparsity: float, rows: pd.DataFrame = ZEROS, wanted: int = 1, plausible: Random | None = None
) -> tuple[Made, Hunt]:
    """A hunt in which a change costs as much as its way, and every change after the first ``sparsity``."""
    made = Made(rows, TRAIN, likely)
    search = made_search(made, {"proximity": 1.0, "sparsity": sparsity, "plausibility": 1.0}, plausible)
    hunt = Hunt(search, np.arange(len(rows)), Effort(wanted=wanted, rounds=1), minimal=True, tight=False)
    return made, hunt


def paired(made: Made, hunt: Hunt, found: States) -> set[int]:
    """The rows that the classifier is asked about pairs of, if so much was found before."""
    hunt.finds.add(found)
    edits = hunt.proposals.singles(hunt.asked)
    hunt.oracle.soon(hunt._factuals(hunt.asked))
    hunt.oracle.verdicts(edits.states)
    hunt.merit.best(found)
    before = hunt.oracle.asked_about(len(made.rows))
    hunt._pair(edits)
    assert (made.decoded(hunt.finds.joined()).pipe(likely) > 0.5).all()
    return set(np.flatnonzero(hunt.oracle.asked_about(len(made.rows)) - before).tolist())


def way_of(made: Made, state: States) -> float:
    return float(made.table.distances(state).sum())


def test_a_row_that_is_not_short_has_pairs_asked_about_if_one_could_be_its_best() -> None:
    made, hunt = made_hunt(sparsity=0.2)
    far = States.joined([made.state({"a": 45.0}, row) for row in (0, 1)])
    assert way_of(made, far[np.array([0])]) > 0.25
    assert paired(made, hunt, far) == {0, 1}
    found = hunt.finds.joined()
    pairs = made.decoded(found[found.change_counts == 2])
    assert (pairs[["c", "d"]] >= 5).all(axis=None)
    assert set(pairs.index) == {0, 1}


def test_a_row_that_is_not_short_is_not_asked_about_pairs_if_none_could_be_its_best() -> None:
    made, hunt = made_hunt(sparsity=0.9)
    far = States.joined([made.state({"a": 30.0}, row) for row in (0, 1)])
    assert way_of(made, far[np.array([0])]) < 0.85
    assert paired(made, hunt, far) == set()
    assert len(hunt.finds.joined()) == 2


@pytest.mark.parametrize("sparsity", [0.2, 0.9])
def test_a_row_that_is_short_has_pairs_asked_about_whatever_they_could_be_worth(sparsity, monkeypatch) -> None:
    monkeypatch.setattr(module, "MANY_PARTNERS", 0)  # the few are meant for these rows as well
    made, hunt = made_hunt(sparsity=sparsity, wanted=2)
    near = States.joined([made.state({"a": 30.0}, row) for row in (0, 1)])
    assert paired(made, hunt, near) == {0, 1}
    assert (np.bincount(hunt.finds.joined().row.numpy()) > 1).all()


def test_each_row_is_judged_by_its_own_best_find() -> None:
    rows = ZEROS.assign(a=[0.0, 29.0])
    made, hunt = made_hunt(sparsity=0.4, rows=rows)
    found = States.joined([made.state({"a": 55.0}, 0), made.state({"a": 30.0}, 1)])
    ways = [way_of(made, found[np.array([at])]) for at in (0, 1)]
    assert ways[1] < 0.4 < ways[0]
    assert paired(made, hunt, found) == {0}


def test_anything_might_be_the_best_of_a_row_that_has_nothing() -> None:
    made, hunt = made_hunt(sparsity=0.9)
    hunt.finds.add(made.state({"a": 30.0}, 1))
    every = States.joined([made.state(dict.fromkeys(COLUMNS[2:], 59.0), row) for row in (0, 1)])
    assert hunt._might_be_best(every).tolist() == [True, False]
    assert paired(made, hunt, made.state({"a": 30.0}, 1)) == {0}


def test_a_find_that_is_not_plausible_leaves_room_for_a_better_pair() -> None:
    plausible = Random(most=0.0)
    made, hunt = made_hunt(sparsity=0.9, plausible=plausible)
    near = States.joined([made.state({"a": 30.0}, row) for row in (0, 1)])
    assert paired(made, hunt, near) == set()
    odd = Random(most=50.0)
    made, hunt = made_hunt(sparsity=0.9, plausible=odd)
    assert (odd.of(near.keys()) < -1).all()
    assert paired(made, hunt, near) == {0, 1}


def test_what_might_be_best_is_decided_state_by_state() -> None:
    made, hunt = made_hunt(sparsity=0.5)
    hunt.finds.add(made.state({"a": 45.0}))
    bar = way_of(made, made.state({"a": 45.0}))
    sizes = {"c": 50.0}, {"c": 50.0, "d": 50.0}, {"c": 50.0, "d": 50.0, "b": 50.5}, dict.fromkeys("acd", 50.0)
    states = States.joined([made.state(values) for values in sizes])
    expected = [-0.5 * (len(values) - 1) > -bar for values in sizes]
    assert hunt._might_be_best(states).tolist() == expected
    assert set(expected) == {True, False}


def rest_matters_most(rows: pd.DataFrame) -> np.ndarray:
    """The first column helps, and is not enough; the last two help less, and are enough together."""
    helped = (5 * rows["a"] + rows["c"] + rows["d"]) / 1000
    return np.where((rows["c"] >= 50) & (rows["d"] >= 50), 0.9, helped)


def test_a_row_that_stays_short_has_more_partners_paired(monkeypatch) -> None:
    monkeypatch.setattr(module, "PARTNERS", 2)
    monkeypatch.setattr(module, "MOST_PARTNERS", 2)
    for many, found in ((2, False), (48, True)):
        monkeypatch.setattr(module, "MANY_PARTNERS", many)
        made = Made(ZEROS, TRAIN, rest_matters_most)
        search = made_search(made, {"proximity": 1.0, "sparsity": 0.2})
        hunt = Hunt(search, np.arange(2), Effort(wanted=1, rounds=1), minimal=True, tight=False)
        hunt.finds.add(made.state({"a": 1.0})[np.zeros(0, dtype=np.int64)])
        hunt._pair(hunt.proposals.singles(hunt.asked))
        assert (len(hunt.finds.joined()) > 0) == found


def middle_matters(rows: pd.DataFrame) -> np.ndarray:
    """Two columns are enough together if both are a little up; far up, each looks better, and both are not enough."""
    enough = rows["c"].between(1, 6) & rows["d"].between(1, 6)
    return np.where(enough, 0.9, 0.1 + (rows["c"] + rows["d"]) / 1000)


@pytest.mark.parametrize(("values", "found"), [(1, False), (3, True)])
def test_a_row_of_very_few_strategies_has_more_values_of_a_column_paired(monkeypatch, values, found) -> None:
    monkeypatch.setattr(module, "MANY_VALUES", values)
    monkeypatch.setattr("counterflownet.explain.proposals.PER_DIRECTION", 3)
    made = Made(ZEROS, TRAIN.iloc[:9], middle_matters)
    hunt = Hunt(
        made_search(made, {"proximity": 1.0, "sparsity": 0.2}),
        np.arange(2),
        Effort(wanted=5, rounds=1),
        minimal=True,
        tight=False,
    )
    hunt.finds.add(made.state({"a": 1.0})[np.zeros(0, dtype=np.int64)])
    hunt._pair_on(hunt._pair(hunt.proposals.singles(hunt.asked)))
    assert (len(hunt.finds.joined()) > 0) == found


def test_edits_that_are_enough_by_themselves_are_in_no_pair() -> None:
    made, hunt = made_hunt(sparsity=0.2, wanted=5)
    assert paired(made, hunt, made.state({"a": 45.0})) == {0, 1}
    pairs = pd.concat(made.asked)
    pairs = pairs[(pairs.to_numpy() != ZEROS.to_numpy()[:1]).sum(axis=1) == 2]
    assert len(pairs) > 0
    assert (pairs["a"] < 30).all()


def test_the_better_pair_is_among_the_answers_of_a_row_that_was_not_short() -> None:
    made, hunt = made_hunt(sparsity=0.05)
    found = hunt.answers()
    strategies = Strategies.of(made.table, found)
    for row in (0, 1):
        own = strategies.row == row
        assert [0, 0, 1, 1] in strategies.direction[own].tolist()
    assert (made.decoded(found).pipe(likely) > 0.5).all()


def nearly_enough(rows: pd.DataFrame) -> np.ndarray:
    """The first column is enough far up; a little before, it is with the help of any other."""
    helped = (rows["c"] > 0) | (rows["d"] > 0)
    return np.where((rows["a"] >= 40) | ((rows["a"] > 39.5) & helped), 0.9, 0.1 + 0.3 * rows["a"] / 40)


def test_a_change_that_is_enough_is_paired_a_little_before_it_is() -> None:
    train = pd.DataFrame(dict.fromkeys("acd", np.arange(60.0)))
    train = pd.concat([train, train.assign(a=39.9)], ignore_index=True)
    made = Made(train.iloc[[0]], train, nearly_enough)
    search = made_search(made, {"proximity": 1.0, "sparsity": 0.2})
    hunt = Hunt(search, np.arange(1), Effort(wanted=5, rounds=1), minimal=True, tight=True)
    found = made.decoded(hunt.answers())
    helped = found[found["a"] == 39.9]
    assert (helped["c"] > 0).any()
    assert (helped["d"] > 0).any()
