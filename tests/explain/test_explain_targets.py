"""The class asked for: the other one of two, one for all rows, or one for each."""

import numpy as np
import pandas as pd
import pytest
from explained import found


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
    assert len(answer) > 0


def test_one_of_three_classes_is_reached(three_way_explainer, three_way, people) -> None:
    answer = three_way_explainer.explain(people.head(20), target="maybe", count=3)
    assert set(three_way.predict(found(answer))) == {"maybe"}
    assert {answer.predicted[row] for row in answer.row} == {"no", "yes"}
