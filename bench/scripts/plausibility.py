"""How near the local outlier factor that training uses is to scikit-learn's exact one, and what both cost.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python bench/scripts/plausibility.py
Appends one JSON line for each data set to bench/results/plausibility.jsonl.

It takes the engine apart, so it imports more of the library than its public names.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import faiss
import numpy as np
from common import circumstances, keep, latest, machine, table, verdict
from scipy.stats import spearmanr
from sklearn.neighbors import LocalOutlierFactor as ExactFactor
from threadpoolctl import threadpool_limits

from counterflownet.reward import neighbours, outlier
from counterflownet.reward.outlier import NEIGHBOURS, LocalOutlierFactor
from counterflownet.seeds import numpy_generator
from counterflownet.tabular import States
from counterflownet.tabular.factuals import Factuals
from counterflownet_bench.benchmark.presets import preset_of
from counterflownet_bench.benchmark.roles import schema_of
from counterflownet_bench.datasets import load_benchmark

DATASETS = ("adult_protocol_b", "bank_marketing", "credit_default")
QUERIES = 500  # of each kind: as they are, edited at random, and with one number at the end of its column
KINDS = ("as they are", "edited", "far")
MOST_EDITS = 3
REPEATS = 5
SEED = 0
BAR = 0.95

LINKS, BUILD_WIDTH, SEARCH_WIDTH = 32, 100, 32  # of a graph, to compare cells with
COMPARED = ("cells", "rough", "graph", "exact", "reordered")
SEARCHES = {
    "cells": "cells",
    "rough": "fewer cells",
    "graph": "graph",
    "exact": "exact, ours",
    "scikit_learn": "exact, scikit-learn",
    "reordered": "exact, scikit-learn, rows in another order",
}

Factor = Callable[[np.ndarray], np.ndarray]


class Graph:
    """A navigable small-world graph (HNSW), which is asked as cells are."""

    def __init__(self, points: np.ndarray, *, exact: bool = False) -> None:
        del exact
        self._index = faiss.IndexHNSWFlat(points.shape[1], LINKS)
        self._index.hnsw.efConstruction, self._index.hnsw.efSearch = BUILD_WIDTH, SEARCH_WIDTH
        self._index.add(np.ascontiguousarray(points, dtype=np.float32))

    def nearest(self, asked: np.ndarray, count: int, *, roughly: bool = False) -> tuple[np.ndarray, np.ndarray]:
        del roughly
        squared, found = self._index.search(np.ascontiguousarray(asked, dtype=np.float32), count)
        return np.sqrt(squared, dtype=np.float64), found


def queries(factuals: Factuals) -> np.ndarray:
    """Vectors of test rows: as they are, after a few random edits, and with one number at the end of its column."""
    generator = numpy_generator(SEED, "edits")
    codec = factuals.codec
    codes, edited = codec.codes.copy(), np.zeros(codec.codes.shape, dtype=bool)
    last = np.array([feature.code_count - 1 for feature in codec.schema.features])
    numbers = np.flatnonzero([feature.kind == "continuous" for feature in codec.schema.features])
    for row in range(QUERIES, 2 * QUERIES):
        some = generator.choice(codes.shape[1], generator.integers(1, MOST_EDITS + 1), replace=False)
        codes[row, some], edited[row, some] = generator.integers(last[some] + 1), True
    for row in range(2 * QUERIES, len(codec)):
        one = generator.choice(numbers)
        codes[row, one], edited[row, one] = last[one], True
    return factuals.edited_vectors(States.of_arrays(np.arange(len(codec)), codes, edited))


def seconds_of(work: Callable[[], Any]) -> tuple[Any, float]:
    """What came of it, and how long the processor worked: what runs beside does not count."""
    begun = time.process_time()
    found = work()
    return found, time.process_time() - begun


def learned(rows: np.ndarray) -> Factor:
    """scikit-learn's factor of new rows, in double precision."""
    exact = ExactFactor(n_neighbors=NEIGHBOURS, novelty=True).fit(rows.astype(np.float64))
    return lambda asked: -exact.score_samples(asked.astype(np.float64))


def microseconds(factor: Factor, asked: np.ndarray) -> float:
    """Per query, all in one call as in training; the least of some, since what runs beside can only add to it."""
    return min(seconds_of(lambda: factor(asked))[1] for _ in range(REPEATS)) / len(asked) * 1e6


def agreement(ours: np.ndarray, exact: np.ndarray) -> dict[str, float]:
    """How far two factors agree: in their order, and in the value that the reward makes of them."""
    parts = {kind: slice(QUERIES * number, QUERIES * (number + 1)) for number, kind in enumerate(KINDS)}
    values = [np.exp(np.minimum(0.0, 1.0 - factor)) for factor in (ours, exact)]
    return {
        "rank": _rank(ours, exact, slice(None)),
        **{f"rank_{kind}": _rank(ours, exact, part) for kind, part in parts.items()},
        "value": float(np.corrcoef(*values)[0, 1]),
    }


def _rank(ours: np.ndarray, exact: np.ndarray, some: slice) -> float:
    return float(spearmanr(ours[some], exact[some]).statistic)


def most_copies(rows: np.ndarray) -> int:
    """How often the most frequent row occurs."""
    return int(np.unique(rows, axis=0, return_counts=True)[1].max())


def built(rows: np.ndarray, reference_rows: int | None) -> dict[str, tuple[Factor, float]]:
    """Every kind of factor with the seconds it took to prepare."""

    def ours() -> LocalOutlierFactor:
        return LocalOutlierFactor.fit(rows, reference_rows=reference_rows, seed=SEED)

    cells, seconds = seconds_of(ours)
    with patch.object(outlier, "NeighbourIndex", Graph):
        graph = seconds_of(ours)
    return {
        "cells": (cells, seconds),
        "rough": (partial(cells, roughly=True), seconds),
        "graph": graph,
        "exact": seconds_of(lambda: LocalOutlierFactor(cells.reference, exact=True)),
        "scikit_learn": seconds_of(lambda: learned(cells.reference)),
        "reordered": seconds_of(lambda: learned(numpy_generator(SEED, "order").permutation(cells.reference))),
        "scikit_learn_all_rows": seconds_of(lambda: learned(rows)),
    }


def measured(name: str) -> dict[str, Any]:
    """Everything of one data set."""
    begun = machine()
    data, preset = load_benchmark(name), preset_of("tuned", "b", name)
    schema = schema_of(data.card, data.X_train, preset.bins)
    rows = Factuals(schema, data.X_train).vectors
    asked = queries(Factuals(schema, data.X_test.head(len(KINDS) * QUERIES)))
    factors = built(rows, preset.reward.reference_rows)
    found = {key: factor(asked) for key, (factor, _) in factors.items()}
    return {
        "benchmark": "plausibility",
        "dataset": name,
        **begun,
        "train_rows": len(rows),
        "most_copies": most_copies(rows),
        "reference_rows": len(factors["cells"][0].reference),
        "reference_limit": preset.reward.reference_rows,
        "looked_into": {"cells": neighbours.LOOKED_INTO, "rough": neighbours.ROUGHLY},
        "dimensions": rows.shape[1],
        "queries": QUERIES,
        "to_same_rows": {key: agreement(found[key], found["scikit_learn"]) for key in COMPARED},
        "to_all_rows": {key: agreement(found[key], found["scikit_learn_all_rows"]) for key in COMPARED},
        "microseconds": {key: microseconds(factor, asked) for key, (factor, _) in factors.items()},
        "build_seconds": {key: seconds for key, (_, seconds) in factors.items()},
    }


def data_line(result: dict[str, Any]) -> list[str]:
    """What one data set is made of."""
    return [result["dataset"], *(f"{result[key]:,}" for key in ("train_rows", "most_copies", "reference_rows"))]


def agreement_lines(result: dict[str, Any]) -> list[list[str]]:
    """One data set's correlations: with the bar for the same rows, and for all rows, where there is none."""
    told = {"the same rows": result["to_same_rows"]["cells"], "all rows": result["to_all_rows"]["cells"]}
    bars = [verdict(f">= {BAR:g}", met=result["to_same_rows"]["cells"]["rank"] >= BAR), ""]
    return [
        [
            result["dataset"],
            name,
            *(f"{found[key]:.4f}" for key in ("rank", *(f"rank_{kind}" for kind in KINDS), "value")),
            bar,
        ]
        for (name, found), bar in zip(told.items(), bars, strict=True)
    ]


def cost_lines(result: dict[str, Any]) -> list[list[str]]:
    """One data set's times, each with what it buys."""
    same = result["to_same_rows"]
    ranks = {key: [f"{found[name]:.4f}" for name in ("rank", "rank_far")] for key, found in same.items()}
    return [
        [
            result["dataset"],
            name,
            f"{result['microseconds'][key]:.0f}",
            f"{result['build_seconds'][key]:.1f}",
            *ranks.get(key, ["", ""]),
        ]
        for key, name in SEARCHES.items()
    ]


def crowded(results: list[dict[str, Any]]) -> str:
    """Where that reason really holds: it is worth saying if nowhere."""
    names = [result["dataset"] for result in results if result["most_copies"] > NEIGHBOURS]
    return f"Such rows are in {', '.join(names)}." if names else "None of the data sets here has such a row."


def section(results: list[dict[str, Any]]) -> str:
    """The newest result of each data set."""
    shown = latest(results, "dataset")
    count, looked, most = (shown[-1][key] for key in ("queries", "looked_into", "reference_limit"))
    data = table(["data set", "training rows", "most copies of one row", "distinct rows used"], map(data_line, shown))
    agreed = table(
        ["data set", "compared with", "rank", *KINDS, "plausibility", "bar of the rank"],
        [line for result in shown for line in agreement_lines(result)],
    )
    costs = table(
        ["data set", "search", "microseconds per query", "seconds to build", "rank, same rows", "far only"],
        [line for result in shown for line in cost_lines(result)],
    )
    return f"""## Plausibility: the approximation and the exact factor

Training asks for the local outlier factor of every state it visits. The neighbours are looked for in the
{looked["cells"]} nearest of some hundred cells that distinct training rows lie in, at most {most:,} of them, drawn by
the seed. This is an approximation: cells may miss some of the {NEIGHBOURS} nearest rows, and of a large table they hold
a part. Where neighbours only decide which candidates are worth a closer look, {looked["rough"]} cells do. Repeated rows
are taken once, because a row with more than {NEIGHBOURS} copies has all its neighbours at distance 0: its density would
be infinite, and the factor of everything near it with it. {crowded(shown)}
What fewer copies change is seen in the lines for all rows.

{data}

It is compared with scikit-learn's `LocalOutlierFactor(n_neighbors={NEIGHBOURS}, novelty=True)`, fitted on the same
distinct rows and on all training rows with their repetitions: Spearman's rank correlation over {count}
test rows as they are, {count} after 1 to {MOST_EDITS} random edits and {count} with one number at the end of its
column, the same over each of these, and Pearson's correlation of the plausibility exp(min(0, 1 - factor)).
{circumstances(shown)}
Made by `python bench/scripts/plausibility.py`.

{agreed}

What a search costs, in time of the processor with one thread, all queries in one call. A navigable small-world graph
(HNSW, {LINKS} links) is beside it, since this library used one: rows that few have, far from all others, are barely
linked to, so that it does not find them. Exact search
compares a query with every row. Where rows are equally far, their order decides which are the nearest: the last line of
each data set says how much that makes.

{costs}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", nargs="+", default=DATASETS, choices=DATASETS)
    for name in parser.parse_args().datasets:
        with threadpool_limits(1):  # the processor's time would add up over threads
            result = measured(name)
        keep(result, "plausibility")
        print(section([result]), flush=True)


if __name__ == "__main__":
    main()
