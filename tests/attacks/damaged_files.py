"""What becomes of those who read damaged files: as a program, it damages many and writes down what happened.

python tests/attacks/damaged_files.py --count 1000 --out docs/attacks/files.json
"""

import argparse
import json
import random
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from damage import ACCIDENTS, FORGED, Damage

from counterflownet import CounterFlowNet, CounterFlowNetError
from counterflownet.files import write_atomically

TINY = {"steps": 6, "window": 3, "batch_rows": 16, "width": 16, "patience": None}
SAME, OTHER, NOT_OURS = "same answers", "other answers", "not ours:"
NOTES = {
    "accidents": {"must_be": "an error of ours, or the same answers"},
    "forgeries": {"must_be": "an error of ours, or answers: with a checksum that fits, it is another file"},
}


def people() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    cities = draw.choice(["lima", "oslo"], 60)
    return pd.DataFrame({"age": draw.integers(18, 80, 60), "income": draw.normal(30, 10, 60), "city": cities})


def approves(rows: pd.DataFrame) -> np.ndarray:
    short_of = 30 - rows["income"].to_numpy(dtype=float) - (rows["city"] == "oslo").to_numpy()
    return 1 / (1 + np.exp(np.clip(short_of, -50, 50)))


def explainer(model: Callable[[pd.DataFrame], np.ndarray] = approves) -> CounterFlowNet:
    return CounterFlowNet(model, classes=["no", "yes"], training=TINY)


def answers(fitted: CounterFlowNet) -> str:
    rows = people()
    return fitted.explain(rows[approves(rows) < 0.5].head(2), target="yes", samples=10, rounds=1).to_json()


def save(path: Path, *, private: bool = False) -> None:
    explainer().fit(people(), progress=False).save(path, private=private)


def stop_half_way(path: Path) -> None:
    """A checkpoint of a run whose classifier failed when half of the steps were done."""
    asked = 0

    def failing(rows: pd.DataFrame) -> np.ndarray:
        nonlocal asked
        asked += 1
        if asked > 3 + TINY["window"]:  # before training: of the table, of made-up rows, of relatives
            raise ConnectionError
        return approves(rows)

    try:
        explainer(failing).fit(people(), progress=False, checkpoint=path)
    except CounterFlowNetError:
        return


def loaded(path: Path) -> str:
    return answers(CounterFlowNet.load(path, approves, classes=["no", "yes"]))


def resumed(path: Path) -> str:
    return answers(explainer().fit(people(), progress=False, checkpoint=path))


FILES = {
    "explainer": (save, loaded),
    "private explainer": (partial(save, private=True), loaded),
    "checkpoint": (stop_half_way, resumed),
}


def outcomes(file: str, damage: Damage, *, count: int, seed: int) -> Counter[str]:
    """What happened to ``count`` readers: the class of their error, or whether the answers were the same."""
    whole, expected = undamaged(file)
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for number in range(count):
            path.write_bytes(whole)
            damage(path, random.Random(f"{seed}/{number}"))  # noqa: S311 - no secret
            told = what_is_told(file, path)
            counted[SAME if told == expected else OTHER if told.startswith("{") else told] += 1
    return counted


@cache
def undamaged(file: str) -> tuple[bytes, str]:
    """The file as it should be, and what its reader says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        FILES[file][0](path)
        return path.read_bytes(), what_is_told(file, path)


def what_is_told(file: str, path: Path) -> str:
    """The answers, or the class of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of another classifier, or that plausibility is off
        try:
            return FILES[file][1](path)
        except CounterFlowNetError as error:
            return type(error).__name__
        except Exception as error:  # noqa: BLE001 - any of these is a fault of ours, to be counted
            return f"{NOT_OURS} {type(error).__name__}"


def figures(count: int, seed: int) -> dict[str, Any]:
    def of(kinds: dict[str, Damage]) -> dict[str, Any]:
        return {
            file: {name: outcomes(file, damage, count=count, seed=seed) for name, damage in kinds.items()}
            for file in FILES
        }

    accidents, forgeries = of(ACCIDENTS), of(FORGED)
    silent = sum(counted[OTHER] for kinds in accidents.values() for counted in kinds.values())
    counters = [counted for kinds in (*accidents.values(), *forgeries.values()) for counted in kinds.values()]
    foreign = sum(times for counted in counters for name, times in counted.items() if name.startswith(NOT_OURS))
    told = {"seed": seed, "files_of_each_kind": count, "silent_differences": silent, "errors_not_ours": foreign}
    return told | {"accidents": NOTES["accidents"] | accidents, "forgeries": NOTES["forgeries"] | forgeries}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    write_atomically(given.out, json.dumps(figures(given.count, given.seed), indent=1) + "\n")
