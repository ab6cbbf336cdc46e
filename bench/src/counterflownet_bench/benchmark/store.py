"""Results on disk: one JSON object per line, appended under a lock, so that several processes can write."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from counterflownet.errors import InvalidInputError, SavedFileError
from counterflownet_bench.benchmark.cell import Cell, Result
from counterflownet_bench.benchmark.locking import locked

REQUIRED = ("cell", "protocol", "dataset", "method", "seed", "instances", "count", "metrics", "settings", "version")


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds: results in the order they were written, and what is to be said about the file itself."""

    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultStore:
    """A file of results; it need not exist yet."""

    path: Path

    def prepare(self) -> None:
        """Make sure that the file can be written, before hours are spent on what it is to hold."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab"):
            pass

    def append(self, result: Result) -> None:
        """Write one result behind the others, whole; what an interrupted write has left behind is cut off first."""
        line = json.dumps(result, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        self.prepare()
        with self.path.open("r+b") as file, locked(file):
            _cut_torn_end(file)
            file.seek(0, os.SEEK_END)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> Stored:
        """All results; a torn last line is ignored and noted, any other damage is an error."""
        if not self.path.exists():
            return Stored(())
        *whole, rest = self.path.read_bytes().split(b"\n")
        results = [self._parsed(line, number) for number, line in enumerate(whole, start=1) if line.strip()]
        if not rest.strip():
            return Stored(tuple(results))
        if _is_object(rest):  # whole, but for the end of the line
            return Stored((*results, self._parsed(rest, len(whole) + 1)))
        note = f"line {len(whole) + 1} of {self.path} is torn (a write was interrupted) and was ignored"
        return Stored(tuple(results), (note,))

    def finished(self, *, with_failed: bool) -> frozenset[str]:
        """The identities of cells that need not run again; the last result of a cell is the one that counts."""
        latest = {identity(result): "error" in result for result in self.read().results}
        return frozenset(key for key, failed in latest.items() if with_failed or not failed)

    def _parsed(self, line: bytes, number: int) -> Result:
        try:
            result = json.loads(line)
        except ValueError as error:
            raise SavedFileError(f"line {number} of {self.path} is no JSON: {error}.") from error
        missing = [name for name in REQUIRED if not isinstance(result, dict) or name not in result]
        if missing:
            raise SavedFileError(
                f"line {number} of {self.path} is no result of a benchmark; it lacks {', '.join(missing)}."
            )
        try:
            Cell(**result["cell"])
        except (TypeError, InvalidInputError) as error:
            raise SavedFileError(f"line {number} of {self.path} is of a cell that cannot be read: {error}") from error
        return dict(result)


def read_all(paths: Iterable[str | Path]) -> Stored:
    """The results of several files, one after the other."""
    read = []
    for path in map(Path, paths):
        if not path.is_file():
            raise SavedFileError(f"there is no file {str(path)!r}; `counterflownet benchmark run` writes one.")
        read.append(ResultStore(path).read())
    results = tuple(result for stored in read for result in stored.results)
    return Stored(results, tuple(note for stored in read for note in stored.notes))


def identity(result: Mapping[str, Any]) -> str:
    """What makes a result that of a cell: the same question under the same settings."""
    return json.dumps([result["cell"], result["settings"]], sort_keys=True)


def identity_of(cell: Cell) -> str:
    """The identity that the result of this cell will have."""
    return json.dumps([asdict(cell), cell.settings()], sort_keys=True)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _cut_torn_end(file: IO[bytes]) -> None:
    """After this the file ends with a whole line."""
    file.seek(0)
    content = file.read()
    end = content.rfind(b"\n") + 1
    rest = content[end:]
    if rest.strip() and _is_object(rest):
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
    elif rest:
        file.truncate(end)
