"""Damaged model files, by the hundred: each is a clear error or a sound model; none ends the process."""

import sys
from importlib import import_module
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"


KINDS = ["skops, support vector machine", "skops, random forest", "skops, gradient boosting", "onnx, random forest"]


def test_a_damaged_model_is_a_clear_error_or_a_sound_model(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    found = import_module("damage_models").figures(KINDS, count=100, seed=1)
    assert set(found["bad"].values()) == {0}
    for counts in found["kinds"].values():
        assert sum(counts.values()) == 100
        assert counts["a clear error"] > 30
