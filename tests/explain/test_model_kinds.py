"""Every kind of model that people bring works at the first try, and says the same as without us."""

import warnings

import numpy as np
import pytest
from model_kinds import HARD, KINDS, Brought, X

from counterflownet import CounterFlowNet, as_classifier
from counterflownet.errors import HardLabelsWarning

TINY = {"steps": 3, "batch_rows": 16, "width": 16, "passes": 1}


@pytest.fixture(params=sorted(KINDS))
def brought(request: pytest.FixtureRequest) -> Brought:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KINDS[request.param]()


def test_there_are_as_many_kinds_as_promised() -> None:
    assert len(KINDS) >= 40


@pytest.mark.filterwarnings("ignore::counterflownet.errors.HardLabelsWarning")
@pytest.mark.filterwarnings("ignore::counterflownet.errors.WeakDirectionWarning")
def test_any_model_is_explained_at_the_first_try(brought: Brought) -> None:
    explainer = CounterFlowNet(brought.model, classes=brought.classes, training=TINY, weights={"plausibility": 0})
    said = np.array(explainer.classes)[explainer.classifier.probabilities(X).argmax(axis=1)]
    assert said.tolist() == np.asarray(brought.says(X)).tolist()
    others = said[said != said[0]]  # none if a model says the same of every row
    if len(others):
        answer = explainer.fit(X).explain(X.iloc[:1], target=others[0], count=1, rounds=1)
        assert brought.says(answer.counterfactuals)[0] == others[0]


@pytest.mark.parametrize("kind", HARD)
def test_what_is_lost_without_probabilities_is_said_once(kind: str) -> None:
    brought = KINDS[kind]()
    classifier = as_classifier(brought.model, classes=brought.classes)
    with pytest.warns(HardLabelsWarning, match="confidence= cannot ask for more") as told:
        probabilities = [classifier.probabilities(X), classifier.probabilities(X.iloc[:3])]
    assert len(told) == 1
    assert set(np.unique(probabilities[0])) == {0.0, 1.0}
