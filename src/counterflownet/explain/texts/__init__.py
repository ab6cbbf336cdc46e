"""The sentences of every language: one TOML file each, all with the same entries."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from counterflownet.errors import check_one_of

Texts = Mapping[str, Mapping[str, str]]


@cache
def languages() -> tuple[str, ...]:
    """The languages that there is a file for, such as ``"en"``."""
    names = [entry.name for entry in files(__name__).iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def texts(language: str = "en") -> Texts:
    """All entries of one language, by section and name."""
    check_one_of("language", language, languages())
    return tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8"))
