"""The page of rules on real tables shows what its code prints."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def worked(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import worked_rules_page  # noqa: PLC0415 - it is no package

    yield worked_rules_page
    sys.modules.pop("worked_rules_page")


def test_the_page_was_made_from_what_was_printed(worked) -> None:
    made_again = "run: python scripts/worked_rules_page.py"
    assert worked.PAGE.read_text(encoding="utf-8") == worked.page(), made_again


def test_every_block_has_its_answers_and_all_rows_of_the_page_have_some(worked) -> None:
    printed = json.loads(worked.PRINTED.read_text(encoding="utf-8"))
    names = [name for _, name in worked.BLOCK.findall(worked.TEXT.read_text(encoding="utf-8"))]
    assert list(printed) == names
    assert all("1.  " in text for text in printed.values())
    assert sum(text.count("follows: ") for text in printed.values()) >= 4
