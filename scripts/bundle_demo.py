"""Makes what `counterflownet serve` shows without arguments: a scorecard for German Credit, and its explainer.

Both are committed: the page starts at once, and whoever opens a link to it sees the same answers. The table is public
and comes with the library, so the rows that the explainer keeps tell nothing new. Run: python scripts/bundle_demo.py
"""

import argparse
import json
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from counterflownet import CounterFlowNet
from counterflownet.datasets import german_credit
from counterflownet.serve.demo.scorecard import Scorecard

FOLDER = Path(__file__).parents[1] / "src" / "counterflownet" / "serve" / "demo"
KNOTS = {
    "duration_months": [4, 12, 24, 48, 72],
    "credit_amount": [250, 1500, 4000, 8000, 18500],
    "installment_rate": [1, 4],
    "residence_since": [1, 4],
    "age": [19, 25, 35, 50, 75],
    "existing_credits": [1, 4],
    "dependents": [1, 2],
}


def hats(numbers: pd.Series, knots: list[float]) -> np.ndarray:
    """A column for each knot: 1 at it, 0 at the others, straight lines between."""
    return np.column_stack([np.interp(numbers, knots, np.eye(len(knots))[k]) for k in range(len(knots))])


def design(X: pd.DataFrame) -> tuple[np.ndarray, list[tuple[str, object]]]:
    """All that points are given for, as columns of numbers, and what each is."""
    columns, names = [], []
    for name in X.columns:
        if name in KNOTS:
            columns.append(hats(X[name], KNOTS[name]))
            names += [(name, at) for at in KNOTS[name]]
        else:
            values = sorted(X[name].unique().tolist(), key=str)
            columns.append(np.column_stack([X[name] == value for value in values]).astype(float))
            names += [(name, value) for value in values]
    return np.concatenate(columns, axis=1), names


def scorecard() -> dict[str, object]:
    data = german_credit()
    features, names = design(data.X)
    regression = LogisticRegression(C=0.5, max_iter=5_000)
    right = cross_val_score(regression, features, data.y, cv=5).mean()
    print(f"the scorecard is right about {right:.1%} of rows it has not seen")
    regression.fit(features, data.y)
    points = dict(zip(names, regression.coef_[0].round(3).tolist(), strict=True))
    words: dict[str, dict[str, float]] = {}
    for name, value in (key for key in names if key[0] not in KNOTS):
        words.setdefault(name, {})[str(value).lower() if isinstance(value, bool) else str(value)] = points[name, value]
    knots = {name: [at, [points[name, place] for place in at]] for name, at in KNOTS.items()}
    classes = regression.classes_.tolist()
    return {"classes": classes, "start": round(float(regression.intercept_[0]), 3), "words": words, "knots": knots}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long the explainer is fitted at most")
    parser.add_argument("--steps", type=int, default=1_500, help="training steps of the explainer")
    options = parser.parse_args()
    path = FOLDER / "scorecard.json"
    path.write_text(json.dumps(scorecard(), indent=1) + "\n", encoding="utf-8")
    training = {"steps": options.steps, "width": 96, "preferences": True}
    explainer = CounterFlowNet(Scorecard.read(path), training=training, seed=0)
    explainer.fit(german_credit().X, minutes=options.minutes)
    saved = explainer.save(FOLDER / "german_credit.cfn")
    print(f"{saved}: {saved.stat().st_size:,} bytes\n{explainer.history}")


if __name__ == "__main__":
    main()
