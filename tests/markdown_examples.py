"""The examples on a page of Markdown, and what a reader would do with them."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def run(page: Path) -> dict[str, object]:
    """Every name that is known after the page's Python was run from top to bottom."""
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102
    return names


def commands(page: Path, program: str) -> list[list[str]]:
    """The arguments of every command line that begins with ``program``."""
    text = "\n".join(blocks(page, "bash")).replace("\\\n", " ")
    lines = (shlex.split(line, comments=True) for line in text.splitlines())
    return [words[1:] for words in lines if words[:1] == [program]]
