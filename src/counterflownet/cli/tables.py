"""Tables as files: CSV and Parquet, or CSV in a pipe."""

import sys
from io import BytesIO, StringIO
from pathlib import Path

import pandas as pd

from counterflownet._optional import require
from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet.files import write_atomically

PIPE = "-"
FORMATS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}
SEPARATORS = ",;\t"


def read_table(source: str) -> pd.DataFrame:
    """The rows of a file, or of standard input. Of CSV every cell is text: what it means is decided elsewhere."""
    if source == PIPE:
        return _read_csv(sys.stdin.buffer.read(), "standard input")
    path = Path(source)
    known = path.suffix.lower()
    if known not in FORMATS:
        raise unknown_name("kind of table", source, FORMATS, "Save it as CSV or Parquet, or pipe CSV into '-'.")
    content = path.read_bytes()
    return _read_csv(content, repr(source)) if FORMATS[known] == "csv" else _read_parquet(content, repr(source))


def parquet_bytes(frame: pd.DataFrame) -> bytes:
    """The rows as a Parquet file."""
    require("pyarrow", extra="parquet", purpose="writing Parquet")
    try:
        return frame.to_parquet(index=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInputError(f"these rows cannot be written as Parquet: {error}. Use CSV or JSON.") from error


def put(content: str | bytes, target: str) -> None:
    """Write to a file in one step, or to standard output."""
    if target != PIPE:
        write_atomically(target, content)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content if content.endswith("\n") else f"{content}\n")
    sys.stdout.flush()  # so that a reader who has left is noticed here


def _read_csv(content: bytes, what: str) -> pd.DataFrame:
    try:
        text = content.decode("utf-8-sig")
        separator = max(SEPARATORS, key=text.partition("\n")[0].count)  # the comma if there is none of them
        return pd.read_csv(StringIO(text), dtype=str, sep=separator, skipinitialspace=True, index_col=False)
    except pd.errors.EmptyDataError as error:
        raise InvalidInputError(f"{what} is empty; its first line must name the columns.") from error
    except (UnicodeDecodeError, pd.errors.ParserError) as error:
        raise InvalidInputError(f"{what} cannot be read as CSV: {error}. Save it as CSV in UTF-8.") from error


def _read_parquet(content: bytes, what: str) -> pd.DataFrame:
    require("pyarrow", extra="parquet", purpose="reading Parquet")
    try:
        frame = pd.read_parquet(BytesIO(content))
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{what} cannot be read as Parquet: {error}") from error
    named = [name for name in frame.index.names if name is not None]
    return frame.reset_index(drop=not named).apply(_without_mask)


def _without_mask(column: pd.Series) -> pd.Series:
    """The column as numpy holds it: most models refuse pandas' own missing value."""
    if not hasattr(column.dtype, "numpy_dtype") or isinstance(column.dtype, pd.StringDtype):
        return column
    if column.notna().all():
        return column.astype(column.dtype.numpy_dtype)
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype(object).where(column.notna(), None)
    return column.astype("float64")
