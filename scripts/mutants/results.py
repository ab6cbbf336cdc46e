"""What became of the mutants, kept from run to run, and which survivors are equal to the code."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mutation import mutations

ROOT = Path(__file__).parents[2]
ATTACKS = ROOT / "docs" / "attacks"
RESULTS = ATTACKS / "mutants.jsonl"
EQUIVALENT = ATTACKS / "equivalent_mutants.json"
BAR = 0.95
NAMED = ("file", "text", "column", "before", "after")  # what tells mutants apart
Record = dict[str, Any]
Key = tuple[Any, ...]


def code_digest() -> str:
    """Stands for the library's code as it is."""
    files = sorted((ROOT / "src" / "counterflownet").rglob("*.py"))
    return blake2b(b"\0".join(file.read_bytes() for file in files), digest_size=8).hexdigest()


def stored(seed: int) -> dict[Key, Record]:
    """The last record of each mutant of a draw."""
    return {key[1:]: record for key, record in _all().items() if key[0] == seed}


def append(record: Record, seed: int, code: str) -> None:
    """Keep a record. Whether its mutant was noticed ``at_first`` is what was found before tests were added for it.

    That stays so when other lines change: by then there are the tests.
    """
    before = _all().get(_key(record | {"seed": seed}))
    at_first = bool(record["killed_by"]) if before is None else before["at_first"]
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"seed": seed, "code": code, **record, "at_first": at_first}) + "\n")


def compact() -> None:
    """Keep the last record of each mutant that the code still has, in an order that does not depend on chance."""
    files = {record["file"] for record in _all().values() if (ROOT / record["file"]).exists()}
    places = {one.key: one.line for file in files for one in mutations(ROOT, ROOT / file)}
    known = _all().items()  # once more, for what another run has appended meanwhile
    kept = [{**record, "line": places[key[1:]]} for key, record in known if key[1:] in places]
    kept.sort(key=lambda record: [record[name] for name in ("seed", "file", "line", "column", "after")])
    RESULTS.write_text("".join(json.dumps(record) + "\n" for record in kept), encoding="utf-8")


def _all() -> dict[Key, Record]:
    if not RESULTS.exists():
        return {}
    return {_key(record): record for record in map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())}


def _key(record: Record) -> Key:
    return tuple(record[name] for name in ("seed", *NAMED))


def survivors(records: Iterable[Record]) -> Iterator[Record]:
    """Those that no test has noticed and that are not known to be equal to the code."""
    return (record for record in records if not record["killed_by"] and not is_equal(record))


def is_equal(record: Record) -> bool:
    """Whether the mutant is known to be equal to the code."""
    return _change(record) in _judged()


@cache
def _judged() -> frozenset[Key]:
    return frozenset(map(_change, json.loads(EQUIVALENT.read_text(encoding="utf-8"))))


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
