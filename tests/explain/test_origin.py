"""Where answers come from: constraints are kept with them, and fingerprints tell models and explainers apart."""

import numpy as np

from counterflownet import CounterFlowNet, Immutable, Increasing


def test_an_explanation_knows_under_what_it_was_asked_for(explainer, rejected) -> None:
    label = rejected.index[0]
    own = {label: [Increasing("income")]}
    answer = explainer.explain(rejected.head(2), constraints=[Immutable("age")], row_constraints=own)
    assert answer.origin.assumed(label) == [Immutable("age"), Increasing("income")]
    assert answer.origin.assumed(rejected.index[1]) == [Immutable("age")]
    assert answer.origin.fingerprint == explainer.fingerprint


def test_a_saved_explainer_keeps_its_fingerprint(explainer, pipeline, tmp_path) -> None:
    again = CounterFlowNet.load(explainer.save(tmp_path / "e.cfn"), pipeline)
    assert again.fingerprint == explainer.fingerprint


def test_another_seed_is_another_explainer_of_the_same_model(plain) -> None:
    def rises(rows) -> np.ndarray:
        return rows["a"].to_numpy()

    def falls(rows) -> np.ndarray:
        return 1 - rows["a"].to_numpy()

    tiny = {"steps": 2, "batch_rows": 8, "width": 16}
    prints = [
        CounterFlowNet(model, classes=["no", "yes"], training=tiny, seed=seed).fit(plain, progress=False).fingerprint
        for model, seed in ((rises, 0), (rises, 1), (falls, 0))
    ]
    assert prints[0].model == prints[1].model != prints[2].model
    assert len({one.explainer for one in prints}) == 3
