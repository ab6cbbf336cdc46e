"""Tables in files, cut into pieces that can be read by themselves, in any order, by any process."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from counterflownet.errors import InvalidInputError

PARQUET = (".parquet", ".pq")
CSV = (".csv", ".tsv", ".txt")
BLOCK = 1 << 22  # bytes of CSV that are looked at in one go


class ReadCsv(Protocol):
    """How CSV is read: its content, and what to call it in an error."""

    def __call__(self, content: bytes, what: str) -> pd.DataFrame: ...


@dataclass(frozen=True, slots=True)
class Piece:
    """``count`` rows of a file from row ``start`` on, counting from 0; ``groups`` or ``span`` say where they are."""

    number: int
    source: str
    start: int
    count: int
    groups: tuple[int, ...] = ()  # of a Parquet file: the row groups they lie in,
    skip: int = 0  # and how many rows of these come before
    head: int = 0  # of CSV: the bytes of the first line,
    span: tuple[int, int] = (0, 0)  # and those of the rows

    def read(self, read_csv: ReadCsv, columns: Sequence[str] | None = None) -> pa.Table | pd.DataFrame:
        """The rows: of Parquet a pyarrow table, of some columns only if they are named; of CSV a frame."""
        return self._read_parquet(columns) if self.groups else self._read_csv(read_csv)

    def _read_parquet(self, columns: Sequence[str] | None) -> pa.Table:
        skip, left, parts = self.skip, self.count, []
        with pq.ParquetFile(self.source) as file:
            for batch in file.iter_batches(row_groups=list(self.groups), columns=columns):
                part = batch.slice(skip, left)
                skip, left = max(0, skip - batch.num_rows), left - part.num_rows
                parts += [part] if part.num_rows else []
                if left == 0:
                    break
        return pa.Table.from_batches(parts)

    def _read_csv(self, read_csv: ReadCsv) -> pd.DataFrame:
        with Path(self.source).open("rb") as file:
            first = file.read(self.head)
            file.seek(self.span[0])
            content = first + file.read(self.span[1] - self.span[0])
        place = f" (from its row {self.start + 1:,} on)" if self.start else ""
        rows = read_csv(content, f"{self.source!r}{place}")
        if len(rows) != self.count:
            raise InvalidInputError(
                f"{self.source!r}{place} has {self.count:,} rows by its line ends and {len(rows):,} by its quotes. Put "
                "values that contain a double quote in double quotes themselves, or save the table as Parquet."
            )
        return rows


def files_of(source: str | Path) -> list[Path]:
    """The file itself, or all tables in a folder, by name."""
    path = Path(source)
    if path.is_file() and path.suffix.lower() in (*PARQUET, *CSV):
        return [path]
    found = sorted(file for file in path.glob("*") if file.suffix.lower() in (*PARQUET, *CSV)) if path.is_dir() else []
    if not found:
        raise InvalidInputError(
            f"there is no table at {str(source)!r}; give a .parquet or .csv file, or a folder of such files."
        )
    return found


def pieces_of(files: Sequence[Path], rows: int) -> list[Piece]:
    """The rows of all files in pieces of at most so many."""
    parts = (part for file in files for part in _parts(file, rows))
    return [Piece(number, **part) for number, part in enumerate(parts)]


def spread_rows(pieces: Sequence[Piece], count: int) -> Iterator[tuple[Piece, int]]:
    """So many rows, or all if there are fewer, from the first on all over the pieces: each as piece and place in it."""
    begins = list(accumulate((piece.count for piece in pieces), initial=0))
    some = min(count, begins[-1])
    for number in (chosen * begins[-1] // some for chosen in range(some)):
        piece = bisect_right(begins, number) - 1
        yield pieces[piece], number - begins[piece]


def _parts(file: Path, rows: int) -> Iterator[dict[str, Any]]:
    return _parquet_pieces(file, rows) if file.suffix.lower() in PARQUET else _csv_pieces(file, rows)


def _parquet_pieces(file: Path, rows: int) -> Iterator[dict[str, Any]]:
    try:
        metadata = pq.read_metadata(file)
    except Exception as error:  # the reader has an exception of its own for every fault
        raise InvalidInputError(f"{str(file)!r} cannot be read as Parquet: {error}") from error
    counts = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    begins = list(accumulate(counts, initial=0))
    for start in range(0, metadata.num_rows, rows):
        stop = min(start + rows, metadata.num_rows)
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, stop - 1) - 1
        yield {
            "source": str(file),
            "start": start,
            "count": stop - start,
            "groups": tuple(range(first, last + 1)),
            "skip": start - begins[first],
        }


def _csv_pieces(file: Path, rows: int) -> Iterator[dict[str, Any]]:
    ends = _record_ends(file)
    head = next(ends, 0)
    _check_line_ends(file, head)
    start, first, count, last = 0, head, 0, head
    for end in ends:
        count, last = count + 1, end
        if count == rows:
            yield {"source": str(file), "start": start, "count": count, "head": head, "span": (first, end)}
            start, first, count = start + count, end, 0
    if count:
        yield {"source": str(file), "start": start, "count": count, "head": head, "span": (first, last)}


def _record_ends(file: Path) -> Iterator[int]:
    """Where each record ends: at the end of a line that is not blank, unless a quote is open there."""
    place, quotes = 0, 0
    with file.open("rb", buffering=BLOCK) as lines:
        for line in lines:
            place += len(line)
            quotes += line.count(b'"')
            if quotes % 2 == 0 and line.strip(b"\r\n"):
                yield place
    if quotes % 2:  # which nobody closes: whoever reads the rows will say so
        yield place


def _check_line_ends(file: Path, head: int) -> None:
    with file.open("rb") as content:
        first = content.read(min(head, BLOCK)).rstrip(b"\r\n")
    if b"\r" in first:
        raise InvalidInputError(
            f"the lines of {str(file)!r} end with a carriage return alone. Save it as CSV with line feeds."
        )
