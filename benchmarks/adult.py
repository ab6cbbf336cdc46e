"""The bars of the method on Adult (Protocol B): quality after five minutes, coverage, latency, independence of chunks.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python benchmarks/adult.py
Appends one JSON line to benchmarks/results/adult.jsonl and prints what it measured.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from sklearn.compose import make_column_transformer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from counterflownet import (
    Bins,
    CounterFlowNet,
    RewardSettings,
    RewardWeights,
    Schema,
    Temperature,
    TrainingSettings,
    __version__,
)
from counterflownet.datasets import BenchmarkData, load_benchmark

RESULTS = Path(__file__).parent / "results" / "adult.jsonl"


def classifier(data: BenchmarkData) -> Pipeline:
    """A network of two hidden layers of 30, on standardised numbers and one-hot categories."""
    columns = make_column_transformer(
        (StandardScaler(), list(data.card.continuous)),
        (OneHotEncoder(handle_unknown="ignore"), list(data.card.categorical)),
    )
    network = MLPClassifier((30, 30), early_stopping=True, random_state=0)
    return make_pipeline(columns, network).fit(data.X_train, data.y_train)


def fitted(model: Any, data: BenchmarkData, minutes: float) -> CounterFlowNet:
    """The explainer with the weights and bins of Protocol B."""
    kinds = dict.fromkeys(data.card.continuous, "continuous")
    schema = Schema.infer(data.X_train, kinds=kinds, bins=Bins(count=64, decode="centre", distinct=False))
    return CounterFlowNet(
        model,
        schema=schema,
        weights=RewardWeights(validity=1.0, sparsity=0.8, plausibility=0.4, proximity=0.4),
        reward=RewardSettings(
            margin=0.1,
            proximity_over="numeric",
            sparsity_over="categorical",
            temperature=Temperature(kind="exponential", beta=40.0, floor=0.001),
        ),
        training=TrainingSettings(steps=100_000, patience=None, constrained=0.0),
    ).fit(data.X_train, minutes=minutes)


def quality(explainer: CounterFlowNet, rows: pd.DataFrame) -> dict[str, float]:
    """Ten raw samples of every row, then ten selected from a hundred."""
    raw = explainer.sample(rows, samples=10)
    begun = time.perf_counter()
    chosen = explainer.explain(rows, count=10, samples=100)
    seconds = time.perf_counter() - begun
    predicted = explainer.classifier.probabilities(chosen.counterfactuals).argmax(axis=1)
    wanted = [explainer.classes.index(chosen.targets[row]) for row in chosen.row]
    return {
        "raw_validity": float(raw.valid.sum() / (10 * len(rows))),  # a sample that changed nothing is not valid
        "raw_reward": float(raw.reward.sum() / (10 * len(rows))),
        "raw_changes": float(raw.changed.sum(axis=1).mean()),
        "selected_validity": float((predicted == wanted).mean()),
        "coverage": len(set(chosen.row.tolist())) / len(rows),
        "complete": float(len(chosen) / (10 * len(rows))),
        "milliseconds_per_row": 1000 * seconds / len(rows),
    }


def latency(explainer: CounterFlowNet, rows: pd.DataFrame) -> float:
    """The median time of one row alone with ten answers, in milliseconds."""
    times = []
    for number in range(len(rows)):
        begun = time.perf_counter()
        explainer.explain(rows.iloc[[number]], count=10)
        times.append(time.perf_counter() - begun)
    return 1000 * statistics.median(times)


def chunk_differences(explainer: CounterFlowNet, rows: pd.DataFrame) -> float:
    """The share of raw samples that come out otherwise when rows are worked 7 at a time instead of all at once.

    The random numbers are the same; only the rounding of matrix products depends on how many rows they have.
    """
    drawn = [explainer.sample(rows, samples=20, chunk_rows=size).to_frame() for size in (len(rows), 7)]
    columns = ["factual", "rank", *rows.columns]
    once, many = (frame[columns].set_index(["factual", "rank"]).astype(str).agg("|".join, axis=1) for frame in drawn)
    return float((once != many.reindex(once.index)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rows", type=int, default=500)
    options = parser.parse_args()
    data = load_benchmark("adult_protocol_b")
    model = classifier(data)
    rows = data.X_test.head(options.rows)
    begun = time.perf_counter()
    explainer = fitted(model, data, options.minutes)
    seconds = time.perf_counter() - begun
    last = explainer.history.moments[-1]
    result = {
        "benchmark": "adult",
        "version": __version__,
        "minutes": options.minutes,
        "rows": len(rows),
        "classifier_accuracy": float(model.score(data.X_test, data.y_test)),
        "fit_seconds": seconds,
        "steps": last.step,
        "quality": quality(explainer, rows),
        "one_row_milliseconds": latency(explainer, rows.head(30)),
        "chunk_differences": chunk_differences(explainer, rows.head(200)),
        "load": os.getloadavg()[2],
        "threads": torch.get_num_threads(),
        "settings": explainer.settings.to_json(),
    }
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")
    print(json.dumps({key: value for key, value in result.items() if key != "settings"}, indent=2))


if __name__ == "__main__":
    main()
