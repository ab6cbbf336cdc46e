"""The commands as users give them, with what is bundled and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def bundled_data_only(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("COUNTERFLOWNET_DATA", raising=False)
    monkeypatch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "results.jsonl"


@pytest.fixture
def error_line(capsys) -> Callable[[], str]:
    """The one line that a command said instead of doing its work."""

    def read() -> str:
        told = capsys.readouterr().err
        assert told.startswith("counterflownet: ")
        assert told.count("\n") == 1
        return told

    return read
