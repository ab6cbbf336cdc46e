"""Tables in files, cut into pieces that can be read by themselves, in any order, by any process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
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
    head: tuple[int, int] = (0, 0)  # of CSV: the bytes of the first line,
    span: tuple[int, int] = (0, 0)  # and those of the rows

    def read(self, read_csv: ReadCsv, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows as a frame; of Parquet, only some columns if they are named."""
        if not self.groups:
            return read_csv(self._bytes(), repr(self.source))
        skip, left = self.skip, self.count
        parts: list[pd.DataFrame] = []
        with pq.ParquetFile(self.source) as file:
            for batch in file.iter_batches(row_groups=list(self.groups), columns=columns):
                parts.append(batch.slice(skip, left).to_pandas())
                skip, left = max(0, skip - batch.num_rows), left - len(parts[-1])
                if left == 0:
                    break
        return pd.concat(parts, ignore_index=True)

    def _bytes(self) -> bytes:
        with Path(self.source).open("rb") as file:
            first = file.read(self.head[1])
            file.seek(self.span[0])
            return first + file.read(self.span[1] - self.span[0])


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


def _parts(file: Path, rows: int) -> Iterator[dict[str, Any]]:
    return _parquet_pieces(file, rows) if file.suffix.lower() in PARQUET else _csv_pieces(file, rows)


def _parquet_pieces(file: Path, rows: int) -> Iterator[dict[str, Any]]:
    try:
        metadata = pq.read_metadata(file)
    except Exception as error:  # the reader has an exception of its own for every fault
        raise InvalidInputError(f"{str(file)!r} cannot be read as Parquet: {error}") from error
    ends, total = [], 0
    for group in range(metadata.num_row_groups):
        total += metadata.row_group(group).num_rows
        ends.append(total)
    for start in range(0, total, rows):
        stop = min(start + rows, total)
        begins = [0, *ends]
        groups = tuple(g for g in range(len(ends)) if begins[g] < stop and ends[g] > start)
        yield {
            "source": str(file),
            "start": start,
            "count": stop - start,
            "groups": groups,
            "skip": start - begins[groups[0]],
        }


def _csv_pieces(file: Path, rows: int) -> Iterator[dict[str, Any]]:
    ends = _record_ends(file)
    head = next(ends, 0)
    start, first, count, last = 0, head, 0, head
    for end in ends:
        count, last = count + 1, end
        if count == rows:
            yield {"source": str(file), "start": start, "count": count, "head": (0, head), "span": (first, end)}
            start, first, count = start + count, end, 0
    if count:
        yield {"source": str(file), "start": start, "count": count, "head": (0, head), "span": (first, last)}


def _record_ends(file: Path) -> Iterator[int]:
    """Where each record ends: at the end of a line, unless a quote is open there."""
    place, quotes = 0, 0
    with file.open("rb", buffering=BLOCK) as lines:
        for line in lines:
            place += len(line)
            quotes += line.count(b'"')
            if quotes % 2 == 0:
                yield place
