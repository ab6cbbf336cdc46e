"""German Credit, ready to be served: a scorecard, an explainer that was fitted to it, and applicants it rejects."""

from importlib.resources import as_file, files

import pandas as pd

from counterflownet.datasets import Dataset, german_credit
from counterflownet.explain import CounterFlowNet
from counterflownet.serve.demo.scorecard import Scorecard
from counterflownet.tabular.constraint import Immutable, Increasing
from counterflownet.tabular.rule import Constraint

REJECTED, ACCEPTED = 35, 5


def demo_model() -> Scorecard:
    """The scorecard."""
    with as_file(files(__package__) / "scorecard.json") as path:
        return Scorecard.read(path)


def demo_explainer() -> CounterFlowNet:
    """The explainer, from the file that ``scripts/bundle_demo.py`` made: nothing is fitted, so it starts at once."""
    with as_file(files(__package__) / "german_credit.cfn") as path:
        return CounterFlowNet.load(path, demo_model())


def demo_rows(model: Scorecard) -> pd.DataFrame:
    """Some applicants that the scorecard rejects, and a few that it accepts."""
    X = german_credit().X
    good = model.predict_proba(X)[:, 1]
    rejected = X[(good > 0.2) & (good < 0.45)].head(REJECTED)
    return pd.concat([rejected, X[good >= 0.5].head(ACCEPTED)]).rename(lambda label: f"applicant {label + 1}")


def demo_constraints() -> list[Constraint]:
    """What applicants cannot change, and what only time does."""
    data: Dataset = german_credit()
    return [*(Immutable(name) for name in data.immutable), *(Increasing(name) for name in data.increasing)]
