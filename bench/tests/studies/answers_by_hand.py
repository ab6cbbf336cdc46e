"""A table so small that everything about its answers can be counted by hand, and a model that is one sum."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from counterflownet_bench.studies.answers_checks import GivenAnswers
from counterflownet_bench.studies.answers_judge import Judge
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_space import TableSpace

COLUMNS = ["income", "debt", "grade", "colour"]
GRADES, COLOURS = ["low", "mid", "high"], ["red", "green", "blue"]
TRAIN = pd.DataFrame(
    {
        "income": np.arange(12) % 10,
        "debt": (np.arange(12) * 7) % 10,
        "grade": [GRADES[place % 3] for place in range(12)],
        "colour": [COLOURS[place % 3] for place in range(12)],
    }
)
SPACE = TableSpace.of(TRAIN, categories={"grade": GRADES, "colour": COLOURS}, ordered=("grade",))


class Sum:
    """Approves from a sum of five on: income less debt, two for each grade, three for blue."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, rows: pd.DataFrame) -> np.ndarray:
        grade = rows["grade"].map({name: place for place, name in enumerate(GRADES)}).astype(float)
        total = rows["income"] - rows["debt"] + 2 * grade + 3 * (rows["colour"] == "blue")
        yes = np.where(total >= 5, 0.9, 0.2)
        return np.column_stack([1 - yes, yes])


JUDGE = Judge(SPACE, Sum(), wanted=1)


def frame(*rows: tuple) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=COLUMNS).astype(TRAIN.dtypes.to_dict())


def states(*rows: tuple) -> np.ndarray:
    return SPACE.coordinates(frame(*rows))


def given(own: tuple, *answers: tuple, rules: Rules | None = None) -> GivenAnswers:
    """These answers of one row."""
    row = np.zeros(len(answers), dtype=np.int64)
    return GivenAnswers(JUDGE, rules or Rules(), row, states(own)[row], states(*answers))


class StandIn:
    """Answers as they were written down, and rewards: one tenth for each change less than ten."""

    def __init__(self, answers: dict[tuple, list[tuple]]) -> None:
        self.answers = answers
        self.asked: list[dict] = []

    def explain(self, rows: pd.DataFrame, *, count: int, **asked) -> SimpleNamespace:
        self.asked.append(asked | {"count": count})
        found = [self.answers.get(tuple(row), [])[:count] for row in rows.itertuples(index=False)]
        row = np.repeat(np.arange(len(found)), [len(each) for each in found])
        return SimpleNamespace(row=row, counterfactuals=frame(*(answer for each in found for answer in each)))

    def score(self, factuals: pd.DataFrame, counterfactuals: pd.DataFrame, *, target=None) -> pd.DataFrame:
        assert target == "yes"
        changes = (factuals.to_numpy() != counterfactuals.to_numpy()).sum(axis=1)
        return pd.DataFrame({"reward": 1.0 - changes / 10})
