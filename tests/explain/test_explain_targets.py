"""The class asked for: the other one of two, one for all rows, or one for each; or any of several."""

import numpy as np
import pandas as pd
import pytest
from explained import found

from counterflownet import AnyOf, AtLeast, By, CounterFlowNetError, Not


def test_the_default_target_of_two_classes_is_the_other_one(explainer, people, pipeline) -> None:
    answer = explainer.explain(people.head(12), count=2)
    predicted = pipeline.predict(people.head(12))
    assert answer.predicted == tuple(predicted)
    assert answer.targets == tuple(np.where(predicted == "good", "bad", "good"))
    assert (pipeline.predict(found(answer)) == np.array(answer.targets)[answer.row]).all()


@pytest.mark.parametrize("as_given", [list, np.array, pd.Series, pd.Categorical], ids=lambda kind: kind.__name__)
def test_each_row_can_have_a_target_of_its_own(three_way_explainer, three_way, people, as_given) -> None:
    rows = people.head(9)
    wanted = ["yes", "no", "maybe"] * 3
    answer = three_way_explainer.explain(rows, target=as_given(wanted), count=3)
    assert answer.targets == tuple(wanted)
    assert (three_way.predict(found(answer)) == np.array(wanted)[answer.row]).all()
    assert len(answer.row) > 0


def test_one_of_three_classes_is_reached(three_way_explainer, three_way, people) -> None:
    answer = three_way_explainer.explain(people.head(20), target="maybe", count=3)
    assert set(three_way.predict(found(answer))) == {"maybe"}
    assert {answer.predicted[row] for row in answer.row} == {"no", "yes"}


@pytest.mark.parametrize("target", [AnyOf("maybe", "yes"), Not("no")], ids=repr)
def test_any_of_several_classes_will_do(three_way_explainer, three_way, people, target) -> None:
    rows = people[three_way.predict(people) == "no"].head(12)
    answer = three_way_explainer.explain(rows, target=target, count=3)
    assert set(three_way.predict(found(answer))) <= {"maybe", "yes"}
    assert answer.targets == (target,) * len(rows)
    together = three_way.predict_proba(found(answer))[:, [list(three_way.classes_).index(x) for x in ("maybe", "yes")]]
    assert answer.probability == pytest.approx(together.sum(axis=1))
    assert len(answer.row) == 3 * len(rows)


def test_one_of_several_classes_takes_no_more_than_the_easiest_of_them(three_way_explainer, three_way, people) -> None:
    rows = people[three_way.predict(people) == "no"].head(12)
    best = [three_way_explainer.explain(rows, target=target, count=1).reward for target in ("yes", "maybe", Not("no"))]
    assert (best[2] >= np.maximum(best[0], best[1]) - 0.05).all()


def test_of_two_classes_all_but_one_is_the_other(explainer, people) -> None:
    rows = people.head(12)
    one, same, again = (explainer.explain(rows, target=x, count=2) for x in ("good", Not("bad"), AnyOf("good")))
    pd.testing.assert_frame_equal(one.to_frame(), same.to_frame())
    pd.testing.assert_frame_equal(one.to_frame(), again.to_frame())
    assert same.targets == one.targets
    assert not hasattr(one, "prediction")


def test_samples_of_several_classes_are_judged_by_all_of_them(three_way_explainer, three_way, people) -> None:
    rows = people[three_way.predict(people) == "no"].head(5)
    drawn = three_way_explainer.sample(rows, target=Not("no"), samples=8)
    assert (drawn.valid == (three_way.predict(found(drawn)) != "no")).all()


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (AnyOf("yes", "perhaps"), "unknown target class 'perhaps'.*'maybe'"),
        (AnyOf("no", "maybe", "yes"), "every row is in one of them"),
        (Not("no", "maybe", "yes"), "no class is left"),
        (AtLeast(0.7), r"this model gives classes.*confidence=0.7"),
        ([By(0.2)], "asks for a number"),
    ],
    ids=repr,
)
def test_what_cannot_be_asked_of_a_classifier_is_told(three_way_explainer, people, target, told) -> None:
    with pytest.raises(CounterFlowNetError, match=told):
        three_way_explainer.explain(people.head(1), target=target)
