"""Who may read a file is for its owner to decide: new ones are theirs alone, old ones stay as they are."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet
from counterflownet.files import write_atomically

ONE_STEP = {"steps": 1, "window": 1, "batch_rows": 8, "width": 8}


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def fitted(checkpoint: Path | None = None) -> CounterFlowNet:
    rows = pd.DataFrame({"a": np.linspace(0, 1, 30)})
    made = CounterFlowNet(lambda rows: rows["a"].clip(0, 1).to_numpy(), classes=[0, 1], training=ONE_STEP)
    return made.fit(rows, progress=False, checkpoint=checkpoint)


WRITERS = {
    "explainer": lambda path: fitted().save(path),
    "private explainer": lambda path: fitted().save(path, private=True),
    "checkpoint": fitted,
}


def mode_of(path: Path) -> str:
    return oct(path.stat().st_mode & 0o7777)


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_new_file_is_for_its_owner_alone(tmp_path, write) -> None:
    write(tmp_path / "new")
    assert mode_of(tmp_path / "new") == "0o600"


@pytest.mark.parametrize("mode", ["0o640", "0o644", "0o400"])
def test_an_explainer_that_is_replaced_keeps_its_mode(tmp_path, mode) -> None:
    path = fitted().save(tmp_path / "old")
    path.chmod(int(mode, 8))
    fitted().save(path)
    assert mode_of(path) == mode


def test_a_checkpoint_keeps_its_mode_from_window_to_window(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(ONE_STEP, "steps", 3)
    modes, path, sync = [], tmp_path / "run", os.fsync

    def opened_up(number: int) -> None:
        if path.exists():
            modes.append(mode_of(path))
            path.chmod(0o640)
        sync(number)

    monkeypatch.setattr(os, "fsync", opened_up)
    fitted(path)
    assert [*modes, mode_of(path)] == ["0o600", "0o640", "0o640"]


@pytest.mark.parametrize("mode", ["0o600", "0o644", "0o666"])
def test_any_file_that_is_replaced_keeps_its_mode_and_its_draft_is_never_open_to_others(
    tmp_path, monkeypatch, mode
) -> None:
    path = tmp_path / "report.html"
    path.touch(int(mode, 8))
    drafts, sync = [], os.fsync

    def look(number: int) -> None:
        drafts.extend(mode_of(each) for each in tmp_path.iterdir() if each != path)
        sync(number)

    monkeypatch.setattr(os, "fsync", look)
    write_atomically(path, "new")
    assert (mode_of(path), drafts) == (mode, ["0o600"])
