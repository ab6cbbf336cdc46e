"""A letter as PDF, with fonts of its own, so that it looks the same on every machine."""

from collections.abc import Iterator
from datetime import UTC, datetime, time
from importlib.resources import as_file, files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from counterflownet._optional import require
from counterflownet.errors import InvalidInputError
from counterflownet.explain.letter.content import Letter, Section

if TYPE_CHECKING:
    from fpdf import FPDF

    from counterflownet.explain.letter.sheet import Sheet

MARGIN, INDENT = 25, 5  # millimetres
INK, QUIET, GREEN = (29, 31, 36), (91, 96, 107), (47, 93, 80)
FAMILY = "letter"
BOLD = "B"


def pdf_letter(letter: Letter, font: str | Path | None = None) -> bytes:
    """The document; ``font`` is a TrueType file for scripts that the built-in font lacks (it has European ones)."""
    require("fpdf", extra="serve", purpose="writing a letter as PDF")
    page = _page(letter, font)
    try:
        for draw in _parts(letter):
            draw(page)
        return bytes(page.output())
    finally:
        page.close_fonts()


def _page(letter: Letter, font: str | Path | None) -> "Sheet":
    from counterflownet.explain.letter.sheet import Sheet  # noqa: PLC0415 - after it is known that fpdf is there

    page = Sheet(letter.origin, Template(letter.page), QUIET)
    page.set_title(letter.title)
    page.set_lang(letter.language)
    page.set_creation_date(datetime.combine(letter.day, time(), tzinfo=UTC))
    page.set_margins(MARGIN, MARGIN, MARGIN)
    page.set_auto_page_break(auto=True, margin=MARGIN)
    _add_fonts(page, font)
    page.add_page()
    return page


def _add_fonts(page: "FPDF", font: str | Path | None) -> None:
    if font is not None:
        _check_font(Path(font))
    for style, name in (("", "DejaVuSans.ttf"), (BOLD, "DejaVuSans-Bold.ttf")):
        with as_file(files(__package__) / "fonts" / name) as built_in:
            page.add_font(FAMILY, style, built_in)
    if font is None:
        return
    page.add_font("own", "", font)
    page.set_fallback_fonts(["own"], exact_match=False)


def _check_font(path: Path) -> None:
    fonts = require("fontTools.ttLib", extra="serve", purpose="reading a font")
    try:
        with path.open("rb") as file:
            fonts.TTFont(file).getBestCmap()
    except Exception as error:  # a file that is no font can fail in any way
        raise InvalidInputError(
            f"{str(path)!r} cannot be used as a font: {error}. Give a .ttf or .otf file."
        ) from error


def _parts(letter: Letter) -> Iterator[Any]:
    """What draws each part, in order."""
    if letter.sender:
        yield lambda page: _text(page, letter.sender, size=9, ink=QUIET, after=8)
    yield lambda page: _text(page, "     ".join(line for line in letter.head if line), size=9, ink=QUIET, after=6)
    yield lambda page: _text(page, letter.title, size=16, style=BOLD, after=5)
    if letter.salutation:
        yield lambda page: _text(page, letter.salutation, after=3)
    for section in letter.sections:
        yield lambda page, section=section: _section(page, section)
    if letter.closing:
        yield lambda page: _text(page, letter.closing, after=2)


def _section(page: "FPDF", section: Section) -> None:
    with page.unbreakable() as block:
        block.ln(2)
        _text(block, section.heading, size=11, style=BOLD, after=1.5)
        for paragraph in section.paragraphs:
            _text(block, paragraph, after=1.5)
    for name, text in section.ways:
        _way(page, name, text)
    for point in section.points:
        with page.unbreakable() as block:
            _point(block, point)


def _point(page: Any, text: str) -> None:
    page.set_font(FAMILY, "", 10)
    page.set_text_color(*INK)
    page.set_x(MARGIN)
    page.cell(4, 5.2, "•")
    _text(page, text, after=1, indent=4)


def _way(page: "FPDF", name: str, text: str) -> None:
    """A way with a line beside it, all on one page."""
    page.set_font(FAMILY, "", 10)
    width = page.w - 2 * MARGIN - INDENT
    height = 5.5 + float(page.multi_cell(width, 5.2, text, align="L", dry_run=True, output="HEIGHT"))  # type: ignore[arg-type]
    if page.will_page_break(height):
        page.add_page()
    page.set_fill_color(*GREEN)
    page.rect(MARGIN, page.get_y() + 1, 0.8, height - 0.5, style="F")
    page.ln(1)
    _text(page, name, size=8, style=BOLD, ink=GREEN, after=0.5, indent=INDENT)
    _text(page, text, after=2.5, indent=INDENT)


def _text(  # noqa: PLR0913 - how one text looks
    page: Any,
    text: str,
    *,
    size: float = 10,
    style: str = "",
    ink: tuple[int, int, int] = INK,
    after: float = 0.0,
    indent: float = 0.0,
) -> None:
    page.set_font(FAMILY, style, size)
    page.set_text_color(*ink)
    page.set_x(MARGIN + indent)
    page.multi_cell(page.w - 2 * MARGIN - indent, size * 0.52, text, align="L", new_x="LMARGIN", new_y="NEXT")
    page.ln(after)
