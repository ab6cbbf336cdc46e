"""Explanations as ``explain`` would return them, without a classifier or a fit."""

import numpy as np
import pandas as pd

from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome

FACTUALS = pd.DataFrame(
    {"months": [36, 24], "checking_account": ["< 0 DM", "none"], "ratio": [0.5, 0.25]}, index=[17, 18]
)

VARIED = [(0, {"months": 12}), (0, {"ratio": 0.1}), (0, {"months": 3}), (0, {"ratio": 0.2})]  # 1 with 3, 2 with 4


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
    changed = changed.reshape(len(row), factuals.shape[1])
    counts = np.bincount(row, minlength=len(factuals))
    kinds = [
        Outcome.COMPLETE if count >= asked else Outcome.PARTIAL if count else Outcome.NONE_VALID for count in counts
    ]
    fields: dict[str, object] = {
        "valid": np.ones(len(row), dtype=np.bool_),
        "reward": np.linspace(0.9, 0.5, len(row)),
        "strategy": _strategies(row, changed),
        "probability": np.linspace(0.52, 0.9, len(row)),
        "probability_before": np.linspace(0.31, 0.04, len(factuals)),
        "terms": {"validity": np.ones(len(row)), "proximity": np.linspace(0.8, 0.4, len(row))},
        "targets": ("good",) * len(factuals),
        "predicted": ("bad",) * len(factuals),
        "outcomes": tuple(RowOutcome(kind) for kind in kinds),
    }
    return Explanation(
        factuals=factuals, counterfactuals=found, row=row, rank=rank, changed=changed, asked=asked, **(fields | others)
    )


def _strategies(row: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """Sets of changed columns, counted within each row as they come."""
    seen: dict[int, list[bytes]] = {}
    for of, flags in zip(row.tolist(), changed, strict=True):
        sets = seen.setdefault(of, [])
        sets.extend([flags.tobytes()] if flags.tobytes() not in sets else [])
    pairs = zip(row.tolist(), changed, strict=True)
    return np.array([seen[of].index(flags.tobytes()) + 1 for of, flags in pairs], dtype=np.int64)


def many(row_count: int, per_row: int) -> Explanation:
    factuals = pd.DataFrame({"months": range(100, 100 + row_count)})
    return explanation(factuals, [(row, {"months": new}) for row in range(row_count) for new in range(per_row)])
