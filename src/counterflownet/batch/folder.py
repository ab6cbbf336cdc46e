"""The folder that answers go to: shards that are there whole or not at all, and what was asked, to go on from."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from counterflownet._version import VERSION as LIBRARY
from counterflownet.batch.table_answers import TableAnswers
from counterflownet.errors import InvalidInputError
from counterflownet.files import write_atomically
from counterflownet.locking import locked

MANIFEST = "manifest.json"
LOCK = ".lock"
KIND = "counterflownet answers"
VERSION = 1
TABLES = ("answers", "rows", "errors")


@dataclass(frozen=True, slots=True)
class Done:
    """What is kept of a piece that was worked: how much came of it, and the checksum of each of its files."""

    rows: int
    answers: int
    errors: int
    files: Mapping[str, str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerFolder:
    """``answers``, ``rows`` and ``errors`` are data sets of Parquet files, one for each piece; ``done`` says which."""

    path: Path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else may write meanwhile."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / LOCK).open("wb") as file, ExitStack() as held:
            try:
                held.enter_context(locked(file, wait=False))
            except BlockingIOError as error:
                raise InvalidInputError(f"another run writes to {str(self.path)!r}; wait for it.") from error
            yield

    def begin(self, asked: Mapping[str, Any]) -> None:
        """Note what is asked, or check that it is what the folder was begun with.

        As long as nothing is kept, anything may be asked: a mistake in a first command does not spoil the folder.
        """
        manifest = {"kind": KIND, "version": VERSION, "library": LIBRARY, **json.loads(json.dumps(asked))}
        file = self.path / MANIFEST
        before = _read_json(file)
        if not isinstance(before, dict) or before.get("kind") != KIND:
            self._check_empty()
        if self.begun:
            self._check_same(before, manifest)
        else:
            self._remove("*.parquet")
            write_atomically(file, json.dumps(manifest, indent=2))

    def _check_empty(self) -> None:
        strange = [found.name for found in self.path.iterdir() if found.name != LOCK]
        if strange:
            raise InvalidInputError(
                f"the folder {str(self.path)!r} is not empty (there is {min(strange)!r}), and was not begun "
                "by this command. Give a new one."
            )

    def _check_same(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        for name in now:
            if before.get(name) != now[name]:
                raise InvalidInputError(
                    f"the folder {str(self.path)!r} was begun with another {name}: answers would not belong together. "
                    "Give a new folder, or ask as you did before."
                )

    @property
    def begun(self) -> bool:
        """Whether any piece is kept."""
        return any((self.path / "done").glob("*"))

    def done(self, number: int) -> Done | None:
        """What is kept of a piece, if all its files are there and undamaged."""
        record = _read_json(self._record(number))
        if not isinstance(record, dict):
            return None
        kept = Done(**{**record, "notes": tuple(record["notes"])})
        whole = all(_checksum(self.path / name) == known for name, known in kept.files.items())
        return kept if whole else None

    def keep(self, number: int, found: TableAnswers, notes: tuple[str, ...] = ()) -> Done:
        """Write what came of a piece: its files first, then the record that they are there."""
        tables = {name: getattr(found, name) for name in TABLES}
        files = {
            f"{name}/{number:06d}.parquet": _parquet(table)
            for name, table in tables.items()
            if name != "errors" or table.num_rows
        }
        for name, content in files.items():
            write_atomically(self.path / name, content)
        if not found.errors.num_rows:  # there may be some of a run that was ended before it noted them
            (self.path / f"errors/{number:06d}.parquet").unlink(missing_ok=True)
        counts = (found.rows.num_rows, found.answers.num_rows, found.errors.num_rows)
        kept = Done(*counts, {name: sha256(content).hexdigest() for name, content in files.items()}, notes)
        write_atomically(self._record(number), json.dumps(asdict(kept)))
        self._mark(number).unlink(missing_ok=True)
        return kept

    def mark(self, number: int, start: int, stop: int) -> None:
        """Note which rows of a piece are being worked."""
        file = self._mark(number)
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{start} {stop} ")

    def marked(self, number: int) -> tuple[int, int] | None:
        """Which rows of a piece are being worked, or were when its process ended."""
        try:
            start, stop, _ = self._mark(number).read_text().split(" ")
        except (OSError, ValueError):  # there is none, or it is being written at this moment
            return None
        return int(start), int(stop)

    def clear(self) -> None:
        """Remove what processes that were killed have left behind."""
        self._remove(".*")
        for mark in (self.path / "working").glob("*"):
            mark.unlink(missing_ok=True)

    def _remove(self, pattern: str) -> None:
        for name in (*TABLES, "done"):
            for found in (self.path / name).glob(pattern):
                found.unlink(missing_ok=True)

    def _mark(self, number: int) -> Path:
        return self.path / "working" / f"{number:06d}"

    def _record(self, number: int) -> Path:
        return self.path / "done" / f"{number:06d}.json"


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _checksum(file: Path) -> str | None:
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else None


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None
