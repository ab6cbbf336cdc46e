"""What is returned was checked: each constraint on the decoded row, and the classifier asked once more."""

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet, Range
from counterflownet.errors import LeftOutWarning, UnstableClassifierWarning
from counterflownet.tabular.codec import Codec

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


def fitted(people: pd.DataFrame, model: Callable[[pd.DataFrame], np.ndarray] = approves) -> CounterFlowNet:
    return CounterFlowNet(model, classes=["no", "yes"], training=TINY).fit(people, progress=False)


def test_answers_that_come_back_altered_are_left_out_and_told(people, monkeypatch) -> None:
    explainer, decode = fitted(people), Codec.decode
    asked = people[people["income"] < 28].head(10)

    def older(self: Codec, states: object) -> pd.DataFrame:
        rows = decode(self, states)
        return rows.assign(age=rows["age"].where(np.arange(len(rows)) % 2 == 0, 101))

    whole = explainer.explain(asked, target="yes", constraints=[Range("age", 18, 80)])
    monkeypatch.setattr(Codec, "decode", older)
    with pytest.warns(LeftOutWarning, match=r"\d+ answers broke a constraint.* left out.* report it"):
        answer = explainer.explain(asked, target="yes", constraints=[Range("age", 18, 80)])
    assert 0 < len(answer.row) < len(whole.row)
    assert (answer.counterfactuals["age"] <= 80).all()
    assert [rank for row in range(10) for rank in answer.rank[answer.row == row]] == [
        rank + 1 for row in range(10) for rank in range((answer.row == row).sum())
    ]
    with pytest.warns(LeftOutWarning):
        samples = explainer.sample(asked, target="yes", constraints=[Range("age", 18, 80)])
    assert (samples.counterfactuals["age"] <= 80).all()


def test_a_noisy_classifier_is_told_with_its_rate_and_believed_only_twice(people) -> None:
    draw = np.random.default_rng(1)

    def moody(rows: pd.DataFrame) -> np.ndarray:
        return np.clip(approves(rows) + draw.normal(0, 0.4, len(rows)), 0, 1)

    explainer, asked = fitted(people, moody), people[people["income"] < 28].head(30)
    with pytest.warns(UnstableClassifierWarning, match=r"changed its mind about \d+ \(\d+%\)"):
        answer = explainer.explain(asked, target="yes")
    assert answer.valid.all()
    with pytest.warns(UnstableClassifierWarning, match=r"eval mode"):
        explainer.sample(asked, target="yes")


def test_a_classifier_that_depends_on_the_rows_beside_is_told(people) -> None:
    def compares(rows: pd.DataFrame) -> np.ndarray:
        income = rows["income"].to_numpy(dtype=float)
        return 1 / (1 + np.exp(income.mean() - income))

    explainer = fitted(people, compares)
    with pytest.warns(UnstableClassifierWarning):
        explainer.explain(people.head(30), target="yes")


def test_a_steady_classifier_causes_no_warning(people) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fitted(people).explain(people[people["income"] < 28].head(20), target="yes").valid.all()
