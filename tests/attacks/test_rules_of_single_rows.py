"""Many rows with rules of their own: each row keeps its own, and the time is in proportion to the rows."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet, Explanation, IfThen, LessEqual, Outcome, Rises, RisesBy
from timing import least_seconds


@pytest.fixture(scope="module")
def explainer() -> CounterFlowNet:
    draw = np.random.default_rng(0)
    income = draw.normal(30, 10, 300).round(1)
    people = pd.DataFrame({"age": draw.integers(18, 80, 300), "income": income, "net": (0.7 * income).round(1)})

    def approves(rows: pd.DataFrame) -> np.ndarray:
        return 1 / (1 + np.exp(30 - rows["income"].to_numpy(dtype=float)))

    tiny = {"steps": 3, "batch_rows": 16, "width": 16}
    return CounterFlowNet(approves, classes=["no", "yes"], training=tiny).fit(people, progress=False)


def _rows(count: int) -> pd.DataFrame:
    return pd.DataFrame({"age": [30] * count, "income": [20.0] * count, "net": [14.0] * count})


def test_rows_with_the_same_rule_of_their_own_are_asked_like_rows_with_a_rule_for_all(explainer) -> None:
    def asked(**constraints) -> Explanation:
        return explainer.explain(_rows(200), target="yes", **constraints)

    rule = [LessEqual("net", "income", offset=10)]
    own = {row: [LessEqual("net", "income", offset=10)] for row in range(200)}
    pd.testing.assert_frame_equal(asked(row_constraints=own).to_frame(), asked(constraints=rule).to_frame())
    for_all = least_seconds(lambda: asked(constraints=rule))
    assert least_seconds(lambda: asked(row_constraints=own)) < 3 * for_all  # it used to be forty times


def test_different_rules_of_many_rows_take_time_in_proportion(explainer) -> None:
    def ask(count: int) -> None:
        own = {row: [LessEqual("net", "income", offset=6 + row / count)] for row in range(count)}
        answer = explainer.explain(_rows(count), target="yes", row_constraints=own)
        room = answer.counterfactuals["income"] - answer.counterfactuals["net"]
        assert (room.to_numpy() >= 6 + answer.row / count - 1e-9).all()

    few, many = (least_seconds(lambda count=count: ask(count)) for count in (24, 96))
    assert many < 6 * few  # four times the rows


def test_each_row_has_its_own_consequence(explainer) -> None:
    own = {row: [IfThen(Rises("income"), RisesBy("age", at_least=1 + row), as_="consequence")] for row in range(30)}
    answer = explainer.explain(_rows(30), target="yes", count=1, row_constraints=own)
    assert {row.outcome for row in answer.outcomes} == {Outcome.COMPLETE}
    assert (answer.counterfactuals["age"] - 30).tolist() == (1 + answer.row).tolist()
    assert answer.follows[:, 0].all()
