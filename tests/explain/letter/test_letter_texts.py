"""The sentences: every language says the same, and fills the same places."""

import json
import re
from importlib.resources import files

import pandas as pd
import pytest

from counterflownet.explain.letter.sentences import Sentences
from counterflownet.explain.letter.texts import Texts, known_texts, languages

LETTERS = {name: known_texts(name) for name in languages()}
FOLDER = files("counterflownet.serve") / "static" / "texts"
PAGES = {entry.name[:2]: json.loads(entry.read_text(encoding="utf-8")) for entry in FOLDER.iterdir()}


def places(text: str) -> set[str]:
    return set(re.findall(r"[${](\w+)", text))


@pytest.mark.parametrize("all_texts", [LETTERS, PAGES], ids=["letter", "page"])
def test_every_language_has_every_text_with_the_same_places(all_texts) -> None:
    english = all_texts["en"]
    for texts in all_texts.values():
        assert list(texts) == list(english)
        assert [name for name in english if places(texts[name]) != places(english[name])] == []


def test_letter_and_page_speak_the_same_languages() -> None:
    assert sorted(LETTERS) == sorted(PAGES)


def test_the_page_uses_all_of_its_texts_and_no_others() -> None:
    scripts = files("counterflownet.serve") / "static" / "js"
    code = "\n".join(entry.read_text(encoding="utf-8") for entry in scripts.iterdir())
    used = set(re.findall(r"""(?:\bt|counted)\(\s*"(\w+)\"""", code)) | set(re.findall(r'\? "(\w+)" : "\w+"', code))
    used |= set(re.findall(r'\? "\w+" : "(\w+)"', code))
    patterned = re.compile(r"(wish|outcome|target)_|.*_(one|some)$")
    assert [name for name in PAGES["en"] if name not in used and not patterned.match(name)] == []
    named = {name.removesuffix("_one").removesuffix("_some") for name in PAGES["en"]} | set(PAGES["en"])
    assert [name for name in re.findall(r"""\bt\("(\w+)"[,)]""", code) if name not in named] == []


@pytest.mark.parametrize(
    ("language", "old", "new", "told"),
    [
        ("en", 1743, 35124, "loan had been 35,124 instead of 1,743"),
        ("de", 1743, 35124.5, "loan 35.124,5 statt 1.743 gewesen wäre"),
        ("de", pd.Timestamp("2024-05-21"), pd.Timestamp("2024-06-01"), "loan 01.06.2024 statt 21.05.2024 gewesen wäre"),
        ("de", None, 3, "loan 3 statt nicht angegeben gewesen wäre"),
        ("en", True, False, "loan had been no instead of yes"),
    ],
    ids=repr,
)
def test_values_are_written_as_the_language_writes_them(language, old, new, told) -> None:
    assert Sentences(Texts(language)).change("loan", old, new) == told
