"""Makes pages of the site out of files that lie outside ``docs/``, and lets links point to them as they do on disk.

A link is written the way it is right in the repository (``../bench/REPORT.md``), so that it can be followed there
too; here it is turned into the way between two pages of the site.
"""

import re
from pathlib import Path
from posixpath import relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

BORROWED = ("CHANGELOG.md", "SECURITY.md", "bench/*.md", "bench/*.svg", "bench/studies/*.md", "bench/studies/*.svg")
GENERATED = ("bench/STUDIES.md",)  # may not have been made yet: then the site does without
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Leave out what has not been made yet."""
    root = _root(config)
    config.nav = _without(config.nav, [name for name in GENERATED if not (root / name).exists()])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the borrowed files under the paths they have in the repository."""
    root = _root(config)
    for path in sorted({path for pattern in BORROWED for path in root.glob(pattern)}):
        name = path.relative_to(root).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_: Any) -> str:
    """Turn links between files into links between pages."""
    uris = {Path(file.abs_src_path).resolve(): file.src_uri for file in files if file.abs_src_path}
    source = Path(str(page.file.abs_src_path))

    def turned(link: re.Match[str]) -> str:
        uri = uris.get((source.parent / link[2]).resolve())
        return link[0] if uri is None else link[1] + relpath(uri, Path(page.file.src_uri).parent.as_posix()) + link[3]

    return LINK.sub(turned, markdown)


def _root(config: MkDocsConfig) -> Path:
    return Path(config.docs_dir).resolve().parent


def _without(nav: Any, absent: list[str]) -> Any:
    """The navigation without entries of absent pages."""
    if isinstance(nav, list):
        return [_without(entry, absent) for entry in nav if not _names(entry, absent)]
    if isinstance(nav, dict):
        return {title: _without(entry, absent) for title, entry in nav.items()}
    return nav


def _names(entry: Any, absent: list[str]) -> bool:
    return isinstance(entry, dict) and any(value in absent for value in entry.values() if isinstance(value, str))
