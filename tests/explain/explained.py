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


def same_rows(one: Explanation, other: Explanation) -> float:
    """The share of factuals, found by their labels, for which both explanations say the same."""
    left, right = (answer.to_frame() for answer in (one, other))
    labels = one.factuals.index
    equal = [
        left[left["factual"] == label]
        .drop(columns=["reward", "validity", "proximity", "plausibility"])
        .reset_index(drop=True)
        .equals(
            right[right["factual"] == label]
            .drop(columns=["reward", "validity", "proximity", "plausibility"])
            .reset_index(drop=True)
        )
        for label in labels
    ]
    return float(np.mean(equal))
