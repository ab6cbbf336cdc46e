"""The paper of a PDF letter: a line at the foot of every page says where it comes from."""

from string import Template

from fpdf import FPDF
from fpdf.fonts import TTFFont

FAMILY, FOOT = "letter", -18


class Sheet(FPDF):
    """Pages with a footer."""

    def __init__(self, origin: str, numbering: Template, ink: tuple[int, int, int]) -> None:
        super().__init__(format="A4")
        self._origin, self._numbering, self._ink = origin, numbering, ink

    def close_fonts(self) -> None:
        """Close the files that the library leaves open."""
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()

    def footer(self) -> None:
        """The line at the foot, as the library calls for it."""
        self.set_y(FOOT)
        self.set_font(FAMILY, "", 7)
        self.set_text_color(*self._ink)
        pages = self._numbering.safe_substitute(page=self.page_no(), pages="{nb}")
        self.cell(0, 4, f"{self._origin}   ·   {pages}", align="L")
