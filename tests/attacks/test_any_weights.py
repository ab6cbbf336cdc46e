"""Constraints hold whatever the weights of the networks are, and weights that are no numbers are refused."""

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import CounterFlowNet, Immutable, Increasing, MaxChanges, Range, Temperature, TrainingSettings
from counterflownet.errors import InvalidInputError, TrainingError

TINY = {"steps": 3, "batch_rows": 16, "width": 16}


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 80, 300),
            "income": draw.normal(30, 10, 300).round(1),
            "job": draw.choice(["cook", "clerk", "pilot"], 300),
        }
    )


def approves(rows: pd.DataFrame) -> np.ndarray:
    return 1 / (1 + np.exp(30 - rows["income"].to_numpy(dtype=float)))


def fitted(people: pd.DataFrame, **training) -> CounterFlowNet:
    return CounterFlowNet(approves, classes=["no", "yes"], training={**TINY, **training}).fit(people, progress=False)


@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf, 1e38])
def test_constraints_hold_under_weights_that_are_no_numbers(people, weight) -> None:
    explainer = fitted(people)
    with torch.no_grad():
        for tensor in explainer._learned.model.parameters():
            tensor.fill_(weight)
    asked = people[people["income"] < 28].head(40)
    rules = [Immutable("job"), Increasing("age"), Range("income", 10, 45), MaxChanges(2)]
    samples = explainer.sample(asked, target="yes", samples=20, constraints=rules)
    before, after = asked.iloc[samples.row].reset_index(drop=True), samples.counterfactuals
    assert len(samples.row) > 100
    assert (after["job"] == before["job"]).all()
    assert (after["age"] >= before["age"]).all()
    assert after["income"].between(10, 45).all()
    assert samples.changed.sum(axis=1).max() <= 2
    assert after["age"].isin([*explainer.schema["age"].values, *people["age"]]).all()


def test_a_training_that_blows_up_is_an_error_that_says_what_to_lower(people, tmp_path) -> None:
    kept = tmp_path / "run.checkpoint"
    explainer = CounterFlowNet(
        approves, classes=["no", "yes"], training={**TINY, "learning_rate": 1e38, "steps": 20, "window": 5}
    )
    with pytest.raises(TrainingError, match=r"no longer finite after \d+ steps with learning_rate=1e\+38\. Lower it"):
        explainer.fit(people, progress=False, checkpoint=kept)
    assert not kept.exists()  # nobody resumes from what is broken


@pytest.mark.parametrize("name", ["learning_rate", "log_flow_rate", "huber", "gradient_norm"])
def test_infinite_settings_of_the_training_are_refused(name) -> None:
    with pytest.raises(InvalidInputError, match=f"TrainingSettings.{name} must be at least .* and finite; got inf"):
        TrainingSettings(**{name: np.inf})


def test_an_infinite_temperature_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"Temperature\.beta must be at least 0 and finite; got inf"):
        Temperature(beta=np.inf)


def test_a_search_without_end_is_refused(people) -> None:
    with pytest.raises(InvalidInputError, match="seconds must be a finite number above 0; got inf"):
        fitted(people).explain(people.head(1), seconds=np.inf)
