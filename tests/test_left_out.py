"""Tests that need data which is not there are left out, counted and named as such; with data they can be run alone."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
TESTS = """
import pytest

@pytest.fixture
def table(published_folder):
    return (published_folder / "table.csv").read_text()

def test_reads(table):
    assert table == "hello"

@pytest.mark.needs_data
def test_marked():
    pass

def test_without():
    pass

def test_skipped_for_another_reason():
    pytest.skip("no luck")
"""


@pytest.fixture
def project(tmp_path) -> Path:
    """A project with our conftest.py, four tests, and a folder with data."""
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\nmarkers = needs_data: as ours\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "table.csv").write_text("hello")
    return tmp_path


def lines(project: Path, *options: str, data: Path | None = None) -> list[str]:
    others = {name: value for name, value in os.environ.items() if name != "COUNTERFLOWNET_DATA"}
    done = subprocess.run(  # noqa: S603 - our own tests
        [sys.executable, "-m", "pytest", "-q", *options],
        cwd=project,
        env=others if data is None else {**others, "COUNTERFLOWNET_DATA": str(data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("options", [[], ["--numprocesses", "2"]], ids=["one process", "two processes"])
def test_the_last_lines_count_what_was_left_out_and_say_how_to_get_it(project, options) -> None:
    *_, told, counts = lines(project, *options)
    assert told.startswith("2 tests were left out: they need data sets that are not bundled. `counterflownet datasets`")
    assert told.endswith("then set COUNTERFLOWNET_DATA=FOLDER.")
    assert counts.startswith("1 passed, 3 skipped")


def test_with_data_nothing_is_left_out(project) -> None:
    told = lines(project, data=project / "data")
    assert told[-1].startswith("3 passed, 1 skipped")
    assert "left out" not in "\n".join(told)


def test_those_that_need_data_can_be_run_alone(project) -> None:
    told = lines(project, "-m", "needs_data", data=project / "data")
    assert told[-1].startswith("2 passed, 2 deselected")


def test_a_missing_browser_is_told_in_one_line() -> None:
    root = runpy.run_path(str(CONFTEST))
    reason = runpy.run_path(str(CONFTEST.parent / "tests" / "serve" / "browser" / "reasons.py"))["REASON"]
    told: list[str] = []
    skipped = [SimpleNamespace(longrepr=("file", 1, f"Skipped: {reason}"))] * 3
    root["pytest_terminal_summary"](SimpleNamespace(stats={"skipped": skipped}, write_line=told.append))
    assert [line for line in told if line] == [f"The page was not tested: that {reason}"]


def test_missing_spark_is_told_in_one_line() -> None:
    root = runpy.run_path(str(CONFTEST))
    reason = runpy.run_path(str(CONFTEST.parent / "tests" / "batch" / "test_engines.py"))["LEFT_OUT"]
    told: list[str] = []
    skipped = [SimpleNamespace(longrepr=("file", 1, f"Skipped: {reason}"))]
    root["pytest_terminal_summary"](SimpleNamespace(stats={"skipped": skipped}, write_line=told.append))
    assert [line for line in told if line] == [f"The example of Spark was not tested: that {reason}"]
