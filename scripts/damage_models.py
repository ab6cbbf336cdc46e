"""Damage model files by the thousand, load each where a crash is seen, and count how it ends.

Run: python scripts/damage_models.py --files 1000 --out docs/attacks/models.json
"""

import argparse
import json
import platform
import resource
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import numpy as np
from model_damage import damaged
from model_originals import CLASSES, MODELS, WORDS, original, rows
from numpy.typing import NDArray

from counterflownet.classifier import as_classifier
from counterflownet.cli.onnx_model import OnnxModel
from counterflownet.cli.skops_model import load_skops
from counterflownet.errors import CounterFlowNetError

ERROR, SAME, OTHER = "a clear error", "the same answers", "other answers: it is another model now"
FOREIGN, CRASH, TIMEOUT = "another exception", "a crash", "no end within a minute"
OUTCOMES = (ERROR, SAME, OTHER, FOREIGN, CRASH, TIMEOUT)
BAD = OUTCOMES[3:]
TOLD = "ended: "
SECONDS = 60
BYTES = 4 * 2**30
PACKAGES = ("counterflownet", "numpy", "onnxruntime", "scikit-learn", "skops")


def main() -> int:
    """The figures of all kinds, written to a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=1000, help="damaged files of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", default=list(MODELS), choices=list(MODELS), metavar="KIND")
    parser.add_argument("--out", type=Path, help="file for the figures")
    parser.add_argument("--worker", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(options.worker, tasks(options.kinds, options.files)[options.start :], options.seed)
    found = figures(options.kinds, options.files, options.seed)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))
    return 1 if sum(found["bad"].values()) else 0


def figures(kinds: Sequence[str], count: int, seed: int) -> dict[str, Any]:
    """How many files of each kind ended how; ``bad`` is what must not happen."""
    ended = Counter(outcomes(kinds, count, seed))
    return {
        "seed": seed,
        "files_of_each_kind": count,
        "versions": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
        "kinds": {kind: {outcome: ended[kind, outcome] for outcome in OUTCOMES} for kind in kinds},
        "crashes": sum(ended[kind, CRASH] for kind in kinds),
        "bad": {outcome: sum(ended[kind, outcome] for kind in kinds) for outcome in BAD},
    }


def tasks(kinds: Sequence[str], count: int) -> list[tuple[str, int]]:
    """Every file to be damaged, by its kind and number."""
    return [(kind, number) for kind in kinds for number in range(count)]


def outcomes(kinds: Sequence[str], count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Kind and ending of each file; a process that dies is followed by one that begins at the next file."""
    left = tasks(kinds, count)
    with TemporaryDirectory() as folder:
        for kind in kinds:
            (Path(folder) / kind).write_bytes(original(kind))
        options = ["--files", str(count), "--seed", str(seed), "--kinds", *kinds]
        while left:
            start = ["--start", str(len(kinds) * count - len(left))]
            command = [sys.executable, __file__, "--worker", folder, *options, *start]
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
            sys.stderr.write(done.stderr)
            told = [line.removeprefix(TOLD) for line in done.stdout.splitlines() if line.startswith(TOLD)]
            told += [_death(done, left[len(told)])] if done.returncode else []
            yield from ((kind, ending) for (kind, _), ending in zip(left, told, strict=False))
            left = left[len(told) :]


def _death(done: subprocess.CompletedProcess[str], task: tuple[str, int]) -> str:
    if done.returncode > 0:
        raise RuntimeError(done.stderr)
    print(f"{task}: {signal.Signals(-done.returncode).name}", file=sys.stderr)
    return TIMEOUT if -done.returncode == signal.SIGALRM else CRASH


def work(folder: Path, left: Sequence[tuple[str, int]], seed: int) -> int:
    """Load and ask one damaged file after the other, and print how each ended."""
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    warnings.simplefilter("ignore")
    for kind, number in left:
        path = folder / f"damaged.{kind.partition(',')[0]}"
        whole, expected = undamaged(folder / kind, path)
        path.write_bytes(damaged(kind, whole, np.random.default_rng([seed, crc32(kind.encode()), number])))
        signal.alarm(SECONDS)
        print(f"{TOLD}{ending(path, expected)}", flush=True)
    return 0


@cache
def undamaged(source: Path, path: Path) -> tuple[bytes, NDArray[np.float64]]:
    """The whole file, and what its model answers."""
    whole = source.read_bytes()
    path.write_bytes(whole)
    return whole, answers(path)


def ending(path: Path, expected: NDArray[np.float64]) -> str:
    """How loading and asking the model ends."""
    try:
        found = answers(path)
    except CounterFlowNetError:
        return ERROR
    except Exception as error:  # noqa: BLE001 - which is what we are looking for
        print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
        return FOREIGN
    return SAME if np.array_equal(found, expected) else OTHER


def answers(path: Path) -> NDArray[np.float64]:
    """The probabilities of the model in the file."""
    table = rows()
    if path.suffix == ".onnx":
        return as_classifier(OnnxModel(path), classes=CLASSES).probabilities(table)
    model = load_skops(path)
    named = getattr(model, "categorical_features", None)
    return as_classifier(model).probabilities(table.astype(dict.fromkeys(WORDS, "category")) if named else table)


if __name__ == "__main__":
    sys.exit(main())
