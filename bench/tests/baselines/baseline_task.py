"""What a method is told in the benchmark, on as few training rows as a test can do with."""

import pandas as pd

from counterflownet_bench.baselines.method import Task
from counterflownet_bench.benchmark.presets import BINS
from counterflownet_bench.benchmark.roles import constraints_of, reference_of, schema_of
from counterflownet_bench.datasets import load_benchmark


def task_on(name: str, *, train_count: int | None = None, seed: int = 0) -> tuple[Task, pd.DataFrame]:
    """The task on the first training rows, all of them if no count is given, and the test rows."""
    data = load_benchmark(name)
    train = data.X_train.head(len(data.X_train) if train_count is None else train_count)
    task = Task(
        card=data.card,
        train=train,
        classifier=reference_of(data, seed=0).classifier,
        schema=schema_of(data.card, train, BINS[data.card.protocol]),
        constraints=constraints_of(data.card),
        seed=seed,
    )
    return task, data.X_test.reset_index(drop=True)
