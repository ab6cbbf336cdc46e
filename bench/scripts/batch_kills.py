"""A run that is killed at random again and again, beside one that is left alone; see :mod:`batch`."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import pyarrow as pa
from batch_world import sorted_answers, work_in

from counterflownet.batch import Summary, explain_files

KILLS = 5
PIECE_ROWS = 500
QUESTION = {"question": "five answers"}


def killed(folder: Path, file: Path) -> dict[str, Any]:
    """What was killed and when, and whether what is there in the end is what the uninterrupted run left."""
    whole, out = folder / "out_whole", folder / "out_killed"
    for place in (whole, out):
        rmtree(place, ignore_errors=True)
    small_pieces(folder, file, whole)
    chance = np.random.default_rng(0)
    kills = [_one_kill((folder, file, out), number, chance) for number in range(KILLS)]
    done = small_pieces(folder, file, out)
    ids = sorted_answers(out, "rows")["factual"].to_numpy()
    return {
        "kills": kills,
        "piece_rows": PIECE_ROWS,
        "explained": done.rows,
        "errors": done.errors,
        "equal": all(_digest(whole, name) == _digest(out, name) for name in ("answers", "rows")),
        "ids_once": bool(np.array_equal(ids, np.arange(done.rows))),
    }


def small_pieces(folder: Path, file: Path, out: Path) -> Summary:
    return explain_files(work_in(folder, out), file, QUESTION, workers=2, piece_rows=PIECE_ROWS)


def _one_kill(places: tuple[Path, Path, Path], number: int, chance: np.random.Generator) -> dict[str, Any]:
    """Begin or go on, wait for one piece more and a random while, and kill: the run, or one of its processes first."""
    process = subprocess.Popen([sys.executable, __file__, *places])  # noqa: S603 - this very file
    out, of_run = places[-1], number % 2 == 0
    _until(process, lambda: len(list(out.glob("done/*"))) > number and len(_working(process.pid)) == 2)
    time.sleep(chance.uniform(0.0, 1.0))
    kept = len(list(out.glob("done/*")))
    alive = process.poll() is None
    if alive and not of_run:
        os.kill(int(chance.choice(_working(process.pid))), signal.SIGKILL)
        _until(process, lambda: not list(out.glob("working/*")))  # the run has noticed
        _until(process, lambda: list(out.glob("working/*")))  # and goes on by itself
        time.sleep(chance.uniform(0.0, 1.0))
    process.kill()
    process.wait()
    return {"of": "the run" if of_run else "a process, then the run", "alive": alive, "pieces_kept": kept}


def _until(process: subprocess.Popen[bytes], happened: Callable[[], Any]) -> None:
    while process.poll() is None and not happened():
        time.sleep(0.01)


def _working(pid: int) -> list[int]:
    """The processes that explain; the oldest of all only counts what is shared."""
    return sorted(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())[1:]


def _digest(out: Path, name: str) -> str:
    """Of all that was told, sorted by id, byte for byte."""
    sink = pa.BufferOutputStream()
    table = sorted_answers(out, name)
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return hashlib.sha256(sink.getvalue()).hexdigest()


if __name__ == "__main__":
    small_pieces(*map(Path, sys.argv[1:]))
