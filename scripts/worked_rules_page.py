"""Writes docs/how-to/worked-rules.md: the text of worked_rules_page.md with what its code prints.

``--run`` runs the code anew; Adult is read from the folder that COUNTERFLOWNET_DATA names.
"""

import json
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TEXT = ROOT / "scripts" / "worked_rules_page.md"
PAGE = ROOT / "docs" / "how-to" / "worked-rules.md"
PRINTED = ROOT / "docs" / "how-to" / "worked-rules" / "printed.json"
BLOCK = re.compile(r"^```(?:python|py)\n(.*?)^```\n\n\{(.*?)\}$", re.DOTALL | re.MULTILINE)


def page() -> str:
    """The whole page."""
    text = TEXT.read_text(encoding="utf-8")
    for name, printed in json.loads(PRINTED.read_text(encoding="utf-8")).items():
        text = text.replace(f"{{{name}}}", f"```text\n{printed}```")
    return text


def printed_anew() -> dict[str, str]:
    """What each block of code prints, run after those above it."""
    names: dict[str, Any] = {}
    return {name: _printed(code, names) for code, name in BLOCK.findall(TEXT.read_text(encoding="utf-8"))}


def _printed(code: str, names: dict[str, Any]) -> str:
    told = StringIO()
    with redirect_stdout(told):
        exec(compile(code, str(TEXT), "exec"), names)  # noqa: S102 - the code of our own page
    return told.getvalue()


if __name__ == "__main__":
    if "--run" in sys.argv:
        PRINTED.parent.mkdir(exist_ok=True)
        PRINTED.write_text(json.dumps(printed_anew(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
