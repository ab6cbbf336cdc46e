"""What a study has measured so far: one JSON object per line."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterflownet.errors import SavedFileError


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
        """One more line, on a line of its own even after a torn one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        kept = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in self.read())
        self.path.write_text(f"{kept}{json.dumps(result, ensure_ascii=False, allow_nan=False)}\n", encoding="utf-8")
