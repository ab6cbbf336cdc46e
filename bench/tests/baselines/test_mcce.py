"""MCCE: rows drawn column by column from the leaves of trees."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from baseline_task import task_on

from counterflownet.errors import InvalidInputError
from counterflownet.seeds import keyed_uniforms
from counterflownet_bench.baselines import mcce
from counterflownet_bench.baselines.mcce import Mcce
from counterflownet_bench.metrics.answers import changed_cells
from counterflownet_bench.vectors import NumberBlock


@pytest.fixture(scope="module")
def german():
    return task_on("german_credit", train_count=3_000)


@pytest.fixture(scope="module")
def adult():
    return task_on("adult_protocol_b", train_count=3_000)


def wanted(task, rows):
    return 1 - task.classifier.predicted(rows)


def asked(method, task, rows, count=10):
    targets = [task.classifier.classes[number] for number in wanted(task, rows)]
    return method.fit(task).answer(rows, targets, count=count, selection="selected")


@pytest.mark.parametrize("name", ["german", "adult"])
@pytest.mark.parametrize("filtered", [False, True])
def test_answers_are_made_of_training_values_and_immutable_ones_stay(name, filtered, request) -> None:
    task, rows = request.getfixturevalue(name)
    rows = rows.head(30)
    given = asked(Mcce(filtered=filtered, draws=200), task, rows)
    assert given.counterfactuals.dtypes.equals(task.train.dtypes)
    assert given.counterfactuals.index.tolist() == list(range(len(given.row)))
    for column in task.train.columns:
        if column in task.card.immutable:
            assert given.counterfactuals[column].tolist() == rows[column].iloc[given.row].tolist()
        else:
            assert set(given.counterfactuals[column]) <= set(task.train[column])
    assert sum(given.outcomes.values()) == 30
    for row in np.unique(given.row):
        assert given.rank[given.row == row].tolist() == list(range(1, (given.row == row).sum() + 1))


def test_every_value_comes_from_the_leaf_where_the_columns_before_it_lead(german) -> None:
    task, rows = german
    chain = Mcce().fit(task).chain
    keys = np.arange(50 * 4, dtype=np.uint64)
    drawn = chain.drawn(rows.head(50), keys)
    assert {tree.name for tree in chain.trees} == set(task.train.columns) - set(task.card.immutable)
    for step, tree in enumerate(chain.trees):
        known = slice(0, tree.span.start)
        place = tree.drawn(drawn.vectors, keyed_uniforms(keys, step))
        own, lent = (tree.tree.apply(vectors[:, known]) for vectors in (drawn.vectors, chain.vectors[place]))
        assert own.tolist() == lent.tolist()
        assert drawn.table[tree.name].tolist() == task.train[tree.name].iloc[place].tolist()


def test_a_leaf_holds_five_rows_at_least_and_each_of_them_can_be_drawn(german) -> None:
    task, _ = german
    chain = Mcce().fit(task).chain
    for tree in chain.trees:
        leaves = np.flatnonzero(tree.size)
        assert tree.size[leaves].min() >= 5
        one = chain.vectors[:1].repeat(1_000, axis=0)
        place = tree.drawn(one, np.linspace(0, 1, 1_000, endpoint=False))
        leaf = tree.tree.apply(one[:1, : tree.span.start])[0]
        together = tree.tree.apply(chain.vectors[:, : tree.span.start]) == leaf
        assert set(place) == set(np.flatnonzero(together))


def test_immutable_columns_come_first_then_the_others_as_in_the_table(german) -> None:
    task, _ = german
    names = [block.name for block in Mcce().fit(task).chain.space.blocks]
    fixed = len(task.card.immutable)
    assert set(names[:fixed]) == set(task.card.immutable)
    assert names[fixed:] == [name for name in task.train.columns if name not in task.card.immutable]


def test_trees_learn_which_values_go_together(adult) -> None:
    task, rows = adult
    together = ["marital_status", "relationship", "sex"]
    seen = set(task.train[together].itertuples(index=False, name=None))
    strange = {}
    for smallest_leaf in (5, len(task.train)):  # a tree of one leaf has learned nothing
        drawn = asked(Mcce(smallest_leaf=smallest_leaf), task, rows.head(100)).counterfactuals
        strange[smallest_leaf] = np.mean(
            [key not in seen for key in drawn[together].itertuples(index=False, name=None)]
        )
    assert strange[5] < 0.02
    assert strange[len(task.train)] > 0.15


def test_draws_of_different_columns_have_random_numbers_of_their_own(adult) -> None:
    task, rows = adult
    drawn = asked(Mcce(smallest_leaf=len(task.train)), task, rows.head(50)).counterfactuals
    known = set(task.train.itertuples(index=False, name=None))
    assert np.mean([row in known for row in drawn.itertuples(index=False, name=None)]) < 0.05
    assert drawn.drop_duplicates().shape[0] > 0.9 * len(drawn)


def test_unfiltered_draws_are_given_whatever_their_class_and_doubles_too(german) -> None:
    task, rows = german
    given = asked(Mcce(), task, rows)
    valid = task.classifier.predicted(given.counterfactuals) == wanted(task, rows)[given.row]
    assert dict(given.outcomes) == {"complete": 200}
    assert 0.3 < valid.mean() < 0.6  # the paper's table has 0.49
    lone = replace(task, train=task.train.iloc[[0] * 20].reset_index(drop=True))
    doubles = asked(Mcce(), lone, rows.head(1))
    assert len(doubles.counterfactuals) == 10
    assert len(doubles.counterfactuals.drop_duplicates()) == 1


@pytest.mark.parametrize("filtered", [False, True])
def test_a_draw_that_equals_its_factual_is_no_answer(german, filtered) -> None:
    task, _ = german
    lone = replace(task, train=task.train.iloc[[0] * 20].reset_index(drop=True))
    given = asked(Mcce(filtered=filtered, draws=20), lone, lone.train.head(1))
    assert dict(given.outcomes) == {"none": 1}
    assert len(given.counterfactuals) == len(given.row) == len(given.rank) == 0
    assert given.counterfactuals.dtypes.equals(task.train.dtypes)


@pytest.mark.parametrize("name", ["german", "adult"])
def test_filtered_answers_are_valid_different_and_least_changed_first(name, request) -> None:
    task, rows = request.getfixturevalue(name)
    rows = rows.head(20)
    given = asked(Mcce(filtered=True, draws=300), task, rows)
    assert len(given.row) > 100
    assert (task.classifier.predicted(given.counterfactuals) == wanted(task, rows)[given.row]).all()
    assert not given.counterfactuals.assign(of=given.row).duplicated().any()
    changes = changed_cells(rows, given.counterfactuals, given.row).sum(axis=1)
    for row in np.unique(given.row):
        assert (np.diff(changes[given.row == row]) >= 0).all()
    raw = asked(Mcce(), task, rows)
    assert changes.mean() < changed_cells(rows, raw.counterfactuals, raw.row).sum(axis=1).mean() - 1


def test_of_answers_with_as_many_changes_those_that_move_least_come_first(german) -> None:
    task, rows = german
    fitted = Mcce().fit(task)
    drawn = fitted.chain.drawn(rows.head(2), np.arange(400, dtype=np.uint64))
    changed, moved = fitted.chain.changes(rows.head(2), drawn)
    assert changed.tolist() == changed_cells(rows.head(2), drawn.table, drawn.row).sum(axis=1).tolist()
    expected = np.zeros(400)
    for block in fitted.chain.space.blocks:
        before, after = rows[block.name].iloc[drawn.row].to_numpy(), drawn.table[block.name].to_numpy()
        far = np.abs(after - before) / block.scale if isinstance(block, NumberBlock) else before != after
        expected += far
    assert np.allclose(moved, expected, atol=1e-4)
    kept = fitted._least_changed(rows.head(2), drawn)
    ordered = list(zip(kept.row, *fitted.chain.changes(rows.head(2), kept), strict=True))
    assert ordered == sorted(ordered)


def test_a_row_with_too_few_valid_draws_gets_fewer(adult) -> None:
    task, rows = adult
    given = asked(Mcce(filtered=True, draws=12), task, rows.head(40))
    found = np.bincount(given.row, minlength=40)
    assert given.outcomes["partial"] == ((found > 0) & (found < 10)).sum() > 0
    assert len(given.row) == found.sum() < 400


@pytest.mark.parametrize("filtered", [False, True])
def test_the_seed_decides_and_neither_neighbours_nor_blocks_nor_the_process_do(german, filtered, monkeypatch) -> None:
    task, rows = german
    method = Mcce(filtered=filtered, draws=50)
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - it must be left alone
    first = asked(method, task, rows.head(8))
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    monkeypatch.setattr(mcce, "_BLOCK", 100)
    cut = asked(method, task, rows.head(8))
    pd.testing.assert_frame_equal(first.counterfactuals, cut.counterfactuals)
    assert first.row.tolist() == cut.row.tolist()
    assert first.rank.tolist() == cut.rank.tolist()
    alone = asked(method, task, rows.iloc[[5]])
    pd.testing.assert_frame_equal(alone.counterfactuals, first.counterfactuals[first.row == 5].reset_index(drop=True))
    other = asked(method, replace(task, seed=1), rows.head(8))
    assert not first.counterfactuals.equals(other.counterfactuals)


def test_the_seed_decides_the_draws_also_from_the_same_trees(german) -> None:
    task, rows = german
    stumps = Mcce(smallest_leaf=len(task.train))  # one leaf each, whatever the seed
    first, other = (asked(stumps, replace(task, seed=seed), rows.head(3)) for seed in (0, 1))
    assert not first.counterfactuals.equals(other.counterfactuals)


def test_settings_tell_every_field_and_impossible_ones_are_refused() -> None:
    assert Mcce().settings() == {"filtered": False, "draws": 10_000, "smallest_leaf": 5}
    with pytest.raises(InvalidInputError, match="draws"):
        Mcce(draws=0)
