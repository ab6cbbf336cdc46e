"""A limit of training is a limit of answers."""

import pandas as pd
from sklearn.linear_model import LogisticRegression

from counterflownet import CounterFlowNet


def test_what_training_may_change_at_most_answers_change_at_most(tmp_path) -> None:
    X = pd.DataFrame({"a": range(40), "b": range(40, 0, -1), "c": [1, 2] * 20})
    model = LogisticRegression().fit(X, X["a"] > 20)
    settings = {"steps": 5, "batch_rows": 16, "width": 16, "max_changes": 1}
    explainer = CounterFlowNet(model, training=settings).fit(X)
    explainer.save(tmp_path / "limited.cfn")
    for some in (explainer, CounterFlowNet.load(tmp_path / "limited.cfn", model)):
        assert some.sample(X, samples=20).changed.sum(axis=1).max() == 1
