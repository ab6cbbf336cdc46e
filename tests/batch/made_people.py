"""People whose loans are decided by a plain rule that can be made to fail, for processes of their own."""

import os
import signal
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from counterflownet import CounterFlowNet
from counterflownet.batch import Work

TINY = {"steps": 3, "batch_rows": 16, "width": 16}
RAISES, KILLS, KILLS_ONCE = "raises", "kills", "kills once"


def people(count: int, seed: int = 0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"p{number}" for number in range(count)],
            "age": draw.integers(18, 80, count),
            "income": draw.normal(30, 10, count).round(1),
            "town": draw.choice(["A", "B", "C"], count),
            "mood": "calm",
        }
    )


def approves(rows: pd.DataFrame) -> np.ndarray:
    moods = set(rows["mood"])
    if RAISES in moods:
        raise ValueError("such a mood is beyond me")
    if KILLS in moods or (KILLS_ONCE in moods and _first_time()):
        os.kill(os.getpid(), signal.SIGKILL)
    return 1 / (1 + np.exp((34 - rows["income"] - rows["age"] / 10).to_numpy(dtype=float)))


def _first_time() -> bool:
    try:
        Path(os.environ["KILLED_ONCE"]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def fitted() -> CounterFlowNet:
    table = people(200, seed=1).drop(columns="name")
    return CounterFlowNet(approves, classes=["no", "yes"], training=TINY).fit(table, progress=False)


def loaded(file: Path) -> CounterFlowNet:
    return CounterFlowNet.load(file, approves, classes=["no", "yes"])


def asked(_: CounterFlowNet) -> dict[str, object]:
    return {"target": "yes", "count": 2, "samples": 10, "rounds": 1}


def known(explainer: CounterFlowNet, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[list(explainer.schema.names)]


def read_csv(content: bytes, what: str) -> pd.DataFrame:
    raise AssertionError(f"{what} is no CSV")


def work_to(folder: Path, explainer: Path) -> Work:
    return Work(partial(loaded, explainer), asked, known, read_csv, "name", folder)
