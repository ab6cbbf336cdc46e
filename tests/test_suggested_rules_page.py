"""The page of suggested rules shows what is found: read anew where the tables are at hand, compared everywhere."""

import json
import sys
from pathlib import Path

import pytest

from counterflownet import Schema, suggest_rules
from counterflownet.tabular.rule import Rule

ROOT = Path(__file__).parents[1]


@pytest.fixture
def rules_page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import suggested_rules_page  # noqa: PLC0415 - it is no package

    yield suggested_rules_page
    sys.modules.pop("suggested_rules_page")


def found_on(rules_page) -> dict[str, dict]:
    return {table["name"]: table for table in json.loads(rules_page.FOUND.read_text(encoding="utf-8"))}


def test_the_page_was_made_from_what_was_found(rules_page) -> None:
    made_again = "run: python scripts/suggested_rules_page.py"
    assert rules_page.PAGE.read_text(encoding="utf-8") == rules_page.page(), made_again


def test_bundled_tables_still_suggest_the_same(rules_page) -> None:
    found = found_on(rules_page)
    for name, frame in rules_page.bundled():
        assert rules_page._found(name, frame) == found[name], "run: python scripts/suggested_rules_page.py --read"


def test_published_tables_still_suggest_the_same(rules_page, published_folder) -> None:
    assert rules_page.found_anew(published_folder) == list(found_on(rules_page).values())


def test_no_row_of_a_published_table_breaks_a_rule_suggested_for_it(rules_page, published_folder) -> None:
    for _, frame in rules_page.tables(published_folder):
        schema = Schema.infer(frame)
        rules = [rule for rule in suggest_rules(frame).rules if isinstance(rule, Rule)]
        others = frame.sample(frac=1, random_state=0)
        assert all(rule.kept(schema, others, frame).all() for rule in rules)


def test_adult_says_what_every_reader_of_it_knows(rules_page) -> None:
    (first, *others) = [code for _, code in found_on(rules_page)["Adult, all rows"]["rules"]]
    assert first == "Derived.lookup('education-num', 'education', X)"
    assert sorted(others) == [
        "Immutable('native-country')",
        "Immutable('race')",
        "Immutable('sex')",
        "Increasing('age')",
    ]
