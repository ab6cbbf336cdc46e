"""A letter as one HTML file: all that comes from data is escaped, nothing is loaded, nothing runs."""

import base64
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from counterflownet.explain.letter.content import Letter, Section


def html_letter(letter: Letter) -> str:
    """The document."""
    sections = "\n".join(map(_section, letter.sections))
    head = "".join(f"<p>{escape(line)}</p>" for line in letter.head if line)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(letter.language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(letter.title)}</title>\n'
        f"<style>{style()}</style>\n</head>\n<body>\n<main>\n{_lines(letter.sender, 'sender')}"
        f'<div class="head">{head}</div>\n<h1>{escape(letter.title)}</h1>\n{_lines(letter.salutation)}{sections}\n'
        f"{_lines(letter.closing)}</main>\n<footer><p>{escape(letter.origin)}</p></footer>\n</body>\n</html>\n"
    )


@cache
def style() -> str:
    """The style sheet, which stands inside of the letter."""
    return (files(__package__) / "letter.css").read_text(encoding="utf-8")


@cache
def style_source() -> str:
    """By which a content policy allows this style and no other."""
    return f"'sha256-{base64.b64encode(sha256(style().encode()).digest()).decode()}'"


def _section(section: Section) -> str:
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in section.paragraphs)
    ways = "".join(f"<li><h3>{escape(name)}</h3><p>{escape(text)}</p></li>" for name, text in section.ways)
    points = "".join(f"<li>{escape(text)}</li>" for text in section.points)
    return (
        f"<section><h2>{escape(section.heading)}</h2>{paragraphs}"
        f"{f'<ol>{ways}</ol>' if ways else ''}{f'<ul>{points}</ul>' if points else ''}</section>"
    )


def _lines(text: str, name: str = "") -> str:
    if not text:
        return ""
    marked = f' class="{name}"' if name else ""
    return f"<p{marked}>{'<br>'.join(escape(line) for line in text.splitlines())}</p>\n"
