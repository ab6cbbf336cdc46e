"""A file of results: one JSON object per line, written under a lock, so that several processes can write."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from counterflownet.errors import SavedFileError
from counterflownet.files import write_atomically
from counterflownet.locking import locked

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """The objects in the order they were written, and what is to be said about the file itself."""

    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A file that may not exist yet. A torn last line, left by an interrupted write, is ignored and noted."""

    path: Path

    def prepare(self) -> None:
        """Make sure that the file can be written, before hours are spent on what it is to hold."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab"):
            pass

    def append(self, line: Line) -> None:
        """Write one object behind the others, whole; a torn end is cut off first."""
        with self._held() as file:
            _append_to(file, line)

    @contextmanager
    def only_writer(self) -> Iterator[Callable[[Line], None]]:
        """A function that appends, and the right to be the only one who does so; it is an error if another has it.

        The right ends with the process that has it, however that ends.
        """
        with ExitStack() as held:
            try:
                file = held.enter_context(self._held(wait=False))
            except BlockingIOError as error:
                raise SavedFileError(
                    f"{self.path} is being written by another process. Wait until it has ended, or name another file."
                ) from error
            yield partial(_append_to, file)

    def replace(self, lines: Sequence[Line], *, key: str) -> None:
        """Write these objects behind all others, and drop those that have the same value under ``key``."""
        replaced = [line[key] for line in lines]
        with self._held():
            kept = [line for line in self.read().lines if line.get(key) not in replaced]
            write_atomically(self.path, b"".join(map(_encoded, [*kept, *lines])))

    def read(self) -> Content:
        """All objects; any damage but a torn last line is an error that names the line."""
        if not self.path.exists():
            return Content()
        *whole, rest = self.path.read_bytes().split(b"\n")
        lines = [self._parsed(text, number) for number, text in enumerate(whole, start=1) if text.strip()]
        if not rest.strip():
            return Content(tuple(lines))
        if _is_object(rest):  # whole, except for the end of the line
            return Content((*lines, self._parsed(rest, len(whole) + 1)))
        note = f"line {len(whole) + 1} of {self.path} is torn (a write was interrupted) and was ignored"
        return Content(tuple(lines), (note,))

    def _parsed(self, text: bytes, number: int) -> Line:
        try:
            line = json.loads(text)
        except ValueError as error:
            raise SavedFileError(f"line {number} of {self.path} is no JSON: {error}.") from error
        if not isinstance(line, dict):
            raise SavedFileError(f"line {number} of {self.path} is no JSON object: {text[:60].decode()!r}.")
        return line

    @contextmanager
    def _held(self, *, wait: bool = True) -> Iterator[IO[bytes]]:
        """The open file under its lock; opened again if it was replaced while we waited for the lock."""
        self.prepare()
        while True:
            with self.path.open("r+b") as file, locked(file, wait=wait):
                if os.path.samestat(os.fstat(file.fileno()), self.path.stat()):
                    yield file
                    return


def _append_to(file: IO[bytes], line: Line) -> None:
    written = _encoded(line)
    _cut_torn_end(file)
    file.seek(0, os.SEEK_END)
    file.write(written)
    file.flush()
    os.fsync(file.fileno())


def _encoded(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), dict)
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
