"""Explanations as ``explain`` would return them, without a classifier or a fit."""

import numpy as np
import pandas as pd

from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome

FACTUALS = pd.DataFrame(
    {"months": [36, 24], "checking_account": ["< 0 DM", "none"], "ratio": [0.5, 0.25]}, index=[17, 18]
)


def explanation(
    factuals: pd.DataFrame, changes: list[tuple[int, dict[str, object]]], *, asked: int = 1, **others: object
) -> Explanation:
    """One counterfactual per (row, new values), as ``explain`` would return it."""
    row = np.array([row for row, _ in changes], dtype=np.int64)
    found = factuals.iloc[row].reset_index(drop=True)
    for number, (_, values) in enumerate(changes):
        for column, value in values.items():
            found.loc[number, column] = value
    rank = pd.Series(row).groupby(row).cumcount().to_numpy(np.int64) + 1
    changed = np.array([[column in values for column in factuals.columns] for _, values in changes], dtype=np.bool_)
    counts = np.bincount(row, minlength=len(factuals))
    kinds = [
        Outcome.COMPLETE if count >= asked else Outcome.PARTIAL if count else Outcome.NONE_VALID for count in counts
    ]
    fields: dict[str, object] = {
        "valid": np.ones(len(row), dtype=np.bool_),
        "reward": np.linspace(0.9, 0.5, len(row)),
        "terms": {"validity": np.ones(len(row)), "proximity": np.linspace(0.8, 0.4, len(row))},
        "targets": ("good",) * len(factuals),
        "predicted": ("bad",) * len(factuals),
        "outcomes": tuple(RowOutcome(kind) for kind in kinds),
    }
    changed = changed.reshape(len(row), factuals.shape[1])
    return Explanation(
        factuals=factuals, counterfactuals=found, row=row, rank=rank, changed=changed, asked=asked, **(fields | others)
    )


def many(row_count: int, per_row: int) -> Explanation:
    factuals = pd.DataFrame({"months": range(100, 100 + row_count)})
    return explanation(factuals, [(row, {"months": new}) for row in range(row_count) for new in range(per_row)])
