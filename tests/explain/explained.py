"""Ways to look at an explanation that several tests share."""

import numpy as np
import pandas as pd

from counterflownet import (
    Explanation,
    Outcome,
)


def differs(old: pd.Series, new: pd.Series) -> np.ndarray:
    """Where two columns differ; two missing values do not."""
    texts = [column.astype(object).where(column.notna(), "missing") for column in (old, new)]
    return texts[0].to_numpy() != texts[1].to_numpy()


def begun_as(answer: Explanation) -> pd.DataFrame:
    """The factual of each counterfactual."""
    return answer.factuals.iloc[answer.row].reset_index(drop=True)


def found(answer: Explanation) -> pd.DataFrame:
    """The counterfactuals as a table of the user's own columns, which come first."""
    return answer.to_frame().iloc[:, : answer.factuals.shape[1]]


def kinds(answer: Explanation) -> list[Outcome]:
    return [row.outcome for row in answer.outcomes]


# What rounding may move by a little when a classifier is asked about more rows at once.
INEXACT = ["reward", "validity", "proximity", "plausibility", "probability_before", "probability"]


def same_rows(one: Explanation, other: Explanation) -> float:
    """The share of factuals, found by their labels, for which both explanations say the same."""
    left, right = (answer.to_frame() for answer in (one, other))
    return float(np.mean([_same(*(f[f["factual"] == label] for f in (left, right))) for label in one.factuals.index]))


def _same(left: pd.DataFrame, right: pd.DataFrame) -> bool:
    exact = [frame.drop(columns=INEXACT).reset_index(drop=True) for frame in (left, right)]
    near = [frame[INEXACT].to_numpy() for frame in (left, right)]
    return exact[0].equals(exact[1]) and np.allclose(*near, atol=1e-6)
