"""Answers as CSV, also for a spreadsheet that would take some text for a formula."""

import csv
from typing import Any

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How text begins that a spreadsheet may run; an apostrophe before it says that it is text."""


def csv_text(frame: pd.DataFrame, *, spreadsheet_safe: bool = False) -> str:
    """The rows as CSV; numbers, dates and truth values are never altered."""
    table = frame.map(_as_text).rename(columns=_as_text) if spreadsheet_safe else frame
    written = table.to_csv(index=False, lineterminator="\n")
    # Python's writer leaves a lone carriage return unquoted, and readers would begin a new row there.
    return table.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC) if "\r" in written else written


def _as_text(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
