"""The rows by which a loaded explainer recognises its classifier."""

import numpy as np

from counterflownet.explain.probe import KEPT, ROWS, Probe
from counterflownet.reward.ranks import Ranks


def test_of_all_rows_some_are_kept_from_the_least_certain_to_the_most_certain() -> None:
    likely = np.random.default_rng(0).permutation(np.linspace(0.5, 0.9, ROWS))
    probe = Probe(np.arange(ROWS)[:, None], np.column_stack([1 - likely, likely]))
    kept = probe.some()
    certain = kept.probabilities.max(axis=1)
    assert len(kept.codes) == KEPT
    assert (certain[0], certain[-1]) == (0.5, 0.9)
    assert (np.diff(certain) > 0).all()
    assert np.array_equal(likely[kept.codes[:, 0]], kept.probabilities[:, 1])


def test_predictions_are_compared_in_deviations_of_those_of_training_rows() -> None:
    probe = Probe(np.zeros((2, 1), dtype=np.int64), np.array([[100.0], [300.0]]))
    assert probe.comparable(Ranks.of(np.array([0.0, 400.0]))).tolist() == [[0.5], [1.5]]
    assert probe.comparable(None) is probe.probabilities
