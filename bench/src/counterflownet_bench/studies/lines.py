"""What a study has measured so far: one JSON object per line."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterflownet.errors import SavedFileError
from counterflownet.files import write_atomically


@dataclass(frozen=True, slots=True)
class Lines:
    """A file that may not exist yet; a torn last line, left by a write that was interrupted, is ignored."""

    path: Path

    def read(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        *whole, _torn = self.path.read_text(encoding="utf-8").split("\n")
        try:
            return [dict(json.loads(line)) for line in whole if line.strip()]
        except ValueError as error:
            raise SavedFileError(f"{self.path} holds a line that is no JSON object: {error}.") from error

    def append(self, result: dict[str, Any]) -> None:
        """One more line; the file is replaced whole, since what it holds took hours to measure."""
        self._write([*self.read(), result])

    def put(self, results: Sequence[dict[str, Any]]) -> None:
        """These lines instead of those that answer the same questions, and behind all others."""
        questions = [result["question"] for result in results]
        self._write([*(line for line in self.read() if line.get("question") not in questions), *results])

    def _write(self, results: Sequence[dict[str, Any]]) -> None:
        lines = [json.dumps(line, ensure_ascii=False, allow_nan=False) for line in results]
        write_atomically(self.path, "".join(f"{line}\n" for line in lines))
