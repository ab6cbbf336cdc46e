"""Writes docs/attacks.md: the text of attacks_page.md with the figures of the long runs, which are in docs/attacks/."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TEXT = ROOT / "scripts" / "attacks_page.md"
PAGE = ROOT / "docs" / "attacks.md"
FIGURES = ROOT / "docs" / "attacks"
FOLDERS = ("tabular", "flow", "reward", "training", "explain", "classifier")
FATES = ("a clear error", "the same answers", "other answers")
MUTANTS_HEAD = ("folder", "tried", "no difference", "noticed at first", "noticed now")
ANOTHER_MODEL = "other answers: it is another model now"


def page() -> str:
    """The whole page."""
    parts = {**_fuzz(), **_rules(), **_files(), **_models(), **_mutants()}
    return TEXT.read_text(encoding="utf-8").format(**parts)


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIGURES / name).read_text(encoding="utf-8").splitlines()]


def _fuzz() -> dict[str, str]:
    lines = _lines("fuzz.jsonl")
    minutes = sum(line["seconds"] for line in lines) / 60
    counts = {
        "tables": len(lines),
        "kinds of columns": len({kind for line in lines for kind in line["columns"]}),
        "calls": sum(line["calls"] for line in lines),
        "calls refused because their constraints exclude each other in every row": sum(x["refused"] for x in lines),
        "rows": sum(line["rows"] for line in lines),
        "answers": sum(line["answers"] for line in lines),
        "plain samples": sum(line["samples"] for line in lines),
        "broken promises": sum(len(line["breaches"]) for line in lines),
    }
    return {"fuzz": _table([f"in {minutes:.0f} minutes", ""], [[name, f"{n:,}"] for name, n in counts.items()])}


def _rules() -> dict[str, str]:
    masks, tables = _lines("rule_masks.jsonl"), _lines("rule_fuzz.jsonl")
    compared = sum(line["states"] for line in masks)
    rows = [["states compared with a solver", compared, "disagreements", sum(len(x["disagreements"]) for x in masks)]]
    for steps in sorted({line["steps"] for line in tables}):
        some = [line for line in tables if line["steps"] == steps]
        told = f"answers and samples of {len(some)} tables, {steps} steps of training"
        broken = sum(len(line["breaches"]) for line in some)
        rows.append([told, sum(line["answers"] for line in some), "broken rules", broken])
    return {"rules": _table(["", "", "", ""], [[a, f"{b:,}", c, f"{d:,}"] for a, b, c, d in rows])}


def _files() -> dict[str, str]:
    figures = _figures("files.json")
    rows = [
        [f"{kind}, {damage}", *_counts(_named(fates))]
        for kinds in (figures["accidents"], figures["forgeries"])
        for kind, damages in kinds.items()
        if kind != "must_be"
        for damage, fates in damages.items()
    ]
    return {
        "files": _table(["file and damage", *FATES], rows),
        "files_count": f"{figures['files_of_each_kind']:,}",
        "files_silent": str(figures["silent_differences"]),
        "files_foreign": str(figures["errors_not_ours"]),
    }


def _named(fates: Mapping[str, int]) -> Counter[str]:
    """How often each came about, with all our errors under one name."""
    named: Counter[str] = Counter()
    for fate, count in fates.items():
        named["a clear error" if fate.endswith("Error") else fate.replace("same", "the same", 1)] += count
    return named


def _models() -> dict[str, str]:
    figures = _figures("models.json")
    kinds = {kind: Counter(fates) for kind, fates in figures["kinds"].items()}
    for fates in kinds.values():
        fates["other answers"] = fates.pop(ANOTHER_MODEL)
    return {
        "models": _table(["model", *FATES], [[kind, *_counts(fates)] for kind, fates in kinds.items()]),
        "models_count": f"{figures['files_of_each_kind']:,}",
        "models_crashes": str(figures["crashes"]),
        "models_other": str(sum(fates.total() - sum(fates[name] for name in FATES) for fates in kinds.values())),
    }


def _mutants() -> dict[str, str]:
    sys.path.insert(0, str(ROOT / "scripts" / "mutants"))
    from results import stored  # noqa: PLC0415 - it lies in a folder that is a program

    first, second, third = ([*stored(seed).values()] for seed in (0, 1, 2))
    return {
        "mutants": _table(MUTANTS_HEAD, _by_folder(first)),
        "mutants_again": _table(MUTANTS_HEAD, [_shares("all", second)]),
        "mutants_fresh": _table(MUTANTS_HEAD, _by_folder(third)),
        "mutants_code": _codes((*first, *second)),
        "mutants_fresh_code": _codes(third),
    }


def _by_folder(records: Sequence[dict[str, Any]]) -> list[list[str]]:
    """A line for each folder that was drawn from, then one for all."""
    found = {name: [record for record in records if record["folder"] == name] for name in FOLDERS}
    return [*(_shares(name, some) for name, some in found.items() if some), _shares("all", records)]


def _codes(records: Sequence[dict[str, Any]]) -> str:
    return " and ".join(sorted({f"`{record['code']}`" for record in records}))


def _shares(name: str, records: Sequence[dict[str, Any]]) -> list[str]:
    from results import is_equal  # noqa: PLC0415 - as above

    faults = [record for record in records if record["killed_by"] or not is_equal(record)]
    noticed = [sum(bool(record[when]) for record in faults) for when in ("at_first", "killed_by")]
    shares = [f"{count / max(len(faults), 1):.1%}" for count in noticed]
    return [name, str(len(records)), str(len(records) - len(faults)), *shares]


def _counts(fates: Mapping[str, int]) -> list[str]:
    return [f"{fates[name]:,}" for name in FATES]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _figures(name: str) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((FIGURES / name).read_text(encoding="utf-8"))
    return figures


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
