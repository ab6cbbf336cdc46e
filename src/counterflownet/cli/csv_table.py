"""CSV, read strictly: a file that can be misunderstood is an error, because nobody looks at every cell."""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator
from io import StringIO
from itertools import islice
from typing import Any

import pandas as pd

from counterflownet.errors import InvalidInputError, listed

SEPARATORS = ",;\t"
MISSING = ("NA",)
"""The words that stand for a missing value, as an empty cell always does."""
LONGEST = 131_072  # characters of a cell: more are a quote that was never closed
CHUNK = 50_000  # rows that are held as lists at one time
BYTE_ORDER_MARK = "\ufeff"
QUOTED = re.compile(r'"[^"]*"')
HEADER = re.compile(r'^(?:[^"\r\n]|"[^"]*")*')  # to the first end of a line that is not in quotes


def csv_frame(
    content: bytes, what: str, missing: Collection[str] = MISSING, used: Collection[Any] | None = None
) -> pd.DataFrame:
    """The rows with every cell as text; empty cells and the ``missing`` words are missing values.

    Of columns that are not ``used``, every cell stays the text that it is; None uses all.
    """
    text = _decoded(content, what)
    records = _records(text, _separator(text, what), what)
    names = next(records)
    chunks = iter(lambda: list(islice(records, CHUNK)), [])
    frames = [pd.DataFrame(chunk, columns=names, dtype="str") for chunk in chunks]
    frame = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=names, dtype="str")
    known = [name for name in frame.columns if used is None or name in used]
    return frame.mask(frame[known].isin(["", *missing]).reindex(columns=frame.columns, fill_value=False))


def _decoded(content: bytes, what: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unreadable(what, f"{error}. Save it as CSV in UTF-8") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise _unreadable(what, f"there is a NUL character in line {line}. Save it as CSV in UTF-8")
    if not text.strip():
        raise InvalidInputError(f"{what} is empty; its first line must name the columns.")
    return text


def _separator(text: str, what: str) -> str:
    """The one that stands in the first line, outside of quotes; of several, the one that every row agrees with."""
    header = QUOTED.sub("", HEADER.findall(text)[0])
    found = sorted((sign for sign in SEPARATORS if sign in header), key=header.count, reverse=True)
    if len(found) < 2:
        return (found or [SEPARATORS[0]])[0]
    fitting = [sign for sign in found if _fits(text, sign)]
    if len(fitting) > 1:
        raise InvalidInputError(
            f"the columns of {what} could be separated by {listed(map(repr, fitting))}. Put names and values that "
            "contain one of them in double quotes."
        )
    return (fitting or found)[0]


def _fits(text: str, separator: str) -> bool:
    try:
        return sum(1 for _ in _records(text, separator, "the table")) > 0
    except InvalidInputError:
        return False


def _records(text: str, separator: str, what: str) -> Iterator[list[str]]:
    """The names of the columns, then the rows, each with as many fields as there are names."""
    source = StringIO(text.rstrip("\r\n"), newline="")
    lines = csv.reader(source, delimiter=separator, skipinitialspace=True, strict=True)
    width = 0
    try:
        for fields in lines:
            width = width or _checked_names(fields, what)
            if len(fields) != width:
                raise _unreadable(what, _wrong_width(lines.line_num, fields, width))
            if max(map(len, fields)) > LONGEST:  # the reader's own limit is whatever any library has set it to
                raise _unreadable(what, f"field larger than field limit ({LONGEST}) in line {lines.line_num}")
            yield fields
    except csv.Error as error:
        raise _unreadable(what, f"{error} in line {lines.line_num}") from error


def _checked_names(names: list[str], what: str) -> int:
    if BYTE_ORDER_MARK in "".join(names):
        raise _unreadable(what, "there is a byte order mark inside its first line. Save it as CSV in UTF-8")
    unnamed = [number for number, name in enumerate(names, start=1) if not name.strip()]
    if unnamed or not names:
        raise InvalidInputError(
            f"the first line of {what} has no name for column {listed(unnamed)}. Name every column, and write a table "
            "without its index: to_csv(index=False)."
        )
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled:
        raise InvalidInputError(f"{what} has several columns named {listed(map(repr, doubled))}; rename all but one.")
    return len(names)


def _wrong_width(line: int, fields: list[str], width: int) -> str:
    if not fields:
        return f"line {line} is blank. Remove it, or write a missing value as NA"
    return (
        f"line {line} has {len(fields)} fields, but the first line names {width} columns. Give every row a field for "
        "each column, and put a value that contains a separator in double quotes"
    )


def _unreadable(what: str, reason: str) -> InvalidInputError:
    return InvalidInputError(f"{what} cannot be read as CSV: {reason}.")
