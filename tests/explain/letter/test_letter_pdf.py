"""The PDF: real pages with real text, in the letters of European languages and, with a font, of others."""

import shutil
import subprocess
from datetime import date

import pytest

from counterflownet.errors import InvalidInputError, MissingExtraError
from counterflownet.explain.letter import pdf
from counterflownet.explain.letter.content import Letter, Section
from counterflownet.explain.letter.html import style
from counterflownet.explain.letter.pdf import pdf_letter

needs_poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is missing")


def letter(*paragraphs: str, ways: int = 1) -> Letter:
    told = tuple((f"Way {n}", "If income had been 40 instead of 30, ..." * 6) for n in range(ways))
    sections = (Section("Heading", paragraphs, told, ("a point",)),)
    day = date(2026, 3, 5)
    return Letter("en", "Title", "Sender", ("head",), "Dear", sections, "Yours", "origin", "Page $page of $pages", day)


def text_of(content: bytes, tmp_path) -> str:
    path = tmp_path / "letter.pdf"
    path.write_bytes(content)
    command = [str(shutil.which("pdftotext")), "-layout", str(path), "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603


@needs_poppler
def test_everything_can_be_read_from_it(tmp_path) -> None:
    told = "Überweisung: Ελλάδα, Кредит, 5 € → „ja“"
    text = text_of(pdf_letter(letter(told)), tmp_path)
    assert told in text
    for part in ("Title", "Sender", "Dear", "Heading", "Way 0", "a point", "Yours", "origin", "Page 1 of 1"):
        assert part in text


@needs_poppler
def test_a_long_letter_has_more_pages_with_a_foot_each(tmp_path) -> None:
    text = text_of(pdf_letter(letter(ways=20)), tmp_path)
    pages = text.count("\f")
    assert pages > 1
    assert all(f"Page {number} of {pages}" in text for number in range(1, pages + 1))


def test_signs_that_no_font_has_do_no_harm() -> None:
    assert pdf_letter(letter("日本 \U0001f600 <b>&amp;**bold**")).startswith(b"%PDF-")


def test_what_is_no_font_is_an_error(tmp_path) -> None:
    path = tmp_path / "no.ttf"
    path.write_text("no")
    with pytest.raises(InvalidInputError, match="cannot be used as a font"):
        pdf_letter(letter(), path)


def test_without_the_package_the_error_names_the_extra(monkeypatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise MissingExtraError("pip install 'counterflownet[serve]'")

    monkeypatch.setattr(pdf, "require", missing)
    with pytest.raises(MissingExtraError, match="serve"):
        pdf_letter(letter())


@pytest.mark.parametrize("colour", [pdf.INK, pdf.QUIET, pdf.GREEN])
def test_its_colours_are_those_of_the_letter_as_html(colour) -> None:
    assert f"color: #{bytes(colour).hex()};" in style()
