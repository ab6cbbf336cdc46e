"""The page of measured numbers: what its script makes of the results in the repository, and nothing else."""

import importlib.util
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def performance(monkeypatch):
    """The script, found by its path, as are the scripts that it imports."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    spec = importlib.util.spec_from_file_location("performance", SCRIPTS / "performance.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_page_is_what_its_script_makes_of_the_results(performance) -> None:
    assert performance.PAGE.read_text(encoding="utf-8") == performance.page()


def test_every_result_names_its_benchmark_and_the_version(performance) -> None:
    names = [name for chapter in performance.CHAPTERS for name in chapter.results]
    results = [(name, result) for name in names for result in performance.lines(name)]
    assert results
    for name, result in results:
        assert result["benchmark"] == name
        assert result["version"]
