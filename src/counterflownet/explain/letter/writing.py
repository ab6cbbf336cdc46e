"""From an explanation to a letter in its form."""

from collections.abc import Hashable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import pandas as pd

from counterflownet.errors import InvalidInputError, check_one_of, unknown_name
from counterflownet.explain.letter.content import letter_of
from counterflownet.explain.letter.html import html_letter
from counterflownet.explain.letter.pdf import pdf_letter
from counterflownet.explain.letter.texts import Texts

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

LetterForm = Literal["html", "pdf"]


def letter(
    explanation: "Explanation",
    row: Hashable | None,
    form: LetterForm,
    texts: Texts,
    *,
    day: date | None = None,
    font: str | Path | None = None,
) -> str | bytes:
    """The letter about the row with this label: text if it is HTML, bytes if it is PDF."""
    check_one_of("form", form, get_args(LetterForm))
    position = _position(explanation, row)
    written = letter_of(explanation, position, texts, day or datetime.now().astimezone().date())
    return html_letter(written) if form == "html" else pdf_letter(written, font)


def form_of(form: LetterForm | None, path: str | Path | None) -> LetterForm:
    """The form that was asked for, or that of the file's name; HTML if neither tells."""
    if form is not None:
        return form
    suffix = "" if path is None else Path(path).suffix.lower()
    return "pdf" if suffix == ".pdf" else "html"


def _position(explanation: "Explanation", row: Hashable | None) -> int:
    index = explanation.factuals.index
    if row is None and len(index) == 1:
        return 0
    if row is None:
        raise InvalidInputError(f"a letter is about one row; name one of these {len(index)} by its label: row=...")
    if row not in index:
        raise unknown_name("row of the explanation", row, index)
    return int(index.get_indexer_for(pd.Index([row], dtype=index.dtype))[0])
