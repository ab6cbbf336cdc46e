"""By which code results were made: what a line says of itself, and what pages say of all lines."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.provenance import code_digests, commit
from counterflownet_bench.benchmark.report_facts import whose_code
from counterflownet_bench.studies.others import is_taken_over

Result = Mapping[str, Any]
LETTERS = 7  # of a commit, as git abbreviates it
KINDS = {
    "this": "were made by the code that decides them as it was when this page was written",
    "other": "were made by other code, so that today's may give other numbers",
    "unknown": "do not say by which code they were made",
}
DECIDES = "What decides: the library for ours, the bench for other methods, its reading of the paper for the paper's."


def made_by() -> dict[str, Any]:
    """What every line of a study records of the code that makes it."""
    return {"commit": commit(), "code": dict(code_digests())}


def commits_words(results: Sequence[Result]) -> str:
    """By which commits results were made, whatever the code is now, so that a page that is written anew is the same."""
    if not results:
        return ""
    commits = Counter(_short(found) for result in results if (found := result.get("commit")))
    told = [f"{_counted(count)} by commit {name}" for name, count in commits.items()]
    unknown = len(results) - commits.total()
    if unknown:
        told.append(f"{_counted(unknown)} {'does' if unknown == 1 else 'do'} not say by which commit")
    changed = " (+: with changes that were not committed)" if any(name.endswith("+") for name in commits) else ""
    return f"{'; '.join(told)}{changed}."


def code_words(results: Sequence[Result], code: Mapping[str, str]) -> str:
    """How many results were made by the code with these checksums, by other code, or by nobody knows which."""
    counts = Counter(_kind(result, code) for result in results)
    digests = ", ".join(f"{part} {digest}" for part, digest in code.items())
    told = [f"{counts[kind]} {words}" for kind, words in KINDS.items() if counts[kind]]
    return f"Code ({digests}): of {_counted(len(results))}, {'; '.join(told)}. {DECIDES}"


def _kind(result: Result, code: Mapping[str, str]) -> str:
    taken_over = is_taken_over(result)
    method, preset = (result["question"][name] if taken_over else "" for name in ("method", "preset"))
    return whose_code(result.get("code"), method or OURS, preset, code)


def _short(name: str) -> str:
    return f"`{name[:LETTERS]}`{'+' if name.endswith('+') else ''}"


def _counted(count: int) -> str:
    return f"{count} {'result' if count == 1 else 'results'}"
