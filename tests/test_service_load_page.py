"""The page of figures is made from what was measured, and what must never happen did not."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def load_page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import service_load_page  # noqa: PLC0415 - it is no package

    yield service_load_page
    sys.modules.pop("service_load_page")


def test_the_page_was_made_from_what_was_measured(load_page) -> None:
    made_again = "run: python scripts/service_load_page.py"
    assert load_page.PAGE.read_text(encoding="utf-8") == load_page.page(), made_again


def test_no_answer_was_lost_or_wrong(load_page) -> None:
    found = json.loads(load_page.FIGURES.read_text(encoding="utf-8"))
    assert [crowd["outcomes"] for crowd in found["crowds"]] == [{"right": n["requests"]} for n in found["crowds"]]
    assert found["killed"]["wrong"] == found["killed"]["other_after"] == 0
    assert found["killed"]["right_after"] > 0
