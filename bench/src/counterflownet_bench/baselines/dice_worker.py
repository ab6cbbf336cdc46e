"""dice-ml on the rows of a folder; run by dice.py in dice-ml's own environment, where counterflownet is not installed.

    python -I dice_worker.py FOLDER

Reads ``task.json``, ``train.npz``, ``rows.npz``, ``expected.npz`` and the classifier: ``layers.npz``, or any model with
``predict_proba`` in ``model.joblib``. Writes ``answers.npz`` and ``reply.json``.
"""

import copy
import json
import random
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dice_ml  # type: ignore[import-not-found] # it is there where this runs
import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from raiutils.exceptions import UserConfigValidationException  # type: ignore[import-not-found]
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

OUTCOME = "outcome of the classifier"  # a name that no column of the table has
CLOSE = 1e-9
PACKAGES = ("dice-ml", "scikit-learn", "numpy", "pandas")
RING_AGAIN = 0.05  # seconds: an alarm that rings where errors are swallowed must not be the last one
NOISE = 1e-6  # of a number that went through single precision, or through a sum of small steps


class OutOfTimeError(BaseException):
    """The row's time is over; no Exception, so that nothing inside dice-ml takes it for one of its own."""


@dataclass(frozen=True, slots=True)
class RowReply:
    """The answers of one row, why there are none (if there is a reason), and how long it took until they were there."""

    answers: pd.DataFrame
    reason: str | None
    seconds: float


class Layers:
    """The classifier that is explained, rebuilt from plain numbers; categories are told to it as text.

    It counts the rows it is asked about.

    dice-ml asks for one row at a time, thousands of times, so the table is taken apart only once.
    """

    def __init__(self, described: dict[str, Any], arrays: dict[str, NDArray[np.float64]]) -> None:
        self.scaled = described["scaled"]
        self.codes = [(name, {value: i for i, value in enumerate(values)}) for name, values in described["categories"]]
        self.layers = [(arrays[f"weight {i}"], arrays[f"bias {i}"]) for i in range(described["layers"])]
        sizes = [len(codes) for _, codes in self.codes]
        self.asked = 0
        self.starts = len(self.scaled) + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def predict_proba(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        self.asked += len(rows)
        values = self.encoded(rows)
        for weight, bias in self.layers[:-1]:
            values = np.maximum(values @ weight + bias, 0.0)
        logits = values @ self.layers[-1][0] + self.layers[-1][1]
        grown = np.exp(logits - logits.max(axis=1, keepdims=True))
        return grown / grown.sum(axis=1, keepdims=True)

    def encoded(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        columns = dict(zip(rows.columns, rows.to_numpy(dtype=object).T, strict=True))
        found = np.zeros((len(rows), int(self.starts[-1])))
        for i, (name, mean, deviation) in enumerate(self.scaled):
            found[:, i] = (columns[name].astype(np.float64) - mean) / deviation
        for start, places in zip(self.starts[:-1], self.places(columns), strict=True):
            found[np.arange(len(rows)), start + places] = 1.0
        return found

    def places(self, columns: dict[str, NDArray[Any]]) -> Iterator[NDArray[np.int64]]:
        for name, codes in self.codes:
            yield np.array([codes[value] for value in columns[name]], dtype=np.int64)


def numbers(rows: pd.DataFrame, name: str) -> NDArray[np.float64]:
    return rows[name].to_numpy(dtype=np.float64)


def table(path: Path, columns: list[str]) -> pd.DataFrame:
    """The table of a file, whose arrays are numbered, since a column may have any name."""
    with np.load(path) as arrays:
        return pd.DataFrame({name: arrays[f"column {i}"] for i, name in enumerate(columns)})


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Ends whatever runs inside after so many seconds: a single row of the genetic kind can take minutes.

    Seconds of the processor, so that what else the machine does decides nothing.
    """

    def ring(*_: object) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, RING_AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def explainer(task: dict[str, Any], model: Any, train: pd.DataFrame) -> Any:
    """dice-ml with all its defaults; its outcome column is the position of the predicted class, as it expects."""
    labelled = train.assign(**{OUTCOME: model.predict_proba(train).argmax(axis=1)})
    data = dice_ml.Data(dataframe=labelled, continuous_features=task["continuous"], outcome_name=OUTCOME)
    return dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=task["kind"])


def counterfactuals(explain: Any, task: dict[str, Any], row: pd.DataFrame, number: int) -> pd.DataFrame:
    """The counterfactuals that dice-ml shows to its users: those after its own search for fewer changes.

    The global generators are all that dice-ml draws from, so they are seeded, anew for each row: how far the row before
    came in its time must not matter. No ``random_seed`` is passed: with one, dice-ml seeds before each column, and
    columns depend on each other.
    """
    random.seed(task["seeds"][number])
    np.random.seed(task["seeds"][number])  # noqa: NPY002 - dice-ml knows no other generator
    search = task["sparsity_search"]
    explained = explain.generate_counterfactuals(
        row,
        total_CFs=task["count"],
        desired_class=task["targets"][number],
        features_to_vary=task["vary"],
        permitted_range=task["ranges"][number] or None,
        **({"posthoc_sparsity_param": 0.0} if search == "none" else {"posthoc_sparsity_algorithm": search}),
    )
    example = explained.cf_examples_list[0]
    frame = example.final_cfs_df if example.final_cfs_df_sparse is None else example.final_cfs_df_sparse
    return frame[task["columns"]].head(task["count"]).reset_index(drop=True)


def restored(answers: pd.DataFrame, row: pd.DataFrame, task: dict[str, Any], decimals: dict[str, int]) -> pd.DataFrame:
    """The answers with the row's own number wherever dice-ml only rounded it.

    The genetic kind works on the row in single precision and rounds all that it shows to the decimals that are most
    frequent in the column; so does the tree with columns that must stay.
    """
    for name in task["continuous"]:
        own, shown = row[name].iloc[0], numbers(answers, name)
        same = np.isclose(shown, own, rtol=NOISE, atol=CLOSE)
        if task["kind"] == "genetic" or name not in task["vary"]:
            same |= np.isclose(shown, np.round(np.float64(np.float32(own)), decimals[name]), rtol=NOISE, atol=CLOSE)
        answers[name] = np.where(same, own, shown)
    return answers


def answered(explain: Any, task: dict[str, Any], rows: pd.DataFrame, number: int, seconds: float) -> RowReply:
    """What came of one row; a failure has its time too."""
    row = rows.iloc[[number]]
    begun = time.perf_counter()
    try:
        with alarm(seconds):
            answers = counterfactuals(copy.copy(explain), task, row, number)  # a copy: it keeps what it did on itself
    except BaseException as error:  # noqa: BLE001 - whatever dice-ml fails of is what came of this row
        return RowReply(row.head(0), failure(error), time.perf_counter() - begun)
    taken = time.perf_counter() - begun
    decimals = explain.data_interface.get_decimal_precisions(output_type="dict")
    return RowReply(restored(answers, row, task, decimals), None, taken)


def failure(error: BaseException) -> str:
    """What an error means for its row; the user's own wish to stop is passed on."""
    if isinstance(error, OutOfTimeError):
        return "timed_out"
    if isinstance(error, UserConfigValidationException):
        return "none" if "No counterfactuals found" in str(error) else f"failed: {error}"
    if isinstance(error, Exception):
        return f"failed: {type(error).__name__}: {error}"[:300]
    raise error


def worked(explain: Any, task: dict[str, Any], rows: pd.DataFrame) -> Iterator[RowReply]:
    """Every row, until the time for all of them is over."""
    if task["warm_up"]:  # what happens only once in a process is charged to no row
        answered(explain, task, rows, len(rows) - 1, task["seconds_per_row"])
    end = np.inf if task["seconds"] is None else time.perf_counter() + task["seconds"]
    for number in range(len(rows)):
        left = end - time.perf_counter()
        if left <= 0:
            return
        yield answered(explain, task, rows, number, min(left, task["seconds_per_row"]))


def check_same(model: Any, rows: pd.DataFrame, expected: NDArray[np.float64]) -> None:
    """Answers for another classifier than the one in question would be no answers."""
    worst = np.abs(model.predict_proba(rows) - expected).max(initial=0.0)
    if not worst <= CLOSE:
        sys.exit(f"the classifier predicts otherwise in dice-ml's environment, by up to {worst:.2g}")


def write(folder: Path, task: dict[str, Any], replies: list[RowReply], nothing: pd.DataFrame, calls: int) -> None:
    frames = [reply.answers for reply in replies]
    every = pd.concat([nothing, *frames], ignore_index=True)
    kinds = {name: np.float64 if name in task["continuous"] else np.str_ for name in task["columns"]}
    arrays = {f"column {i}": every[name].to_numpy().astype(kind) for i, (name, kind) in enumerate(kinds.items())}
    row = np.repeat(np.arange(len(frames)), [len(frame) for frame in frames])
    np.savez(folder / "answers.npz", row=row, **arrays)
    told = {
        "reasons": [reply.reason for reply in replies],
        "seconds": [round(reply.seconds, 6) for reply in replies],
        "calls": calls,
        "process": {
            "threads": max((pool["num_threads"] for pool in threadpool_info()), default=1),
            "versions": {package: version(package) for package in PACKAGES},
        },
    }
    (folder / "reply.json").write_text(json.dumps(told), encoding="utf-8")


def classifier(folder: Path, task: dict[str, Any]) -> Any:
    if "classifier" not in task:
        return joblib.load(folder / "model.joblib")
    with np.load(folder / "layers.npz") as arrays:
        return Layers(task["classifier"], dict(arrays))


def main() -> None:
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")  # hundreds of pandas' hints to dice-ml's authors; writing them takes time
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    model = classifier(folder, task)
    train, rows = (table(folder / f"{name}.npz", task["columns"]) for name in ("train", "rows"))
    with np.load(folder / "expected.npz") as arrays:
        check_same(model, rows, arrays["expected"])
    ready = explainer(task, model, train)
    before = getattr(model, "asked", 0)
    replies = list(worked(ready, task, rows))
    write(folder, task, replies, rows.head(0), getattr(model, "asked", 0) - before)


if __name__ == "__main__":
    main()
