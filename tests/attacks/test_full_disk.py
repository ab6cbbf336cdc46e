"""A disk that is full while a file is written: the old file stays, no draft is left, the error names the file."""

import errno
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet
from counterflownet.cli import main
from counterflownet.files import write_atomically

TINY = {"steps": 4, "window": 2, "batch_rows": 8, "width": 32, "patience": None}


def fitted(checkpoint: Path | None = None) -> CounterFlowNet:
    rows = pd.DataFrame({"a": np.linspace(0, 1, 30)})
    made = CounterFlowNet(lambda rows: rows["a"].clip(0, 1).to_numpy(), classes=[0, 1], training=TINY)
    return made.fit(rows, progress=False, checkpoint=checkpoint)


@pytest.fixture
def nearly_full() -> Iterator[None]:
    """No file may grow beyond 10,000 bytes: a real error of the system, in the middle of a write."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, ignored)


def test_an_explainer_that_does_not_fit_leaves_the_old_file(tmp_path, nearly_full) -> None:
    path = tmp_path / "old.cfn"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match=r"old\.cfn"):
        fitted().save(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_checkpoint_that_does_not_fit_leaves_the_one_before(tmp_path, monkeypatch) -> None:
    path, real, calls = tmp_path / "run", Path.open, []

    class Full:
        def __init__(self, file) -> None:
            self.file = file

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_) -> None:
            self.file.close()

        def write(self, content: bytes) -> None:
            self.file.write(content[: len(content) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")

    def second_is_too_much(self, mode="r", **options):
        calls.append(mode)
        return Full(real(self, mode, **options)) if calls.count("wb") == 2 else real(self, mode, **options)

    monkeypatch.setattr(Path, "open", second_is_too_much)
    with pytest.raises(OSError, match=r"No space left on device: '.*run'"):
        fitted(path)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == [path]
    assert fitted(path).history.moments[-1].step == 4  # gone on from the second step


def test_a_new_file_that_does_not_fit_leaves_nothing(tmp_path, nearly_full) -> None:
    with pytest.raises(OSError, match=r"big\.txt") as caught:
        write_atomically(tmp_path / "big.txt", b"x" * 20_000)
    assert caught.value.errno == errno.EFBIG
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_tells_of_it_in_one_line(tmp_path, capsys, nearly_full) -> None:
    table, out = tmp_path / "rows.csv", tmp_path / "rows.cfn"
    pd.DataFrame({"a": np.linspace(0, 1, 30), "y": ["no", "yes"] * 15}).to_csv(table, index=False)
    assert main(["fit", str(table), "--target", "y", "--out", str(out), "--steps", "1"]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert [line for line in told if "rows.cfn" in line]
    assert not [path for path in tmp_path.iterdir() if path != table]
