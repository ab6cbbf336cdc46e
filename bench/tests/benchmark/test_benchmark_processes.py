"""``counterflownet benchmark run`` killed and started again, or started twice: every cell is run once."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from counterflownet.cli import main
from counterflownet_bench.benchmark.store import ResultStore

CELLS = ["--protocol", "a", "--dataset", "german_credit", "--selection", "raw", "--instances", "3", "--count", "3"]
MOMENT = ["--seed", "0", "1", "--steps", "5"]
SECONDS = ["--seed", "0", "1", "--steps", "1000000", "--minutes", "0.1"]
DAYS = ["--seed", "0", "1", "--steps", "100000000", "--minutes", "10000"]
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked up in /proc")


@pytest.fixture
def store(tmp_path, monkeypatch) -> ResultStore:
    monkeypatch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path / "cache"))
    return ResultStore(tmp_path / "results.jsonl")


def words(store: ResultStore, options: list[str]) -> list[str]:
    return ["benchmark", "run", *CELLS, *options, "--processes", "2", "--out", str(store.path)]


def started(store: ResultStore, options: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "counterflownet.cli", *words(store, options)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # noqa: S603


def workers_of(process: subprocess.Popen[str]) -> set[Path]:
    """Where the system tells of the processes that run this one's cells."""
    return {place for place in Path("/proc").glob("[0-9]*") if is_worker(place, process.pid)}


def is_worker(place: Path, parent: int) -> bool:
    try:
        ours = int((place / "stat").read_text().rpartition(")")[2].split()[1]) == parent
        return ours and b"spawn_main" in (place / "cmdline").read_bytes()
    except OSError:  # it has ended while we looked
        return False


def is_alive(place: Path) -> bool:
    try:
        return (place / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def soon(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def workers_of_killed(run: subprocess.Popen[str]) -> set[Path]:
    """Kill the run as soon as both workers have begun."""
    assert soon(lambda: len(workers_of(run)) == 2, seconds=120)
    workers = workers_of(run)
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stderr.close()
    return workers


def test_the_workers_of_a_killed_run_end(store) -> None:
    workers = workers_of_killed(started(store, DAYS))
    assert soon(lambda: not any(map(is_alive, workers)), seconds=60)


def test_a_run_after_a_killed_one_doubles_no_cell(store) -> None:
    workers_of_killed(started(store, SECONDS))
    again = started(store, SECONDS)
    assert again.communicate(timeout=180)[1] == ""
    assert again.returncode == 0
    assert sorted(result["seed"] for result in store.read().results) == [0, 1]


def test_the_same_command_twice_at_once_doubles_no_cell(store) -> None:
    runs = [started(store, MOMENT) for _ in range(2)]
    told = [run.communicate(timeout=180)[1] for run in runs]
    assert {run.returncode for run in runs} <= {0, 2}
    assert all("is being written by another process" in error for error in told if error)
    assert sorted(result["seed"] for result in store.read().results) == [0, 1]


def test_a_file_that_another_run_writes_is_refused_at_once(store, capsys) -> None:
    with store.file.only_writer():
        assert main(words(store, MOMENT)) == 2
    assert "is being written by another process. Wait until it has ended" in capsys.readouterr().err
    assert store.read().results == ()
