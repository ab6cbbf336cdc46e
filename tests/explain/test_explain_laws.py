"""What is promised of every answer, checked by exhaustive search over the training values of every changed column."""

import numpy as np
import pandas as pd
import pytest
from explained import kinds, same_rows
from laws import dominated, loose, strategies, superfluous, valid_by

from counterflownet import (
    CounterFlowNet,
    Decreasing,
    Explanation,
    Increasing,
    MaxChanges,
    MaxStep,
    OneOf,
    Outcome,
    Range,
)

RULES = [
    Increasing("age"),
    Decreasing("share"),
    Range("income", 35.5, 55.5),
    MaxStep("visits", 3),
    OneOf("city", ["rome", "oslo"]),
    MaxChanges(4),
]


def permitted(column: str, old, new) -> bool:
    """What the rules leave of a single cell."""
    if column == "income":
        return pd.isna(new) or 35.5 <= new <= 55.5
    if column == "city":
        return new in {"rome", "oslo"}
    if pd.isna(old) or pd.isna(new):
        return True
    steps = {"age": new >= old, "share": new <= old} if column in {"age", "share"} else {}
    return bool(steps.get(column, column != "visits" or abs(new - old) <= 3))


CALLS = {
    "plain": {},
    "many": {"count": 25},
    "confident": {"confidence": 0.75},
    "constrained": {"constraints": RULES},
    "best only": {"count": 3, "diversity": 0.0},
}


@pytest.fixture(scope="module", params=CALLS)
def asked(request) -> dict[str, object]:
    return CALLS[request.param]


@pytest.fixture(scope="module")
def answer(explainer, people, asked) -> Explanation:
    found = explainer.explain(people.head(24), **asked)
    assert len(found.row) > 20
    return found


@pytest.fixture(scope="module")
def valid(pipeline, answer, asked):
    return valid_by(pipeline, answer, asked.get("confidence", 0.0))


def test_every_answer_is_valid(answer, valid) -> None:
    assert valid(answer.counterfactuals, answer.row).all()
    assert answer.valid.all()


def test_no_change_can_be_undone(answer, valid, asked) -> None:
    rules = {"permitted": permitted} if "constraints" in asked else {}
    assert superfluous(answer, valid, **rules) == []


def test_no_change_can_be_smaller(answer, people, valid, asked) -> None:
    rules = {"permitted": permitted} if "constraints" in asked else {}
    assert loose(answer, people, valid, **rules) == []


def test_no_answer_is_dominated(answer) -> None:
    assert dominated(answer) == []


def test_answers_have_the_same_strategy_exactly_if_they_change_the_same_way(answer) -> None:
    own = strategies(answer)
    numbered = list(zip(answer.row.tolist(), answer.strategy.tolist(), strict=True))
    for one in range(len(answer.row)):
        for other in range(one):
            assert (own[one] == own[other]) == (numbered[one] == numbered[other])


def test_strategies_are_counted_from_one_in_the_order_of_their_best(answer) -> None:
    for row in np.unique(answer.row):
        seen = answer.strategy[answer.row == row].tolist()
        assert list(dict.fromkeys(seen)) == list(range(1, max(seen) + 1))


def test_no_two_answers_to_a_row_are_equal(answer) -> None:
    assert not answer.counterfactuals.astype(object).assign(row=answer.row).duplicated().any()


def test_the_probabilities_are_what_the_classifier_says(answer, pipeline, people) -> None:
    target = [list(pipeline.classes_).index(label) for label in answer.targets]
    before = pipeline.predict_proba(people.head(24))[np.arange(24), target]
    after = pipeline.predict_proba(answer.counterfactuals)[np.arange(len(answer.row)), np.take(target, answer.row)]
    np.testing.assert_allclose(answer.probability_before, before)
    np.testing.assert_allclose(answer.probability, after)


def test_constraints_hold_in_every_cell(explainer, people) -> None:
    answer = explainer.explain(people.head(24), constraints=RULES)
    old = answer.factuals.iloc[answer.row].reset_index(drop=True)
    for column in people.columns:
        cells = zip(old[column], answer.counterfactuals[column], strict=True)
        assert all(permitted(column, before, after) for before, after in cells)
    assert (answer.changed.sum(axis=1) <= 4).all()


@pytest.mark.parametrize("how", [{"chunk_rows": 1}, {"chunk_rows": 7}])
def test_the_same_answers_come_in_chunks_of_any_size(explainer, people, answer, asked, how) -> None:
    cut = explainer.explain(people.head(24), **asked, **how)
    assert same_rows(answer, cut) == 1.0
    assert kinds(cut) == kinds(answer)


def test_the_same_answers_come_in_any_order_of_the_rows(explainer, people, answer, asked) -> None:
    turned = explainer.explain(people.head(24).iloc[::-1], **asked)
    assert same_rows(answer, turned) == 1.0


def test_loose_and_superfluous_changes_are_there_where_they_may_be(explainer, people, pipeline) -> None:
    """The laws themselves can fail: answers as they are sampled break them."""
    raw = explainer.explain(people.head(24), minimal=False, tight=False)
    valid = valid_by(pipeline, raw)
    assert valid(raw.counterfactuals, raw.row).all()
    assert superfluous(raw, valid)
    assert loose(raw, people, valid)


def test_more_classes_keep_the_same_laws(three_way_explainer, people, three_way) -> None:
    answer = three_way_explainer.explain(people.head(16), target="maybe")
    valid = valid_by(three_way, answer)
    assert len(answer.row) > 20
    assert valid(answer.counterfactuals, answer.row).all()
    assert (superfluous(answer, valid), loose(answer, people, valid), dominated(answer)) == ([], [], [])


def test_rows_at_the_borders_of_constraints_stop_there(people, tiny) -> None:
    """No training row has 47.25; the classifier wants all that is allowed."""

    def wants(rows: pd.DataFrame) -> np.ndarray:
        return (rows["income"].fillna(0.0).to_numpy() >= 47.2).astype(float)

    model = CounterFlowNet(wants, classes=["no", "yes"], training=tiny).fit(people)
    poor = people[people["income"] < 40].head(4)
    near = people["income"].between(47.2, 47.3)
    answer = model.explain(poor, target="yes", count=1, constraints=[Range("income", 0, 47.25)])
    assert not near.any()
    assert kinds(answer) == [Outcome.COMPLETE] * 4
    assert answer.counterfactuals["income"].tolist() == [47.25] * 4
