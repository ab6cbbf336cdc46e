"""The cost of one size, measured in a process of its own; see :mod:`growth`."""

import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from growth_series import BASE
from numpy.typing import NDArray

from counterflownet import CounterFlowNet, Explanation, Schema

STILL = 1e-12  # a learning rate of which nothing is learned, while a step costs what it costs
AT_ONCE = 1.0  # seconds below which a measurement is repeated
REPEATS = 5
MB = 2**20


def synthetic(at: dict[str, Any], row_count: int, seed: int) -> pd.DataFrame:
    """Normal numbers and evenly spread words by turns."""
    chance = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for number in range(at["columns"]):
        if number % 2 == 0:
            columns[f"number_{number // 2}"] = chance.normal(size=row_count)
            continue
        count = at["first_categories"] if number == 1 else at["categories"]
        words = np.array([f"w{word}" for word in range(count)], dtype=object)
        columns[f"word_{number // 2}"] = words[chance.permutation(row_count) % count]
    return pd.DataFrame(columns)


def approves(rows: pd.DataFrame) -> NDArray[np.float64]:
    """The classifier: two numbers and a word decide, however many columns there are."""
    lucky = (rows["word_1"] == "w0").to_numpy(dtype=np.float64)
    score = rows["number_0"].to_numpy() - rows["number_1"].to_numpy() + lucky
    return 1.0 / (1.0 + np.exp(-3.0 * score))


def explainer_of(X: pd.DataFrame, at: dict[str, Any]) -> CounterFlowNet:
    """An explainer for these rows, not fitted yet."""
    # A window of one step, so that the history has the time of each.
    training = {"steps": at["steps"], "patience": None, "window": 1}
    training |= {} if at["learns"] else {"learning_rate": STILL}
    schema = Schema.infer(X, bins=at["bins"])
    return CounterFlowNet(approves, schema=schema, classes=[0, 1], training=training, seed=0)


def peak() -> int:
    """The most bytes that this process ever held.

    A new process begins with what its parent held, so the parent must not work itself.
    """
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def warm_up() -> None:
    """A first fit imports much, which is no cost of a size."""
    at = BASE | {"columns": 4, "steps": 2}
    rows = synthetic(at, 100, seed=2)
    explainer_of(rows, at).fit(rows).explain(rows.head())


def trained(at: dict[str, Any]) -> tuple[CounterFlowNet, dict[str, float]]:
    """A fitted explainer, and what fitting cost."""
    X = synthetic(at, at["rows"], seed=0)
    explainer = explainer_of(X, at)
    begun = time.process_time()
    with patch("time.perf_counter", time.process_time):  # the clock of the history
        explainer.fit(X)
    seconds = time.process_time() - begun
    moments = explainer.history.moments
    # That clock begins with fit, not with the first step: only the steps after it have a time of their own.
    steps = np.diff([moment.seconds for moment in moments])
    step = float(np.median(steps))
    told = {
        "fit_seconds": seconds,
        "milliseconds_per_step": 1000 * step,
        "changes": float(np.mean([moment.changes for moment in moments[1:]])),
        "table_bytes_per_row": int(X.memory_usage().sum()) / len(X),
    }
    if not at["learns"]:  # or the first step would be unlike the others
        told["outside_seconds"] = seconds - float(steps.sum()) - step
    return explainer, told


def repeated(work: Callable[[], Any]) -> tuple[Any, float]:
    """What comes of it, and the median of some times if it is short."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < REPEATS and seconds[0] < AT_ONCE):
        result = None  # let go of the last one first: two at a time would count as memory
        begun = time.process_time()
        result = work()
        seconds.append(time.process_time() - begun)
    return result, float(np.median(seconds))


def explained(explainer: CounterFlowNet, at: dict[str, Any]) -> dict[str, float]:
    """What explaining rows cost that training never saw."""
    rows = synthetic(at, at["explained"], seed=1)
    asked = {name: at[name] for name in ("count", "samples", "rounds", "chunk_rows")}
    explainer.explain(rows.head(), **asked)
    explanation, seconds = repeated(lambda: explainer.explain(rows, **asked))
    return {
        "explain_seconds": seconds,
        "milliseconds_per_row": 1000 * seconds / len(rows),
        "answers_per_row": len(explanation.row) / len(rows),
        "table_bytes_per_row": int(rows.memory_usage().sum()) / len(rows),
        "result_bytes_per_row": held_by(explanation, rows) / len(rows),
    }


def held_by(explanation: Explanation, rows: pd.DataFrame) -> int:
    """The bytes of a result but what it shares with the given rows; words count as pointers, since all share them."""
    factuals = explanation.factuals
    own = [name for name in rows if not np.shares_memory(rows[name].to_numpy(), factuals[name].to_numpy())]
    frames = (factuals[own], explanation.counterfactuals)
    arrays = (explanation.row, explanation.rank, explanation.valid, explanation.reward, explanation.changed)
    tuples = (explanation.targets, explanation.predicted, explanation.outcomes)
    outcomes = {id(outcome): sys.getsizeof(outcome) for outcome in explanation.outcomes}
    return (
        sum(int(frame.memory_usage(index=False).sum()) for frame in frames)
        + sum(array.nbytes for array in (*arrays, *explanation.terms.values()))
        + sum(map(sys.getsizeof, tuples))
        + sum(outcomes.values())
    )


def point(at: dict[str, Any]) -> dict[str, float]:
    """Everything of one size; it has this process for itself."""
    warm_up()
    imported = peak()
    about = {"load": os.getloadavg()[0]}
    begun, worked = time.monotonic(), time.process_time()
    explainer, told = trained(at)
    if at["explained"]:
        told |= explained(explainer, at)
    about["core_share"] = (time.process_time() - worked) / (time.monotonic() - begun)
    return told | {"peak_mb": peak() / MB, "grown_mb": (peak() - imported) / MB} | about
