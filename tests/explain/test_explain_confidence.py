"""The probability that answers must reach, and rows of any origin judged by the same reward."""

import numpy as np
import pandas as pd
import pytest
from explained import begun_as, kinds

from counterflownet import CounterFlowNet, Outcome
from counterflownet.errors import InvalidInputError


@pytest.mark.parametrize("confidence", [0.55, 0.7, 0.9])
def test_answers_reach_the_confidence_that_is_asked_for(explainer, rejected, confidence) -> None:
    answer = explainer.explain(rejected, confidence=confidence)
    assert len(answer.row) >= 8
    assert (answer.probability >= confidence).all()
    assert answer.confidence == confidence
    assert explainer.explain(rejected).probability.min() < confidence


def test_rows_above_the_confidence_need_no_answer_and_rows_below_it_do(explainer, people, pipeline) -> None:
    likely = pipeline.predict_proba(people)[:, list(pipeline.classes_).index("good")]
    rows = people[likely > 0.5].head(12)
    above = likely[likely > 0.5][:12] >= 0.8
    assert 0 < above.sum() < 12
    answer = explainer.explain(rows, target="good", confidence=0.8, count=1)
    assert [kind is Outcome.ALREADY_TARGET for kind in kinds(answer)] == above.tolist()
    assert set(answer.row.tolist()) == set(np.flatnonzero(~above).tolist())
    assert (answer.probability >= 0.8).all()
    assert set(kinds(explainer.explain(rows, target="good"))) == {Outcome.ALREADY_TARGET}


def test_a_confidence_below_all_others_still_asks_for_the_lead(three_way_explainer, people) -> None:
    answer = three_way_explainer.explain(people.head(12), target="maybe", confidence=0.1)
    assert answer.valid.all()
    low = three_way_explainer.explain(people.head(12), target="maybe")
    assert answer.probability.tolist() == low.probability.tolist()


@pytest.mark.parametrize("confidence", [1.01, -0.1, "high", True, float("nan")])
def test_what_is_no_probability_is_an_error(explainer, rejected, confidence) -> None:
    for ask in (explainer.explain, lambda rows, **told: explainer.score(rows, rows, **told)):
        with pytest.raises(InvalidInputError, match="confidence must be"):
            ask(rejected, confidence=confidence)


@pytest.mark.parametrize("confidence", [None, 0.7])
def test_the_score_of_an_answer_is_its_own(explainer, people, confidence) -> None:
    answer = explainer.explain(people.head(20), confidence=confidence)
    factuals, found = begun_as(answer), answer.counterfactuals
    score = explainer.score(factuals, found, target=[answer.targets[row] for row in answer.row], confidence=confidence)
    assert list(score.columns) == ["valid", "probability", "reward", *answer.terms]
    assert score["valid"].all()
    np.testing.assert_allclose(score["probability"], answer.probability)
    np.testing.assert_allclose(score["reward"], answer.reward, rtol=1e-5)
    for name, values in answer.terms.items():
        np.testing.assert_allclose(score[name], values, rtol=1e-5)


def test_rows_of_other_origin_are_judged_even_values_that_no_training_row_has(explainer, rejected, pipeline) -> None:
    other = rejected.assign(age=41, income=1234.5678, since=pd.Timestamp("2023-03-03"), city="oslo")
    other.index = [f"mine {number}" for number in range(len(other))]
    score = explainer.score(rejected, other, target="good")
    assert score.index.tolist() == other.index.tolist()
    likely = pipeline.predict_proba(other)[:, list(pipeline.classes_).index("good")]
    np.testing.assert_allclose(score["probability"], likely)
    assert score["valid"].tolist() == (likely > 0.5).tolist()
    assert ((score["reward"] >= 0) & (score["reward"] <= 1)).all()


def test_a_smaller_change_has_the_higher_proximity_and_none_the_highest(explainer, rejected) -> None:
    ages = [rejected.assign(age=rejected["age"] + step) for step in (0, 1, 7)]
    none, small, large = (explainer.score(rejected, rows, target="good") for rows in ages)
    assert (none["proximity"] == 1.0).all()
    assert (none["sparsity"] == 1.0).all()
    assert (small["proximity"] > large["proximity"]).all()
    assert (small["proximity"] < 1).all()


def test_cells_that_stay_missing_are_no_change(explainer, people) -> None:
    gaps = people[people[["income", "job", "visits"]].isna().any(axis=1)]
    score = explainer.score(gaps, gaps.copy(), target="good")
    assert (score["proximity"] == 1.0).all()


def test_columns_in_another_order_are_judged_the_same(explainer, rejected, people) -> None:
    other = rejected.assign(age=50)
    turned = explainer.score(rejected[people.columns[::-1]], other[people.columns[::-1]], target="good")
    pd.testing.assert_frame_equal(turned, explainer.score(rejected, other, target="good"))


def test_each_factual_takes_one_counterfactual(explainer, rejected) -> None:
    with pytest.raises(InvalidInputError, match=r"one counterfactual for each factual; got 3 for 8\. Repeat"):
        explainer.score(rejected, rejected.head(3), target="good")


def test_the_outcome_tells_how_many_edited_rows_were_tried(plain, tiny) -> None:
    seen = []

    def never(rows: pd.DataFrame) -> np.ndarray:
        seen.append(rows.copy())
        return np.full(len(rows), 0.2)

    explainer = CounterFlowNet(never, classes=["no", "yes"], weights={"plausibility": 0.0}, training=tiny).fit(plain)
    seen.clear()
    (outcome,) = explainer.explain(plain.head(1)).outcomes
    tried = int(outcome.detail.split()[0].replace(",", ""))
    assert outcome.detail == f"{tried:,} edited rows were tried"
    assert outcome.outcome is Outcome.NONE_VALID
    assert tried == sum(map(len, seen))  # the first question is about the row itself and its single changes
    assert tried > 30
