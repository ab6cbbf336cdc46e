"""What a user's function is given is a copy: nothing it does to its tables reaches the answers."""

import numpy as np
import pandas as pd

from counterflownet import CounterFlowNet, Immutable, RowTerm


def rewriting(rows: pd.DataFrame, factuals: pd.DataFrame) -> np.ndarray:
    rows["age"] = rows["age"] // 100
    factuals["income"] = -1.0
    return np.ones(len(rows))


def test_a_term_that_rewrites_its_tables_changes_no_answer() -> None:
    draw = np.random.default_rng(0)
    people = pd.DataFrame({"age": draw.integers(18, 80, 200), "income": draw.normal(30, 10, 200).round(1)})
    seen = []

    def watching(_rows: pd.DataFrame, factuals: pd.DataFrame) -> np.ndarray:
        seen.append(bool((factuals["income"] == -1.0).any()))
        return np.ones(len(factuals))

    def approves(rows: pd.DataFrame) -> np.ndarray:
        return 1 / (1 + np.exp(30 - rows["income"].to_numpy(dtype=float)))

    explainer = CounterFlowNet(
        approves,
        classes=["no", "yes"],
        terms=[(RowTerm("rewriting", rewriting), 0.5), (RowTerm("watching", watching), 0.5)],
        training={"steps": 3, "batch_rows": 16, "width": 16},
    ).fit(people, progress=False)
    answer = explainer.explain(people[people["income"] < 25].head(5), target="yes", constraints=[Immutable("age")])
    kept = answer.factuals["age"].to_numpy()[answer.row]
    assert len(answer.row)
    assert (answer.counterfactuals["age"].to_numpy() == kept).all()
    assert not any(seen)
