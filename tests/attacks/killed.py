"""Processes killed while they fit and save, by a program of one thread, which can be forked at will.

python tests/attacks/killed.py FOLDER
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from counterflownet import CounterFlowNet

TINY = {"steps": 24, "window": 2, "batch_rows": 16, "width": 16, "patience": None}
STEPS_OF_SAVING = {"touch": Path, "open": Path, "fsync": os, "chmod": Path, "replace": Path}


class Classifier:
    classes_ = np.array(["no", "yes"])

    def predict_proba(self, rows: pd.DataFrame) -> np.ndarray:
        return self.asked(rows["income"].to_numpy(dtype=float))

    @staticmethod
    def asked(income: np.ndarray) -> np.ndarray:
        yes = 1 / (1 + np.exp(30 - income))
        return np.stack([1 - yes, yes], axis=1)


def fitted(checkpoint: Path | None = None, *, seed: int = 0) -> CounterFlowNet:
    draw = np.random.default_rng(0)
    rows = pd.DataFrame({"age": draw.integers(18, 80, 100), "income": draw.normal(30, 10, 100)})
    made = CounterFlowNet(Classifier(), training=TINY, seed=seed)
    return made.fit(rows, progress=False, checkpoint=checkpoint)


def killed_at_work(work: Callable[[], object], after: float = 60.0) -> bool:
    """Whether a child at work was killed, by itself or by us after some seconds, and did not come to an end before."""
    child, until = os.fork(), time.monotonic() + after
    if child == 0:
        work()
        os._exit(0)
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.0005)
    return os.WIFSIGNALED(ended[1])


def kill_fits(folder: Path) -> None:
    """Kill fits in their steps and while they write checkpoints: the one that ends must be as if never killed."""
    path, whole = folder / "run", fitted()
    deaths = [("asked", 4), ("fsync", 1), ("asked", 7), ("fsync", 2), ("asked", 9), ("fsync", 3), ("asked", 6)]
    assert all(killed_at_work(lambda death=death: fit_and_die(path, *death)) for death in deaths)
    resumed = fitted(path)
    left, right = (made._learned.model.state_dict() for made in (whole, resumed))
    assert all(torch.equal(left[name], right[name]) for name in left)
    histories = [made.history.to_frame().drop(columns="seconds") for made in (whole, resumed)]
    assert histories[0].equals(histories[1])


def fit_and_die(path: Path, name: str, at: int) -> None:
    """Fit, and be killed when the classifier is asked, or a checkpoint is half written, for the ``at``-th time."""
    home = os if name == "fsync" else Classifier
    real, calls = getattr(home, name), 0

    def deadly(argument: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(argument)

    setattr(home, name, staticmethod(deadly))
    fitted(path)


def kill_saves(folder: Path) -> None:
    """Kill at any moment who saves two explainers in turn: one of both must be there, whole."""
    draw, path = random.Random(0), folder / "explainer"  # noqa: S311 - no secret
    two = [fitted(seed=0), fitted(seed=1)]
    either = [made.save(path).read_bytes() for made in two]

    def save_in_turn() -> None:
        for made in cycle(two):
            made.save(path)

    for _ in range(40):
        assert killed_at_work(save_in_turn, draw.uniform(0.001, 0.03))
        assert path.read_bytes() in either
    CounterFlowNet.load(path, Classifier())


def kill_at_each_step_of_a_save(folder: Path) -> None:
    """Kill just before and just after each step: until the last is done the old file is there, and then the new one."""
    path, new = folder / "explainer", fitted(seed=1)
    old_bytes, new_bytes = fitted(seed=0).save(path).read_bytes(), new.save(folder / "new").read_bytes()
    for step in STEPS_OF_SAVING:
        for after in (False, True):
            path.write_bytes(old_bytes)
            assert killed_at_work(lambda step=step, after=after: save_and_die(new, path, step, after=after)), step
            assert path.read_bytes() == (new_bytes if (step, after) == ("replace", True) else old_bytes), (step, after)


def save_and_die(made: CounterFlowNet, path: Path, step: str, *, after: bool) -> None:
    home = STEPS_OF_SAVING[step]
    real = getattr(home, step)

    def deadly(*arguments: object, **options: object) -> None:
        if after:
            real(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(home, step, deadly)
    made.save(path)


if __name__ == "__main__":
    for task in (kill_fits, kill_saves, kill_at_each_step_of_a_save):
        task(Path(sys.argv[1]))
