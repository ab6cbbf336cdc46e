"""How many small faults the tests notice: changes lines of the library at random and runs the tests of their folder.

Run: make mutants, or python scripts/mutants --help

Of the folder's tests, those are run that run the changed line, the quickest first, until one fails. Which these are is
learned once and kept in .mutants_cache. Results are kept in docs/attacks/mutants.jsonl, so the same command resumes; a
result counts for the code it was found with. A mutant that survives is either missed by the tests or equal to the code:
docs/attacks/equivalent_mutants.json names those that are equal, each with the reason.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from itertools import accumulate, chain, starmap, zip_longest
from math import inf
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = "1"  # before torch is imported: a fork must find no threads

from fresh import written_since
from mutation import Mutation, mutations
from results import Record, append, code_digest, compact, is_equal, report, stored, survivors, told
from touched import Touched
from trial import Copy

ROOT = Path(__file__).parents[2]
FEW = 15  # tests that are tried before the files of all others are imported
FOLDERS = ("tabular", "flow", "reward", "training", "explain", "classifier")


def drawn(folder: str, options: argparse.Namespace) -> list[Mutation]:
    """As many mutants of the folder, chosen by chance; a change of other lines leaves the choice as it is."""
    files = sorted((ROOT / "src" / "counterflownet" / folder).rglob("*.py"))
    every = [mutation for file in files for mutation in mutations(ROOT, file)]
    if options.since:
        fresh = written_since(ROOT, options.since)
        every = [mutation for mutation in every if mutation.line in fresh.get(mutation.file, ())]
    every.sort(key=lambda mutation: blake2b(repr((options.seed, mutation.key)).encode()).digest())
    return every[: options.count]


class Hunt:
    """Tries mutants of any folder, each against the tests of its folder that may notice it."""

    def __init__(self, folder: str, budget: float) -> None:
        self.copy, self.budget = Copy(ROOT, Path(folder)), budget
        self.touched = cache(lambda name: Touched.by(self.copy, name))

    def record(self, mutation: Mutation, noticed_by: str | None = None) -> Record:
        """What becomes of a mutant; the test that noticed it before is the first to look at it."""
        if is_equal(mutation.to_json()):
            return _record_of(mutation, None, 0, 0)
        touched = self.touched(_folder(mutation))
        source = (self.copy.folder / mutation.file).read_text(encoding="utf-8")
        seeing = {test: touched.seconds[test] for test in touched.seeing(mutation, source)}
        spent = accumulate(seeing.values())
        usual = {test: seeing[test] for test, so_far in zip(seeing, spent, strict=True) if so_far <= self.budget}
        first = [test for test in seeing if test == noticed_by]
        tries = (first, [*usual][:FEW], [*usual][FEW:])
        changed = {mutation.file: mutation.applied(source)}
        killers = (self.copy.trial({test: seeing[test] for test in tests}, changed) for tests in tries if tests)
        return _record_of(mutation, next(filter(None, killers), None), len(usual), len(seeing) - len(usual))


def _record_of(mutation: Mutation, killed_by: str | None, tests: int, left_out: int) -> Record:
    counts = {"tests": tests, "left_out": 0 if killed_by else left_out}
    return {"folder": _folder(mutation), **mutation.to_json(), "killed_by": killed_by, **counts}


def _folder(mutation: Mutation) -> str:
    return Path(mutation.file).parts[2]


def hunted(mutants: Mapping[Mutation, str | None], processes: int, budget: float) -> Iterator[Record]:
    """What becomes of each mutant, given with the test that noticed it before, in the order in which it is known."""
    with TemporaryDirectory(prefix="mutants-") as name:
        hunt = Hunt(name, budget)
        for folder in sorted(set(map(_folder, mutants))):
            hunt.touched(folder)  # learned once, for all processes
        if processes == 1:
            yield from starmap(hunt.record, mutants.items())
            return
        with get_context("fork").Pool(processes, _begin, [budget]) as pool:
            yield from pool.imap_unordered(_record, mutants.items())


def _begin(budget: float) -> None:
    global _hunt, _place  # noqa: PLW0603 - what a process of a pool has for itself
    _place = TemporaryDirectory(prefix="mutants-")
    _hunt = Hunt(_place.name, budget)


def _record(given: tuple[Mutation, str | None]) -> Record:
    return _hunt.record(*given)


def is_open(record: Record | None, code: str, options: argparse.Namespace) -> bool:
    """Whether there is still something to learn about a mutant."""
    if record is None or record["code"] != code:
        return True
    more = options.again or (record["left_out"] and options.budget == inf)
    return more and next(survivors([record]), None) is not None


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="mutants of each folder (default: 60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folders", nargs="+", default=FOLDERS, choices=FOLDERS)
    parser.add_argument("--since", metavar="REVISION", help="change only lines that were written after this version")
    parser.add_argument("--processes", type=int, default=1, help="mutants that are tried at a time (default: 1)")
    parser.add_argument(
        "--budget",
        type=float,
        default=inf,
        metavar="SECONDS",
        help="leave out the slowest tests beyond this time in all; survivors stay open for a run without it",
    )
    parser.add_argument("--again", action="store_true", help="try all survivors again, after tests were added")
    parser.add_argument("--report", action="store_true", help="run nothing, print what is known")
    return parser.parse_args()


def main() -> int:
    options = asked()
    chosen = [drawn(folder, options) for folder in options.folders]
    turns = chain.from_iterable(zip_longest(*chosen))  # all folders alike, however soon it stops
    mutants = [one for one in turns if one is not None]
    if not options.report:
        known, code = stored(options.seed), code_digest()
        left = {
            one: known.get(one.key, {}).get("killed_by")
            for one in mutants
            if is_open(known.get(one.key), code, options)
        }
        for record in hunted(left, options.processes, options.budget) if left else ():
            append(record, options.seed, code)
            print(told(record), flush=True)
        compact()
    known = stored(options.seed)
    return 0 if report([known[one.key] for one in mutants if one.key in known], options.folders) else 1


if __name__ == "__main__":
    sys.exit(main())
