"""dice-ml's ``desired_range`` on the rows of a folder; run by regression.py in dice-ml's own environment.

    python -I regression_dice.py FOLDER

Reads ``task.joblib``, writes ``reply.joblib``: a frame of answers with the number of their row, and seconds by row.
"""

import random
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import dice_ml  # type: ignore[import-not-found] # it is there where this runs
import joblib
import numpy as np
import pandas as pd

OUTCOME = "prediction of the model"


class OutOfTimeError(BaseException):
    """The row's time is over."""


def ring(*_: object) -> None:
    raise OutOfTimeError


def answers(explain: Any, row: pd.DataFrame, ends: list[float], task: dict[str, Any]) -> pd.DataFrame:
    """What dice-ml shows for one row: after its own search for fewer changes, if that gave anything."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - dice-ml knows no other generator
    signal.setitimer(signal.ITIMER_PROF, task["seconds_per_row"])
    try:
        found = explain.generate_counterfactuals(
            row, total_CFs=task["count"], desired_range=ends, features_to_vary=task["open"]
        )
        example = found.cf_examples_list[0]
        frame = example.final_cfs_df if example.final_cfs_df_sparse is None else example.final_cfs_df_sparse
        return row.head(0) if frame is None else frame[list(row.columns)].head(task["count"])
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return row.head(0)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, ring)
    task = joblib.load(folder / "task.joblib")
    train, rows, model = task["train"], task["rows"], task["model"]
    labelled = train.assign(**{OUTCOME: model.predict(train)})
    data = dice_ml.Data(dataframe=labelled, continuous_features=task["numeric"], outcome_name=OUTCOME)
    explain = dice_ml.Dice(
        data, dice_ml.Model(model=model, backend="sklearn", model_type="regressor"), method=task["kind"]
    )
    frames, seconds = [], []
    for number in range(len(rows)):
        begun = time.perf_counter()
        found = answers(explain, rows.iloc[[number]], task["ends"][number], task)
        seconds.append(time.perf_counter() - begun)
        frames.append(found.assign(**{"row of": number}))
    joblib.dump({"answers": pd.concat(frames, ignore_index=True), "seconds": seconds}, folder / "reply.joblib")


if __name__ == "__main__":
    main()
