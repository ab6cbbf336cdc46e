"""A row whose constraints exclude each other gets its outcome, at once, and takes nothing from the others."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet, Decreasing, Immutable, Increasing, MaxChanges, Outcome, Range
from timing import least_seconds


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame({"age": draw.integers(18, 80, 300), "income": draw.normal(30, 10, 300).round(1)})


@pytest.fixture(scope="module")
def explainer(people) -> CounterFlowNet:
    def approves(rows: pd.DataFrame) -> np.ndarray:
        return 1 / (1 + np.exp(30 - rows["income"].to_numpy(dtype=float)))

    tiny = {"steps": 3, "batch_rows": 16, "width": 16}
    return CounterFlowNet(approves, classes=["no", "yes"], training=tiny).fit(people, progress=False)


def test_one_contradictory_row_leaves_the_others_their_answers(explainer) -> None:
    rows = pd.DataFrame({"age": [30, 50], "income": [20.0, 20.0]})
    rules = [Range("age", low=40), Immutable("age"), MaxChanges(1)]
    answer = explainer.explain(rows, target="yes", count=1, constraints=rules)
    assert [row.outcome for row in answer.outcomes] == [Outcome.CONTRADICTION, Outcome.COMPLETE]
    assert "leave no value for 'age', which is 30" in answer.outcomes[0].reason
    assert set(answer.row.tolist()) == {1}


@pytest.mark.parametrize("ask", ["sample", "diagnose"])
def test_samples_and_diagnoses_pass_over_contradictory_rows(explainer, ask) -> None:
    rows = pd.DataFrame({"age": [30, 50], "income": [20.0, 20.0]}, index=["young", "old"])
    told = getattr(explainer, ask)(rows, target="yes", constraints=[Range("age", low=40), Immutable("age")])
    asked = told.rows.index.tolist() if ask == "diagnose" else told.factuals.index.take(told.row).unique().tolist()
    assert asked == ["old"]


def _alike(row: int) -> list:
    return [Range("age", low=40), Increasing("income"), Immutable("age")]


def _different(row: int) -> list:
    return [Range("age", low=31 + row / 1_000), Increasing("income"), Immutable("age")]


@pytest.mark.parametrize("own", [_alike, _different])
def test_many_rows_with_contradictions_of_their_own_take_time_in_proportion(explainer, own) -> None:
    def ask(count: int) -> None:
        rows = pd.DataFrame({"age": [30] * count, "income": [20.0] * count})
        answer = explainer.explain(rows, target="yes", row_constraints={row: own(row) for row in range(count)})
        assert all(row.outcome is Outcome.CONTRADICTION for row in answer.outcomes)

    few, many = (least_seconds(lambda count=count: ask(count)) for count in (125, 1_000))
    assert many < 14 * few  # eight times the rows; it used to grow with their square


def test_rows_with_contradictions_of_their_own_take_no_longer_than_rows_with_answers(explainer) -> None:
    rows = pd.DataFrame({"age": [30] * 1_000, "income": [20.0] * 1_000})

    own = {row: _alike(row) for row in range(1_000)}
    plain = least_seconds(lambda: explainer.explain(rows, target="yes"))
    assert least_seconds(lambda: explainer.explain(rows, target="yes", row_constraints=own)) < 1.5 * plain


def test_a_row_whose_own_constraints_exclude_each_other_leaves_the_others_their_answers(explainer) -> None:
    rows = pd.DataFrame({"age": [30, 50], "income": [20.0, 20.0]}, index=["odd", "even"])
    own = {"odd": [Increasing("age"), Decreasing("age")]}
    answer = explainer.explain(rows, target="yes", count=1, row_constraints=own)
    assert [row.outcome for row in answer.outcomes] == [Outcome.CONTRADICTION, Outcome.COMPLETE]
    assert "Increasing('age') and Decreasing('age') contradict each other" in answer.outcomes[0].reason
    assert explainer.sample(rows, target="yes", row_constraints=own).row.min() == 1
