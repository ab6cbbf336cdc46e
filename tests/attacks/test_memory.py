"""Wide tables are fitted and explained within a limit of memory, which does not grow with the number of rows."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited and measured as Linux does it")

SCRIPT = Path(__file__).with_name("wide_table.py")


def explained(kind: str, columns: int, rows: int, megabytes: int) -> str:
    command = [sys.executable, str(SCRIPT), kind, str(columns), str(rows), str(megabytes)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)  # noqa: S603
    assert ended.returncode == 0, ended.stderr[-2_000:]
    return ended.stdout


def test_a_hundred_columns_take_no_more_for_many_rows() -> None:
    told = explained("text", 100, 400, megabytes=800)  # of 400 rows, all their states at once took more
    assert int(told.split()[0]) > 400


def test_two_thousand_columns_are_fitted_and_explained() -> None:
    assert "MB above the imports" in explained("number", 2_000, 2, megabytes=6_000)
