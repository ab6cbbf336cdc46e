"""The page of attacks shows the figures that lie beside it, and they are what is promised."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def attacks_page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import attacks_page  # noqa: PLC0415 - it is no package

    yield attacks_page
    sys.modules.pop("attacks_page")


def test_the_page_was_made_from_the_figures(attacks_page) -> None:
    made_again = "run: python scripts/attacks_page.py"
    assert attacks_page.PAGE.read_text(encoding="utf-8") == attacks_page.page(), made_again


def test_a_million_answers_broke_no_promise() -> None:
    lines = (ROOT / "docs" / "attacks" / "fuzz.jsonl").read_text(encoding="utf-8").splitlines()
    tables = [json.loads(line) for line in lines]
    assert sum(table["answers"] for table in tables) >= 1_000_000
    assert [table["seed"] for table in tables if table["breaches"]] == []


def test_no_solver_disagreed_and_no_rule_was_broken() -> None:
    for name, wrong in (("rule_masks", "disagreements"), ("rule_fuzz", "breaches")):
        lines = (ROOT / "docs" / "attacks" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) > 0
        assert [line for line in lines if json.loads(line)[wrong]] == []


def test_no_damaged_file_went_unnoticed_or_crashed() -> None:
    files, models = (
        json.loads((ROOT / "docs" / "attacks" / f"{name}.json").read_text()) for name in ("files", "models")
    )
    assert files["files_of_each_kind"] >= 1_000
    assert files["silent_differences"] == files["errors_not_ours"] == 0
    assert models["files_of_each_kind"] >= 1_000
    assert models["crashes"] == 0
