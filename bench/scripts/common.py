"""What every benchmark here shares: the classifier that is explained, the machine, and where results are kept."""

import os
import platform
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from sklearn.compose import make_column_transformer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from counterflownet import __version__
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.datasets import BenchmarkData

RESULTS = Path(__file__).parents[1] / "results"


def classifier(data: BenchmarkData) -> Pipeline:
    """A network of two hidden layers of 30, on standardised numbers and one-hot categories."""
    columns = make_column_transformer(
        (StandardScaler(), list(data.card.continuous)),
        (OneHotEncoder(handle_unknown="ignore"), list(data.card.categorical)),
    )
    network = MLPClassifier((30, 30), early_stopping=True, random_state=0)
    return make_pipeline(columns, network).fit(data.X_train, data.y_train)


def processor() -> str:
    """What the processor calls itself, where Linux says so; its kind elsewhere."""
    path = Path("/proc/cpuinfo")
    told = path.read_text(encoding="utf-8") if path.exists() else ""
    named = re.search(r"^model name\s*:\s*(.+)$", told, re.MULTILINE)
    return named[1] if named else platform.machine()


def machine() -> dict[str, Any]:
    """What a time means little without. Call it before a measurement: the load is what ran beside it."""
    return {
        "version": __version__,
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "load_before": os.getloadavg()[0],
    }


def keep(result: dict[str, Any], name: str) -> None:
    """One more line of this benchmark's results."""
    JsonLines(RESULTS / f"{name}.jsonl").append(result)


def lines(name: str) -> list[dict[str, Any]]:
    """All results of one benchmark, oldest first; none if it never ran."""
    return list(JsonLines(RESULTS / f"{name}.jsonl").read().lines)


def verdict(bar: str, *, met: bool | None) -> str:
    """The bar with what became of it, so that a missed one is not to be overlooked."""
    return f"{bar} ({'not measured' if met is None else 'met' if met else 'missed'})"


def latest(results: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """The newest result for each value of these keys, in the order in which the values first came."""
    return list({tuple(result[key] for key in keys): result for result in results}.values())


def circumstances(results: list[dict[str, Any]]) -> str:
    """A sentence about the machine of some results, as it was before each of them."""
    loads = sorted(result["load_before"] for result in results)
    between = f"{loads[0]:.1f} to {loads[-1]:.1f}" if len(loads) > 1 else f"{loads[0]:.1f}"
    told = {key: "/".join(sorted({f"{result[key]}" for result in results})) for key in ("version", "cores", "threads")}
    return f"Version {told['version']}, {told['cores']} cores, {told['threads']} thread(s), load before {between}."


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (names, ["---"] * len(names), *rows))
