"""Which tests of a folder run which lines of the library; kept in a cache until code or tests change."""

import ast
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from mutation import Mutation
from trial import Copy

CACHE = Path(__file__).parents[2] / ".mutants_cache"
Tests = dict[int, set[str]]  # by line


@dataclass
class Touched:
    """The usual seconds of each test, and the tests that run each line."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, Tests] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    @classmethod
    def by(cls, copy: Copy, folder: str) -> "Touched":
        """What the tests of the folder run; only files of tests that were never seen with this code are run."""
        touched = cls()
        for file in sorted((copy.folder / "tests" / folder).rglob("test_*.py")):
            touched._add(copy, file)
        return touched

    def _add(self, copy: Copy, file: Path) -> None:
        kept = CACHE / f"{file.stem}-{_digest(copy.folder, file)}.json"
        if not kept.exists():
            CACHE.mkdir(exist_ok=True)
            kept.write_text(json.dumps(copy.traced(str(file.relative_to(copy.folder)))), encoding="utf-8")
        learned = json.loads(kept.read_text(encoding="utf-8"))
        self.seconds |= zip(learned["tests"], learned["seconds"], strict=True)
        for source, lines in learned["lines"].items():
            for line, numbers in lines.items():
                self.lines[source][int(line)].update(learned["tests"][number] for number in numbers)

    def seeing(self, mutation: Mutation, source: str) -> list[str]:
        """The tests that may notice a mutant, the quickest first: of a line outside of functions, all."""
        lines, of_file = run_with(source, mutation.line), self.lines[mutation.file]
        if lines is not None:
            return self._quickest({test for line in lines for test in of_file.get(line, ())})
        near = {test for tests in of_file.values() for test in tests}
        return [*self._quickest(near), *self._quickest(self.seconds.keys() - near)]

    def _quickest(self, tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self.seconds[test], test))


def run_with(source: str, line: int) -> range | None:
    """The lines that run whenever this one does, which is in a function; None if it is in none."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    found = [own for function in functions for own in map(_own_lines, _inside(function)) if line in own]
    return min(found, key=len, default=None)


def _inside(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    return (node for part in function.body for node in ast.walk(part) if isinstance(node, ast.stmt))


def _own_lines(statement: ast.stmt) -> range:
    """The lines of a statement without those of the statements in it."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(last, statement.lineno) + 1)


def _digest(root: Path, tests: Path) -> str:
    """Of all that can change which lines these tests run."""
    shared = [file for file in root.rglob("*.py") if not file.stem.startswith("test_")]
    read = sorted([*shared, root / "pyproject.toml", tests])
    return blake2b(b"\0".join(file.read_bytes() for file in read), digest_size=8).hexdigest()
