"""The sentences of letters: one JSON file for each language, any of them replaced by what a template says."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from counterflownet.errors import InvalidInputError, check_one_of, unknown_name

FREE = ("column:", "value:", "class:")  # names and values under which they are to appear


class Texts:
    """Sentences by name, with places such as ``$column`` to be filled."""

    def __init__(self, language: str, own: Mapping[str, str] | str | Path | None = None) -> None:
        self.language = language
        self._texts = {**known_texts(language), **_own(own, language)}

    def __call__(self, name: str, **parts: Any) -> str:
        """The sentence of this name, filled; a place that a template misspells stays as it is."""
        return Template(self._texts[name]).safe_substitute(parts)

    def named(self, kind: str, name: str) -> str | None:
        """What a template calls a column, a value or a class; None if it does not say."""
        return self._texts.get(f"{kind}:{name}")


def languages() -> list[str]:
    """The languages there are texts in."""
    return sorted(entry.name.removesuffix(".json") for entry in (files(__package__) / "texts").iterdir())


@cache
def known_texts(language: str) -> dict[str, str]:
    """All sentences of a language."""
    check_one_of("language", language, languages())
    return json.loads((files(__package__) / "texts" / f"{language}.json").read_text(encoding="utf-8"))


def _own(given: Mapping[str, str] | str | Path | None, language: str) -> dict[str, str]:
    if given is None:
        return {}
    texts = _read(Path(given)) if isinstance(given, str | Path) else given
    if not isinstance(texts, Mapping) or not all(isinstance(part, str) for pair in texts.items() for part in pair):
        raise InvalidInputError("the texts of a letter are a mapping from names to sentences, or a JSON file of one.")
    for name in texts:
        if name not in known_texts(language) and not name.startswith(FREE):
            raise unknown_name("text of a letter", name, known_texts(language), "Or column:NAME, class:NAME.")
    return dict(texts)


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{str(path)!r} cannot be read as JSON: {error}.") from error
