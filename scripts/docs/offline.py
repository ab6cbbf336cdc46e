"""Fails the build if a page would ask another host for anything: the site must be whole without a network.

Links that a reader may follow are no requests; scripts, styles, fonts, pictures and frames are.
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

FOREIGN = r"""\s*["']?\s*(?:https?:)?//"""
STYLE = rf"(?:url\(|@import\s){FOREIGN}[^)\s;]*"
LOADED = rf"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?(?:src|srcset|data)\s*={FOREIGN}[^>]*>"
LINKED = rf"<(?:link|image|use|script)\b[^>]*?href\s*={FOREIGN}[^>]*>"
REQUESTS = {
    ".html": re.compile(f"{STYLE}|{LOADED}|{LINKED}", re.IGNORECASE),
    ".svg": re.compile(f"{STYLE}|{LINKED}", re.IGNORECASE),
    ".css": re.compile(STYLE, re.IGNORECASE),
}


def on_post_build(config: MkDocsConfig) -> None:
    """Read everything that was built."""
    found = foreign_requests(Path(config.site_dir))
    if found:
        raise PluginError("the site would ask other hosts:\n  " + "\n  ".join(found))


def foreign_requests(folder: Path) -> list[str]:
    """What the files of a site would ask other hosts for, each with its file."""
    return [
        f"{path.relative_to(folder)}: {request[0].strip()}"
        for path in sorted(folder.rglob("*"))
        if path.suffix in REQUESTS
        for request in REQUESTS[path.suffix].finditer(path.read_text(encoding="utf-8"))
    ]
