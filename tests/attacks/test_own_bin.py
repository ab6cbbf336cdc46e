"""A value that may not stay can become the value behind its own code."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Bins, CounterFlowNet, MaxChanges, Outcome, Range, Schema


@pytest.fixture(scope="module")
def explainer() -> CounterFlowNet:
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"x": draw.integers(0, 101, 300), "y": draw.random(300).round(2)})

    def high(rows: pd.DataFrame) -> np.ndarray:
        return 1 / (1 + np.exp(5 - 10 * rows["y"].to_numpy(dtype=float)))

    schema = Schema.infer(table, bins={"x": Bins(count=10, strategy="uniform", distinct=False)})
    tiny = {"steps": 3, "batch_rows": 16, "width": 16}
    return CounterFlowNet(high, classes=["no", "yes"], schema=schema, training=tiny).fit(table, progress=False)


OUTSIDE = pytest.mark.parametrize(
    ("x", "low", "high"), [(1000, 90, 100), (-7, 0, 9), (41, 42, 49)], ids=["above all", "below all", "within a bin"]
)


@OUTSIDE
def test_samples_change_a_value_outside_the_range_to_the_one_inside_that_shares_its_code(
    explainer, x, low, high
) -> None:
    rows = pd.DataFrame({"x": [x], "y": [0.2]})
    inside = [value for value in explainer.schema["x"].values if low <= value <= high]
    assert len(inside) == 1
    samples = explainer.sample(rows, target="yes", constraints=[Range("x", low, high), MaxChanges(2)])
    assert set(samples.counterfactuals["x"]) == set(inside)


@OUTSIDE
def test_an_answer_changes_it_to_the_nearest_value_inside(explainer, x, low, high) -> None:
    rows = pd.DataFrame({"x": [x], "y": [0.2]})
    answer = explainer.explain(rows, target="yes", count=1, constraints=[Range("x", low, high), MaxChanges(2)])
    assert answer.outcomes[0].outcome is Outcome.COMPLETE
    assert answer.counterfactuals["x"].tolist() == [min(max(x, low), high)]
    assert answer.changed.all()


def test_samples_of_such_a_row_are_diagnosed(explainer) -> None:
    rows = pd.DataFrame({"x": [1000], "y": [0.2]})
    told = explainer.diagnose(rows, target="yes", samples=50, pool=100, constraints=[Range("x", 90, 100)])
    assert told.rows["total_variation"].between(0, 1).all()
