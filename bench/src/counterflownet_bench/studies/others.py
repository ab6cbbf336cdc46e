"""What the benchmark has measured of all methods on the same rows, taken over from its files of results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.store import read_all

Found = dict[str, Any]
KEPT = ("instances", "answers", "metrics", "changed_columns", "version", "commit", "code", "rows")
ASKED = ("dataset", "method", "preset", "selection", "seed", "count", "instances", "steps", "minutes")


def taken_over(paths: Sequence[str | Path], dataset: str) -> list[Found]:
    """The part of each result on a data set that studies need; of a cell that was run twice the last one."""
    latest: dict[str, Found] = {}
    for result in read_all(paths).results:
        if result["dataset"] == dataset and "error" not in result:
            question = {name: result["cell"][name] for name in ASKED}
            latest[str(question)] = {"question": question} | {name: result[name] for name in KEPT if name in result}
    return list(latest.values())


def is_taken_over(result: Mapping[str, Any]) -> bool:
    """Whether it is the benchmark's result and not one that a study has measured."""
    return "method" in result["question"]


def variant_name(result: Mapping[str, Any]) -> str:
    """How a picture calls it: other methods have one way to answer beside the selector of all, ours has several."""
    told = result["question"]
    if told["method"] != OURS:
        return f"{told['method']}, pooled" if told["selection"] == "pooled" else str(told["method"])
    return f"{OURS}, {told['preset']}, {told['selection']}"
