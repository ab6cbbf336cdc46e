"""The benchmark's results on disk: of which cell each is, and which cells need not run again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from counterflownet.errors import InvalidInputError, SavedFileError
from counterflownet_bench.benchmark.cell import Cell, Result
from counterflownet_bench.benchmark.json_lines import JsonLines

REQUIRED = ("cell", "protocol", "dataset", "method", "seed", "instances", "count", "metrics", "settings", "version")


@dataclass(frozen=True, slots=True)
class Stored:
    """Results in the order they were written, and what is to be said about their files."""

    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultStore:
    """A file of results; it need not exist yet."""

    path: Path

    @property
    def file(self) -> JsonLines:
        return JsonLines(self.path)

    def append(self, result: Result) -> None:
        self.file.append(result)

    def read(self) -> Stored:
        """All results; a line that is none of a benchmark is an error."""
        content = self.file.read()
        for number, line in enumerate(content.lines, start=1):
            self._check(line, number)
        return Stored(content.lines, content.notes)

    def finished(self, *, with_failed: bool) -> frozenset[str]:
        """The identities of cells that need not run again; the last result of a cell is the one that counts."""
        latest = {identity(result): "error" in result for result in self.read().results}
        return frozenset(key for key, failed in latest.items() if with_failed or not failed)

    def _check(self, result: Result, number: int) -> None:
        missing = [name for name in REQUIRED if name not in result]
        if missing:
            raise SavedFileError(
                f"result {number} of {self.path} is no result of a benchmark; it lacks {', '.join(missing)}."
            )
        try:
            Cell(**result["cell"])
        except (TypeError, InvalidInputError) as error:
            raise SavedFileError(f"result {number} of {self.path} is of a cell that cannot be read: {error}") from error


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
