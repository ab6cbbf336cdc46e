"""How many small faults the tests notice: changes lines of the library at random and runs the tests of their folder.

Run: make mutants, or python scripts/mutants --help

Results are kept in docs/attacks/mutants.jsonl, so the same command resumes. A mutant that survives is either missed by
the tests or equal to the code: docs/attacks/equivalent_mutants.json names those that are equal, each with the reason.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = "1"  # before torch is imported: a fork must find no threads

from mutation import Mutation, mutations
from results import Record, append, compact, report, stored, survivors, told
from trial import Copy

ROOT = Path(__file__).parents[2]
FOLDERS = ("tabular", "flow", "reward", "training", "explain")
SLOW = 8.0  # seconds: a file of tests that takes longer is left for a second look
PATIENCE = 20.0  # seconds of the processor beside twice those of the tests


def drawn(folder: str, count: int, seed: int) -> list[Mutation]:
    """As many mutants of the folder, chosen by chance; a change of other lines leaves the choice as it is."""
    files = sorted((ROOT / "src" / "counterflownet" / folder).rglob("*.py"))
    every = (mutation for file in files for mutation in mutations(ROOT, file))
    return sorted(every, key=lambda mutation: blake2b(repr((seed, mutation.key)).encode()).digest())[:count]


class Hunt:
    """The mutants of one folder, against its tests."""

    def __init__(self, copy: Copy, folder: str, *, quick: bool) -> None:
        self.copy, self.folder, self.quick = copy, folder, quick
        self.killers: Counter[tuple[str, str]] = Counter()
        self.seconds = self._measured([f"tests/{folder}"])

    def _measured(self, places: Sequence[str]) -> dict[str, float]:
        """The files of tests, with the seconds each takes."""
        verdict = self.copy.trial(places, cpu_seconds=1_000)
        if verdict.failed:
            log = (self.copy.folder / "log.txt").read_text(encoding="utf-8")
            sys.exit(f"the tests fail without any mutant: {verdict.failed}\n{log[-3000:]}")
        return {file: took for file, took in verdict.seconds.items() if took < SLOW or not self.quick}

    def record(self, mutation: Mutation) -> Record:
        source = (self.copy.folder / mutation.file).read_text(encoding="utf-8")
        limit = 2 * sum(self.seconds.values()) + PATIENCE
        changed = {mutation.file: mutation.applied(source)}
        verdict = self.copy.trial(self._ordered(mutation.file), cpu_seconds=limit, changed=changed)
        if verdict.failed:
            self.killers[mutation.file, verdict.failed.partition("::")[0]] += 1
        return {"folder": self.folder, **mutation.to_json(), "killed_by": verdict.failed, "quick": self.quick}

    def _ordered(self, file: str) -> list[str]:
        """The tests that are likely to notice first, then the fast ones."""
        stem = Path(file).stem
        return sorted(
            self.seconds,
            key=lambda tests: (-self.killers[file, tests], stem not in Path(tests).stem, self.seconds[tests]),
        )


def hunted(mutants: Iterable[tuple[str, Mutation]], *, quick: bool) -> None:
    """Try each of these mutants and keep what became of it."""
    with TemporaryDirectory(prefix="mutants-") as name:
        copy = Copy(ROOT, Path(name))
        hunt_in = cache(lambda folder: Hunt(copy, folder, quick=quick))
        for folder, mutation in mutants:
            record = hunt_in(folder).record(mutation)
            append(record)
            print(told(record), flush=True)
    compact()


def is_open(record: Record | None, options: argparse.Namespace) -> bool:
    """Whether there is still something to learn about a mutant."""
    if record is None:
        return True
    looked_at_by_all = not record["quick"] or options.quick
    return next(survivors([record]), None) is not None and (options.again or not looked_at_by_all)


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="mutants of each folder (default: 60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folders", nargs="+", default=FOLDERS, choices=FOLDERS)
    parser.add_argument("--quick", action="store_true", help="leave out slow tests; survivors stay open for a full run")
    parser.add_argument("--again", action="store_true", help="try all survivors again, after tests were added")
    parser.add_argument("--report", action="store_true", help="run nothing, print what is known")
    return parser.parse_args()


def main() -> int:
    options = asked()
    chosen = [[(folder, one) for one in drawn(folder, options.count, options.seed)] for folder in options.folders]
    mutants = [one for turn in zip(*chosen, strict=True) for one in turn]  # all folders alike, however soon it stops
    if not options.report:
        known = stored()
        hunted([one for one in mutants if is_open(known.get(one[1].key), options)], quick=options.quick)
    wanted = {mutation.key for _, mutation in mutants}
    return 0 if report([record for key, record in stored().items() if key in wanted], options.folders) else 1


if __name__ == "__main__":
    sys.exit(main())
