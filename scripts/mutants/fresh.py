"""Lines of the library that an older version does not have."""

import re
import subprocess
from collections import defaultdict
from pathlib import Path

PLACE = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def written_since(root: Path, revision: str) -> dict[str, set[int]]:
    """The lines of each file that were written after a version of the repository."""
    command = ["git", "diff", "--unified=0", "--no-color", "--no-ext-diff", revision, "--", "src/counterflownet"]
    told = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True, encoding="utf-8")  # noqa: S603
    return new_lines(told.stdout)


def new_lines(difference: str) -> dict[str, set[int]]:
    """The lines that a difference adds, as ``git diff --unified=0`` tells it."""
    found: dict[str, set[int]] = defaultdict(set)
    file = ""
    for line in difference.splitlines():
        if line.startswith("+++ "):
            file = line.removeprefix("+++ ").removeprefix("b/")
        elif place := PLACE.match(line):
            first, count = int(place[1]), int(place[2] or 1)
            found[file].update(range(first, first + count))
    return found
