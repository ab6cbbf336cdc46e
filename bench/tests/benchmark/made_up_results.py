"""Results as a run would write them, with numbers of our own."""

from typing import Any

from counterflownet_bench.benchmark.cell import Cell, failed_result

CODED = {
    "sparsity": 60.0,
    "diversity": 40.0,
    "harmonic_mean": 48.0,
    "validity": 99.0,
    "coverage": 100.0,
    "unary": 100.0,
}
MIXED = dict.fromkeys(
    (
        "validity",
        "proximity_continuous",
        "sparsity_categorical",
        "epsilon_sparsity",
        "lof",
        "diversity",
        "sparsity_all",
    ),
    0.5,
)
EXTRA = {"validity_returned": 1.0, "coverage": 1.0, "minimality": 0.5, "training_rows": 0.0, "changes": 3.0}


def made_up(cell: Cell, *, accuracy: float = 0.67, **metrics: Any) -> dict[str, Any]:
    """A result as a run would write it, with these metrics."""
    own = {**EXTRA, **CODED} if cell.protocol == "a" else {**EXTRA, "range": MIXED, "zscore": MIXED}
    result = failed_result(cell, "") | {
        "instances": 200,
        "metrics": own | metrics,
        "directions": [
            {"from": 1, "to": 0, "instances": 88, "validity": 1.0, "coverage": 1.0},
            {"from": 0, "to": 1, "instances": 112, "validity": 0.5, "coverage": 0.75},
        ],
        "violations": {"immutable": 0, "increasing": 0},
        "outcomes": {"complete": 199, "partial": 1},
        "training": {"steps": 1000, "minutes": 1.5, "ended": "plateau"},
        "classifier": {"accuracy": accuracy, "published": 0.67},
        "seconds": {"fit": 12.0, "explain": 2.0},
        "memory": {"peak_bytes": 2**30},
        "data": {"as_published": True, "train": 800, "test": 200},
    }
    del result["error"]
    return result
