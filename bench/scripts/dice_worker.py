"""One method of dice-ml on the rows of a task, timed row by row; run by speed.py in dice-ml's own environment.

    python dice_worker.py FOLDER METHOD

Reads FOLDER/task.joblib and writes FOLDER/METHOD.json. Knows nothing of counterflownet, which is not installed there.
"""

import json
import random
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dice_ml
import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_info

OUTCOME = "outcome of the classifier"  # a name that no column of the table has
CUT_OFF = "cut off by the time limit"
PACKAGES = ("dice-ml", "scikit-learn", "numpy", "pandas")


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one row: a failure has its time too, and no answers."""

    seconds: float
    answers: int = 0
    valid: int = 0
    error: str = ""


class OutOfTimeError(BaseException):
    """The method's time is over; no Exception, so that nothing inside dice-ml takes it for one of its own."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Ends whatever runs inside after so many seconds: a single row of the genetic method can take minutes."""

    def ring(*_: object) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def explainer(task: dict[str, Any], method: str) -> Any:
    """dice-ml with all its defaults on the pipeline; its outcome column is the position of the class, as it expects."""
    model, train = task["model"], task["train"]
    labelled = train.assign(**{OUTCOME: model.predict_proba(train).argmax(axis=1)})
    data = dice_ml.Data(dataframe=labelled, continuous_features=task["continuous"], outcome_name=OUTCOME)
    return dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)


def found(explain: Any, row: pd.DataFrame, count: int) -> pd.DataFrame:
    """The counterfactuals that dice-ml shows to its users: those after its own search for fewer changes.

    No ``random_seed`` is passed: with one, dice-ml seeds anew before each column, and columns depend on each other.
    """
    explained = explain.generate_counterfactuals(row, total_CFs=count, desired_class="opposite", features_to_vary="all")
    example = explained.cf_examples_list[0]
    frame = example.final_cfs_df if example.final_cfs_df_sparse is None else example.final_cfs_df_sparse
    return frame[list(row.columns)]


def valid_count(model: Any, row: pd.DataFrame, answers: pd.DataFrame) -> int:
    """How many of the answers the pipeline puts in another class than the row; there are two classes."""
    return int((model.predict(answers.astype(row.dtypes)) != model.predict(row)[0]).sum())


def answered(explain: Any, task: dict[str, Any], row: pd.DataFrame, limit: float) -> Answered:
    """One row, timed until its frame of answers is there; judging them is not timed."""
    begun = time.perf_counter()
    try:
        with alarm(limit):
            answers = found(explain, row, task["count"])
    except Exception as error:  # noqa: BLE001 - whatever dice-ml raises is a result of this benchmark, and is reported
        return Answered(time.perf_counter() - begun, error=f"{type(error).__name__}: {error}"[:300])
    except OutOfTimeError:
        return Answered(time.perf_counter() - begun, error=CUT_OFF)
    seconds = time.perf_counter() - begun
    return Answered(seconds, answers=len(answers), valid=valid_count(task["model"], row, answers))


def measured(task: dict[str, Any], method: str) -> list[Answered]:
    """Every row until the time is over; a row that was cut off counts with the time it had.

    The last row is worked once before the others and not counted, so that what happens only once in a process is not
    charged to a row. The global generators are all that dice-ml draws from, hence they are seeded, once.
    """
    explain = explainer(task, method)
    random.seed(task["seed"])
    np.random.seed(task["seed"])  # noqa: NPY002 - dice-ml knows no other generator
    end = time.perf_counter() + task["seconds"]
    results = []
    for number in range(-1, len(task["rows"])):
        left = end - time.perf_counter()
        if left <= 0:
            break
        results.append(answered(explain, task, task["rows"].iloc[[number]], left))
    return results[1:]


def failure(results: list[Answered]) -> str | None:
    """Why there is nothing to compare with, if no row has an answer."""
    if any(result.answers for result in results):
        return None
    reasons = Counter(result.error or "no answer" for result in results)
    return reasons.most_common(1)[0][0] if reasons else "the time limit came before the first row"


def report(task: dict[str, Any], results: list[Answered]) -> dict[str, Any]:
    """What speed.py keeps; the probabilities show it that this is the same classifier."""
    errors = Counter(result.error for result in results if result.error)
    return {
        "rows": len(results),
        "seconds": [round(result.seconds, 6) for result in results],
        "answers": sum(result.answers for result in results),
        "valid": sum(result.valid for result in results),
        "complete_rows": sum(result.answers == task["count"] for result in results),
        "errors": dict(errors),
        "cut_off": len(results) < len(task["rows"]) or CUT_OFF in errors,
        "failed": failure(results),
        "threads": max((pool["num_threads"] for pool in threadpool_info()), default=1),
        "versions": {package: version(package) for package in PACKAGES},
        "probabilities": task["model"].predict_proba(task["rows"])[:, 1].tolist(),
    }


def main() -> None:
    folder, method = Path(sys.argv[1]), sys.argv[2]
    warnings.simplefilter("ignore")  # hundreds of pandas' hints to dice-ml's authors; writing them takes time
    task = joblib.load(folder / "task.joblib")
    text = json.dumps(report(task, measured(task, method)))
    (folder / f"{method}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
