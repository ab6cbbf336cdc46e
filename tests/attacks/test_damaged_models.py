"""Damaged model files, by the hundred: each is a clear error or a whole model; none ends the process."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from counterflownet.cli.skops_model import load_skops
from counterflownet.errors import SavedFileError

SCRIPTS = Path(__file__).parents[2] / "scripts"
KINDS = ["skops, support vector machine", "skops, random forest", "skops, gradient boosting", "onnx, random forest"]


@pytest.fixture(autouse=True)
def scripts(monkeypatch) -> None:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])


def test_a_damaged_model_is_a_clear_error_or_a_whole_model():
    found = import_module("damage_models").figures(KINDS, count=100, seed=1)
    assert set(found["bad"].values()) == {0}
    for counts in found["kinds"].values():
        assert sum(counts.values()) == 100
        assert counts["a clear error"] > 30


@pytest.mark.parametrize("way", ["flipped", "cut", "overwritten"])
def test_an_accident_never_changes_the_answers_of_a_skops_file(way, tmp_path):
    originals, damage = import_module("model_originals"), import_module("model_damage")
    whole, rows, path = originals.original("skops, logistic regression"), originals.rows(), tmp_path / "model.skops"
    path.write_bytes(whole)
    expected = load_skops(path).predict_proba(rows)
    refused = 0
    for number in range(200):
        path.write_bytes(getattr(damage, way)(whole, np.random.default_rng(number)))
        try:
            assert np.array_equal(load_skops(path).predict_proba(rows), expected)
        except SavedFileError:
            refused += 1
    assert refused > 100
