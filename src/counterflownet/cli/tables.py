"""Tables as files: CSV and Parquet, or CSV in a pipe."""

import argparse
import sys
from collections.abc import Collection
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from counterflownet._optional import require
from counterflownet.cli.constraint_options import split_list
from counterflownet.cli.csv_table import MISSING, csv_frame
from counterflownet.cli.places import PIPE
from counterflownet.errors import InvalidInputError, unknown_name

FORMATS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}


def add_missing(command: argparse.ArgumentParser) -> None:
    """Add the option that says which words in CSV are missing values."""
    words = "words in CSV that are missing values, as empty cells always are (default: NA)"
    command.add_argument("--missing", type=split_list, default=list(MISSING), metavar="WORDS", help=words)


def read_table(source: str, missing: Collection[str] = MISSING, used: Collection[Any] | None = None) -> pd.DataFrame:
    """The rows of a file, or of standard input. Of CSV every cell is text: what it means is decided elsewhere."""
    if source == PIPE:
        return csv_frame(sys.stdin.buffer.read(), "standard input", missing, used)
    path = Path(source)
    known = path.suffix.lower()
    if known not in FORMATS:
        raise unknown_name("kind of table", source, FORMATS, "Save it as CSV or Parquet, or pipe CSV into '-'.")
    content = path.read_bytes()
    if FORMATS[known] == "csv":
        return csv_frame(content, repr(source), missing, used)
    return _read_parquet(content, repr(source))


def parquet_bytes(frame: pd.DataFrame) -> bytes:
    """The rows as a Parquet file."""
    require("pyarrow", extra="parquet", purpose="writing Parquet")
    try:
        return frame.to_parquet(index=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInputError(f"these rows cannot be written as Parquet: {error}. Use CSV or JSON.") from error


def _read_parquet(content: bytes, what: str) -> pd.DataFrame:
    require("pyarrow", extra="parquet", purpose="reading Parquet")
    try:
        frame = pd.read_parquet(BytesIO(content))
        named = [name for name in frame.index.names if name is not None]
        return without_masks(frame.reset_index(drop=not named))
    except Exception as error:  # the reader has an exception of its own for every fault
        raise InvalidInputError(f"{what} cannot be read as Parquet: {error}") from error


def without_masks(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows with every column as numpy holds it."""
    return frame.apply(_without_mask)


def _without_mask(column: pd.Series) -> pd.Series:
    """The column as numpy holds it: most models refuse pandas' own missing value."""
    if not hasattr(column.dtype, "numpy_dtype") or isinstance(column.dtype, pd.StringDtype):
        return column
    if column.notna().all():
        return column.astype(column.dtype.numpy_dtype)
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype(object).where(column.notna(), None)
    return column.astype("float64")
