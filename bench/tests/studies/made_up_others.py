"""Results of the benchmark as its files hold them, with numbers of our own."""

from pathlib import Path
from typing import Any

from counterflownet_bench.benchmark.cell import Cell, failed_result
from counterflownet_bench.benchmark.store import ResultStore
from counterflownet_bench.datasets import CARDS

DATASET = "adult_protocol_b"
NUMBERS = {
    "validity": 1.0,
    "proximity_continuous": 0.5,
    "sparsity_categorical": 0.5,
    "epsilon_sparsity": 0.5,
    "lof": 0.5,
    "diversity": 0.5,
    "sparsity_all": 0.5,
}


def write_others(
    path: Path, changed: dict[tuple[str, str], dict[str, int]], *, seed: int = 0, **numbers: float
) -> Path:
    """A file with one result for each method and selection, which changes these columns, all others never."""
    for (method, selection), columns in changed.items():
        cell = Cell(protocol="b", dataset=DATASET, method=method, selection=selection, instances=20, seed=seed)
        result: dict[str, Any] = failed_result(cell, "") | {
            "answers": 100,
            "instances": 20,
            "metrics": {"zscore": NUMBERS | numbers, "range": NUMBERS | numbers},
            "changed_columns": dict.fromkeys(CARDS[DATASET].features, 0) | columns,
        }
        del result["error"]
        ResultStore(path).append(result)
    ResultStore(path).append(
        failed_result(Cell(protocol="b", dataset=DATASET, method="dicoflex", selection="raw", instances=20), "no luck")
    )
    return path
