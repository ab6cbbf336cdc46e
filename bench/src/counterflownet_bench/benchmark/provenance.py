"""By which code, on which rows: what a result must say of itself to be trusted later."""

import ast
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

# What decides our answers, what decides those of the others and how all are measured, and what the paper's method is.
DECIDING: Mapping[str, tuple[str, ...]] = {
    "library": tuple(f"counterflownet.{name}" for name in ("tabular", "flow", "reward", "training", "explain")),
    "bench": tuple(f"counterflownet_bench.{name}" for name in ("baselines", "references", "metrics")),
    "paper": ("counterflownet_bench.as_published",),
}
# Of the library, what runs only where rules are asked for or suggested: no result of the bench does, so that none is in
# doubt when rules are changed.
FOR_RULES = frozenset(
    f"counterflownet.tabular.{name}"
    for name in (
        *("backtracking", "completion", "component", "computed", "condition", "condition_text", "condition_wording"),
        *("dissolving", "elimination", "known", "least_steps", "merging", "network", "rule_file", "rule_judge"),
        *("rule_records", "rule_tables", "situations", "suggest", "suggestion"),
    )
)
# What is explained, and how answers are judged: it concerns every method of the bench.
MEASURES = ("counterflownet_bench.references", "counterflownet_bench.metrics")
LETTERS = 16  # of a checksum, which are enough to tell states of the code apart


@cache
def code_digests() -> Mapping[str, str]:
    """A checksum of all source files that decide a result, for each part of them."""
    return {part: _digest(_sources(packages)) for part, packages in DECIDING.items()}


@cache
def digest_of(module: str) -> str:
    """A checksum of what concerns one method of the bench: its module, what that needs, and how answers are measured.

    Other methods are no part of it, so that their results are not in doubt when one is put right.
    """
    return _digest(sorted({*_needed(_file_of(module)), *_sources(MEASURES)}))


@cache
def commit() -> str | None:
    """The commit that this code is of, with a plus sign if files were changed since; None outside of a repository."""
    here = Path(__file__).parent
    head = _git(here, "rev-parse", "HEAD")
    if head is None:
        return None
    return f"{head}+" if _git(here, "status", "--porcelain", "--untracked-files=no") else head


def rows_digest(rows: pd.DataFrame) -> str:
    """A checksum of the rows that were explained, cell by cell and in their order."""
    cells = pd.util.hash_pandas_object(rows.astype(str), index=False).to_numpy()
    return sha256(cells.tobytes()).hexdigest()[:LETTERS]


def _sources(packages: Iterable[str]) -> Iterable[Path]:
    for package in packages:
        spec = find_spec(package)
        places = [] if spec is None else spec.submodule_search_locations or []
        found = sorted(file for place in places for file in Path(place).rglob("*.py"))
        yield from (file for file in found if f"{package}.{file.stem}" not in FOR_RULES)


def _needed(file: Path) -> Iterable[Path]:
    """The file and what it names of the bench's code, in imports or as a script beside it, and what these name."""
    known, waiting = set[Path](), [file]
    while waiting:
        known.add(named := waiting.pop())
        waiting += [other for other in _named_in(named) if other not in known]
    return known


def _named_in(file: Path) -> Iterator[Path]:
    deciding = tuple(f"{package}." for package in DECIDING["bench"])
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(deciding):
            yield _file_of(str(node.module))
        elif isinstance(node, ast.Constant) and str(node.value).endswith(".py"):
            beside = file.with_name(str(node.value))
            yield from [beside] if beside.is_file() else []


def _file_of(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{module} has no source file whose checksum could be told")
    return Path(spec.origin)


def _digest(files: Iterable[Path]) -> str:
    whole = sha256()
    for file in files:
        whole.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return whole.hexdigest()[:LETTERS]


def _git(folder: Path, *command: str) -> str | None:
    try:
        told = subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=True)  # noqa: S603, S607
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()
