"""Writes docs/how-to/suggested-rules.md: the text of suggested_rules_page.md with the rules found on published tables.

``--read`` finds them anew, in the data sets of COUNTERFLOWNET_DATA and two tables of scikit-learn.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn import datasets

from counterflownet import suggest_rules
from counterflownet.datasets import german_credit

ROOT = Path(__file__).parents[1]
TEXT = ROOT / "scripts" / "suggested_rules_page.md"
PAGE = ROOT / "docs" / "how-to" / "suggested-rules.md"
FOUND = ROOT / "docs" / "how-to" / "suggested-rules" / "found.json"
FOLDER = "COUNTERFLOWNET_DATA"
PUBLISHED = {
    "adult_full": "Adult, all rows",
    "adult_protocol_a": "Adult of Protocol A",
    "bank_marketing": "Bank Marketing",
    "credit_default": "Credit Default",
    "lending_club": "Lending Club",
    "student_performance": "Student Performance",
}


def page() -> str:
    """The whole page."""
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    return TEXT.read_text(encoding="utf-8").replace("{tables}", "\n".join(_section(**table) for table in found))


def _section(name: str, heading: str, rules: list[list[str]]) -> str:
    lines = "\n".join(f"    # {sentence}\n    {code}," for sentence, code in rules)
    shown = f"[\n{lines}\n]" if rules else "[]"
    return f"### {name}\n\n{heading[0].upper()}{heading[1:]}.\n\n```text\n{shown}\n```\n"


def found_anew(folder: Path) -> list[dict[str, Any]]:
    """What is suggested for each table."""
    return [_found(name, frame) for name, frame in tables(folder)]


def tables(folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables by the names they have on the page, without the column to be predicted."""
    for place, name in PUBLISHED.items():
        target = json.loads((folder / place / "dataset.json").read_text(encoding="utf-8"))["target"]
        files = [folder / place / "train.csv", folder / place / f"{place}.csv"]
        yield name, pd.read_csv(next(file for file in files if file.exists())).drop(columns=target)
    yield from bundled()


def bundled() -> Iterator[tuple[str, pd.DataFrame]]:
    """Those that come with the library and with scikit-learn."""
    german = german_credit().X
    yield "German Credit", german
    yield "German Credit with one column per category", pd.get_dummies(german[["housing", "purpose", "sex", "age"]])
    yield "Breast cancer (scikit-learn)", datasets.load_breast_cancer(as_frame=True).data
    yield "Wine (scikit-learn)", datasets.load_wine(as_frame=True).data


def _found(name: str, frame: pd.DataFrame) -> dict[str, Any]:
    suggestions = suggest_rules(frame)
    rules = [[one.sentence, one.code] for one in suggestions]
    return {"name": name, "heading": suggestions.heading, "rules": rules}


if __name__ == "__main__":
    if "--read" in sys.argv:
        FOUND.write_text(json.dumps(found_anew(Path(os.environ[FOLDER])), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
