"""A process of its own that fits and explains a wide table within a limit of memory, and says how much it took.

Usage: wide_table.py KIND COLUMNS ROWS MEGABYTES, where the megabytes are above what the imports take.
"""

import resource
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from counterflownet import CounterFlowNet

LETTERS = np.array(list("abcdefghij"))


def table(kind: str, columns: int, draw: np.random.Generator) -> pd.DataFrame:
    cells = LETTERS[draw.integers(0, 10, (400, columns))] if kind == "text" else draw.normal(size=(400, columns))
    return pd.DataFrame(cells, columns=[f"c{number}" for number in range(columns)])


def numbers(rows: pd.DataFrame) -> np.ndarray:
    cells = rows.to_numpy()
    return np.searchsorted(LETTERS, cells.astype("U1")) - 4.5 if cells.dtype == object else cells


def megabytes(field: str) -> float:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def main(kind: str, columns: int, rows: int, limit: int) -> None:
    draw = np.random.default_rng(0)
    training, weights = table(kind, columns, draw), draw.normal(size=columns)
    begun, bytes_begun = megabytes("VmRSS"), int(megabytes("VmSize") * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (bytes_begun + limit * 2**20,) * 2)

    def positive(table: pd.DataFrame) -> np.ndarray:
        return 1 / (1 + np.exp(columns**0.5 - numbers(table) @ weights))

    brief = {"steps": 2, "batch_rows": 64, "width": 64}
    explainer = CounterFlowNet(positive, classes=["no", "yes"], training=brief).fit(training, progress=False)
    asked = training[positive(training) < 0.5].sample(rows, replace=True, random_state=0)
    answer = explainer.explain(asked, target="yes", rounds=2)
    sys.stdout.write(f"{len(answer.row)} answers, {megabytes('VmHWM') - begun:.0f} MB above the imports\n")


if __name__ == "__main__":
    main(sys.argv[1], *(int(given) for given in sys.argv[2:]))
