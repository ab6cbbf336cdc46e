"""What became of the mutants, kept from run to run, and which survivors are equal to the code."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mutation import mutations

ROOT = Path(__file__).parents[2]
ATTACKS = ROOT / "docs" / "attacks"
RESULTS = ATTACKS / "mutants.jsonl"
EQUIVALENT = ATTACKS / "equivalent_mutants.json"
BAR = 0.95
Record = dict[str, Any]
Key = tuple[Any, ...]


def stored() -> dict[Key, Record]:
    """The last record of each mutant."""
    if not RESULTS.exists():
        return {}
    records = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return {tuple(record[name] for name in ("file", "text", "column", "before", "after")): record for record in records}


def append(record: Record) -> None:
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def compact() -> None:
    """Keep the last record of each mutant that the code still has, in an order that does not depend on chance."""
    known = stored()
    files = sorted({record["file"] for record in known.values()})
    current = [one for file in files if (ROOT / file).exists() for one in mutations(ROOT, ROOT / file)]
    kept = [{**known[one.key], "line": one.line} for one in current if one.key in known]
    kept.sort(key=lambda record: (record["file"], record["line"], record["column"]))
    RESULTS.write_text("".join(json.dumps(record) + "\n" for record in kept), encoding="utf-8")


def survivors(records: Iterable[Record]) -> Iterator[Record]:
    """Those that no test has noticed and that are not known to be equal to the code."""
    judged = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else []
    equal = {_change(one) for one in judged}
    return (record for record in records if not record["killed_by"] and _change(record) not in equal)


def report(records: Sequence[Record], folders: Sequence[str]) -> bool:
    """Print the survivors and the share killed of each folder; whether it is enough over all of them."""
    missed = list(survivors(records))
    print(*map(told, missed), sep="\n")
    for folder in folders:
        print(f"{folder:9} {_share([one for one in records if one['folder'] == folder], missed)}")
    print(f"{'all':9} {_share(records, missed)}")
    return len(missed) <= (1 - BAR) * (_killed(records) + len(missed))


def told(record: Record) -> str:
    change = f"{record['before'][:80]!r} -> {record['after'][:80]!r}"
    fate = f"killed by {record['killed_by']}" if record["killed_by"] else "SURVIVED"
    return f"{record['file']}:{record['line']}: {change}: {fate}"


def _share(records: Sequence[Record], missed: Sequence[Record]) -> str:
    killed, lived = _killed(records), sum(one in records for one in missed)
    equal = len(records) - killed - lived
    return f"{killed} of {killed + lived} killed, {killed / max(killed + lived, 1):.1%}; {equal} more equal the code"


def _killed(records: Iterable[Record]) -> int:
    return sum(bool(record["killed_by"]) for record in records)


def _change(record: Record) -> Key:
    return tuple(record[name] for name in ("file", "text", "before", "after"))
