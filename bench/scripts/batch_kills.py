"""A run that is killed at random again and again, beside one that is left alone; see :mod:`batch`."""

import hashlib
import os
import signal
import subprocess
import sys
import time
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
    begun = time.perf_counter()
    small_pieces(folder, file, whole)
    lasted = time.perf_counter() - begun
    chance = np.random.default_rng(0)
    kills = [_one_kill(folder, file, out, lasted, chance, of_run=number % 2 == 0) for number in range(KILLS)]
    done = small_pieces(folder, file, out)
    ids = sorted_answers(out, "rows")["factual"].to_numpy()
    return {
        "kills": kills,
        "piece_rows": PIECE_ROWS,
        "seconds_uninterrupted": lasted,
        "explained": done.rows,
        "errors": done.errors,
        "equal": all(_digest(whole, name) == _digest(out, name) for name in ("answers", "rows")),
        "ids_once": bool(np.array_equal(ids, np.arange(done.rows))),
    }


def small_pieces(folder: Path, file: Path, out: Path) -> Summary:
    return explain_files(work_in(folder, out), file, QUESTION, workers=2, piece_rows=PIECE_ROWS)


def _one_kill(
    folder: Path, file: Path, out: Path, lasted: float, chance: np.random.Generator, *, of_run: bool
) -> dict[str, Any]:
    """Begin or go on, wait for work and then a random while, and kill: the run, or one of its processes first."""
    process = subprocess.Popen([sys.executable, __file__, folder, file, out])  # noqa: S603 - this very file
    while process.poll() is None and not list(out.glob("working/*")):
        time.sleep(0.05)
    time.sleep(chance.uniform(0.0, 0.2) * lasted)
    kept = len(list(out.glob("done/*")))
    alive = process.poll() is None
    if alive and not of_run:
        os.kill(int(chance.choice(_working(process.pid))), signal.SIGKILL)
        time.sleep(chance.uniform(0.0, 0.3) * lasted)  # it goes on by itself
    process.kill()
    process.wait()
    return {"of": "the run" if of_run else "a process, then the run", "alive": alive, "pieces_kept": kept}


def _working(pid: int) -> list[int]:
    """The processes that explain: the youngest two; the oldest only counts what is shared."""
    return sorted(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())[-2:]


def _digest(out: Path, name: str) -> str:
    """Of all that was told, sorted by id, byte for byte."""
    sink = pa.BufferOutputStream()
    table = sorted_answers(out, name)
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return hashlib.sha256(sink.getvalue()).hexdigest()


if __name__ == "__main__":
    small_pieces(*map(Path, sys.argv[1:]))
