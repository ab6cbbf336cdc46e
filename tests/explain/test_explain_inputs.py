"""Rows come as tables, series or mappings, with any index and with values that training never showed."""

import pandas as pd
from explained import found

from counterflownet import (
    CounterFlowNet,
    Mutable,
)


def test_the_tables_that_are_given_are_not_changed(people, pipeline, explainer, rejected, tiny) -> None:
    X, rows = people.copy(), rejected[sorted(rejected.columns)].copy()
    CounterFlowNet(pipeline, training={**tiny, "steps": 1}).fit(X)
    explainer.explain(rows)
    pd.testing.assert_frame_equal(X, people, check_exact=True)
    pd.testing.assert_frame_equal(rows, rejected[rows.columns], check_exact=True)


def test_changing_the_table_afterwards_does_not_change_the_explanation(explainer, rejected) -> None:
    rows = rejected.copy()
    answer = explainer.explain(rows, count=1)
    before = repr(answer)
    rows["age"] = 0
    assert repr(answer) == before


def test_one_row_as_a_series_gets_the_answer_of_that_row(explainer, rejected) -> None:
    answer = explainer.explain(rejected.iloc[0], count=2)
    table = explainer.explain(rejected.iloc[[0]], count=2)
    assert answer.factuals.index.tolist() == [rejected.index[0]]
    assert answer.to_frame()["changed"].tolist() == table.to_frame()["changed"].tolist()


def test_one_row_as_a_mapping_gets_the_answer_of_that_row(explainer, rejected) -> None:
    answer = explainer.explain(rejected.iloc[0].to_dict(), count=2)
    table = explainer.explain(rejected.iloc[[0]], count=2)
    assert answer.to_frame()["changed"].tolist() == table.to_frame()["changed"].tolist()


def test_rows_as_a_list_of_mappings_are_rows(explainer, rejected) -> None:
    answer = explainer.explain(rejected.astype(object).to_dict("records"), count=1)
    assert len(answer.outcomes) == len(rejected)


def test_values_that_training_never_showed_stay_exactly(explainer, rejected) -> None:
    odd = rejected.head(4).assign(city="atlantis", income=98765.4321, age=150)
    answer = explainer.sample(odd, target="bad", samples=40)
    for column in ("city", "income", "age"):
        kept = ~answer.changed[:, odd.columns.get_loc(column)]
        assert kept.any()
        assert (found(answer)[column][kept] == odd[column].iloc[0]).all()


def test_an_unseen_category_can_be_explained(explainer, rejected, pipeline) -> None:
    odd = rejected.assign(city="atlantis")
    answer = explainer.explain(odd, target="good", samples=200)
    assert len(answer.row) > 0
    assert (pipeline.predict(found(answer)) == "good").all()


def test_a_category_that_the_query_does_not_know_yet_can_be_the_answer(explainer, rejected) -> None:
    rows = rejected[rejected["grade"] == "low"].astype({"grade": pd.CategoricalDtype(["low"], ordered=True)})
    answer = explainer.sample(rows, constraints=[Mutable("grade")])
    assert set(found(answer)["grade"]) <= {"mid", "high"}
    assert len(answer.row) > 0


def test_labels_of_an_index_may_repeat(explainer, rejected) -> None:
    rows = rejected.set_axis(["twice"] * 2 + ["once"] * (len(rejected) - 2), axis=0)
    answer = explainer.sample(rows, samples=30, row_constraints={"twice": [Mutable("age")]})
    assert (answer.changed[answer.row < 2].sum(axis=1) == 1).all()
    assert (answer.changed[answer.row >= 2].sum(axis=1) > 1).any()
    assert answer.to_frame()["factual"].tolist() == rows.index.take(answer.row).tolist()


def test_an_index_of_several_levels_names_the_factuals(explainer, rejected) -> None:
    labels = pd.MultiIndex.from_product([["a", "b"], range(len(rejected) // 2)], names=["half", "number"])
    answer = explainer.explain(rejected.set_axis(labels, axis=0), row_constraints={("b", 1): [Mutable("age")]})
    own = answer.row == len(rejected) // 2 + 1
    assert (answer.changed[own].sum(axis=1) == 1).all()
    assert answer.to_frame()["factual"].tolist() == labels.take(answer.row).tolist()
