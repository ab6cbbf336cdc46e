"""axe-core's rules of accessibility, applied to a page as it is."""

from pathlib import Path
from typing import Any

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[tuple[str, list[str]]]:
    """The rules that are broken, each with the elements that break it."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]
