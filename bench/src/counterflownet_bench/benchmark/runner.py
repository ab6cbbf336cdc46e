"""Runs cells, one after the other or in several processes, and keeps every result as soon as it is there.

Only this process writes, and only if no other does. A process that runs cells tells it the results and ends with it, so
that no cell is run by somebody whom nobody waits for.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Thread
from typing import cast

import faiss
import torch

from counterflownet.errors import check_at_least
from counterflownet_bench.benchmark.cell import Cell, Result, attempted, failed_result
from counterflownet_bench.benchmark.progress_bar import progress_bar
from counterflownet_bench.benchmark.store import ResultStore, identity_of

Job = tuple[Cell, ...]  # cells that share one fit
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How cells are run. ``data`` is a folder of data sets; ``progress`` None means: if there is a terminal.

    With several ``processes`` each fit has a process of its own with one thread, so its peak of memory is its own too.
    """

    data: str | Path | None = None
    processes: int = 1
    retry_failed: bool = False
    progress: bool | None = None

    def __post_init__(self) -> None:
        check_at_least("processes", self.processes, 1)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How many cells were run now, how many of these failed, and how many were there already."""

    run: int
    failed: int
    skipped: int


def run_cells(
    cells: Sequence[Cell],
    store: ResultStore,
    settings: RunSettings,
    on_result: Callable[[Result], None] = lambda _: None,
) -> RunSummary:
    """Run what is not in the store yet; ``on_result`` hears of every result after it was stored."""
    with store.file.only_writer() as append:
        finished = store.finished(with_failed=not settings.retry_failed)
        jobs = shared_fits([cell for cell in cells if identity_of(cell) not in finished])
        total = sum(map(len, jobs))
        failed = 0
        with closing(_results(jobs, settings)) as source, progress_bar("benchmark", shown=settings.progress) as bar:
            task = bar.add_task("cells", total=total, part="")
            for result in source:
                append(result)
                failed += "error" in result
                bar.update(task, advance=1, part=str(Cell(**result["cell"])))
                on_result(result)
    return RunSummary(run=total, failed=failed, skipped=len(cells) - total)


def shared_fits(cells: Sequence[Cell]) -> list[Job]:
    """Cells that differ in their selection only, together."""
    order = {key: place for place, key in enumerate(dict.fromkeys(cell.fit_key() for cell in cells))}
    together = sorted(cells, key=lambda cell: order[cell.fit_key()])
    return [tuple(group) for _, group in groupby(together, key=Cell.fit_key)]


def _results(jobs: Sequence[Job], settings: RunSettings) -> Generator[Result, None, None]:
    if settings.processes > 1:
        yield from _elsewhere(jobs, settings)
    else:
        for job in jobs:
            yield from attempted(job, settings.data)


@dataclass(frozen=True, slots=True, eq=False)
class _Worker:
    process: SpawnProcess
    left: list[Cell]


def _elsewhere(jobs: Sequence[Job], settings: RunSettings) -> Generator[Result, None, None]:
    waiting, running = deque(jobs), dict[Connection, _Worker]()
    try:
        while waiting or running:
            while waiting and len(running) < settings.processes:
                running |= [_started(waiting.popleft(), settings)]
            for receiver in cast("list[Connection]", wait(list(running))):
                worker = running[receiver]
                try:
                    result = receiver.recv()
                except EOFError:  # the process is over
                    del running[receiver]
                    yield from _lost(worker)
                else:
                    worker.left.pop(0)
                    yield result
    finally:
        for worker in running.values():
            worker.process.terminate()
            worker.process.join()


def _started(job: Job, settings: RunSettings) -> tuple[Connection, _Worker]:
    context = get_context("spawn")  # a fork would copy threads' locks
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(job, settings.data, sender), daemon=True)
    with _one_thread():
        process.start()
    sender.close()  # so that the end of the process is the end of the pipe
    return receiver, _Worker(process, list(job))


def _work(job: Job, data: str | Path | None, sender: Connection) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    try:
        for result in attempted(job, data):
            sender.send(result)
    except KeyboardInterrupt:
        sys.exit(130)


def _end_with_parent() -> None:
    """A killed parent cannot end its processes: they do it themselves."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _lost(worker: _Worker) -> Iterator[Result]:
    """The cells of a process that ended before it had answered them all."""
    worker.process.join()
    reason = f"its process ended with exit code {worker.process.exitcode} (-9 is often: out of memory)"
    return (failed_result(cell, reason) for cell in worker.left)


@contextmanager
def _one_thread() -> Iterator[None]:
    """A process that is started inside computes with one thread; ours is left as it was."""
    before = {name: os.environ.get(name) for name in THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
