"""The page of questions of numbers is made from result lines, and says where a bar is missed."""

import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
LINE = {
    "table": "cars",
    "columns": "7 of 7",
    "method": "counterflownet",
    "answers": 10,
    "inside": 1.0,
    "answered_rows": [0, 1],
    "changes": 1.5,
    "distance": 2.0,
    "seconds_per_row": 0.1,
    "fit_seconds": 20.0,
    "version": "0.1.0",
    "cores": 2,
    "threads": 1,
    "load_before": 1.0,
}


@pytest.fixture
def regression_page(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import regression_page  # noqa: PLC0415 - it is no package

    yield regression_page
    for name in ("regression_page", "common"):
        sys.modules.pop(name)


def test_the_page_was_made_from_the_lines_that_are_kept(regression_page) -> None:
    kept = regression_page.page(regression_page.lines(regression_page.NAME))
    assert regression_page.PAGE.read_text(encoding="utf-8") == kept, "run: python bench/scripts/regression_page.py"


def test_every_table_is_compared_with_the_other_library(regression_page) -> None:
    of = {(one["table"], one["columns"], one["method"]) for one in regression_page.lines(regression_page.NAME)}
    assert {table for table, *_ in of} == set(regression_page.TABLES)
    assert all((table, columns, "dice-random") in of for table, columns, _ in of)


def test_rows_that_somebody_else_answers_are_reachable(regression_page) -> None:
    other = LINE | {"method": "dice-random", "answered_rows": [0, 1, 2, 3], "seconds_per_row": 0.4}
    told = regression_page.page([LINE, other])
    assert "50.0% of 4" in told
    assert ">= 99% (missed)" in told
    assert "100% (met)" in told
    assert "| dice-random takes so many times as long per row | 4 to 4 |" in told


def test_the_newest_line_counts(regression_page) -> None:
    assert "90.0%" not in regression_page.page([LINE | {"inside": 0.9}, LINE])
    assert "100% (missed)" in regression_page.page([LINE, LINE | {"inside": 0.9}])
