"""What a process does with pieces: it loads explainer and classifier once, then works whatever piece it is given."""

import os
import signal
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import pandas as pd
import pyarrow as pa

from counterflownet._threads import one_thread
from counterflownet.batch.folder import TABLES, AnswerFolder, Done
from counterflownet.batch.pieces import Piece, ReadCsv
from counterflownet.batch.table_answers import Asking, TableAnswers
from counterflownet.explain.explainer import CounterFlowNet

BATCH_ROWS = 1_000
"""Rows of a piece that are explained at a time: after each batch the bar moves, and a crash is known by its batch."""

Heard = Callable[[int], None]
"""Is told how many rows of the piece are done."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done, in a form that can be sent to a process.

    ``load`` makes the explainer, ``asked`` says what :meth:`CounterFlowNet.explain` is asked with, ``prepare`` makes of
    rows as they were read those that the explainer knows.
    """

    load: Callable[[], CounterFlowNet]
    asked: Callable[[CounterFlowNet], Mapping[str, Any]]
    prepare: Callable[[CounterFlowNet, pd.DataFrame], pd.DataFrame]
    read_csv: ReadCsv
    id_column: str
    folder: Path


class Worker:
    """One process at work."""

    def __init__(self, work: Work) -> None:
        explainer = work.load()
        asked = {"progress": False, **work.asked(explainer)}
        self.asking = Asking(explainer, work.id_column, asked, lambda rows: work.prepare(explainer, rows))
        self.work, self.folder = work, AnswerFolder(work.folder)

    def __call__(
        self,
        piece: Piece,
        refused: Mapping[int, str],
        suspects: Collection[int] = (),
        heard: Heard = lambda _: None,
    ) -> Done:
        """Work a piece and keep what comes of it.

        Rows at ``refused`` places are errors for these reasons. Batches that begin at ``suspects`` are worked row by
        row, so that a crash tells which row it was.
        """
        parts: list[TableAnswers] = []
        with _noted() as notes, one_thread():
            rows = piece.read(self.work.read_csv)
            for start, stop in batches(piece.count, suspects):
                self.folder.mark(piece.number, start, stop)
                own = {place - start: reason for place, reason in refused.items() if start <= place < stop}
                part = rows.slice(start, stop - start) if isinstance(rows, pa.Table) else rows.iloc[start:stop]
                parts.append(_placed(self.asking(part, own), piece, start))
                heard(stop)
        found = TableAnswers(*(pa.concat_tables([getattr(part, name) for part in parts]) for name in TABLES))
        return self.folder.keep(piece.number, found, tuple(notes))


def batches(count: int, suspects: Collection[int] = ()) -> Iterator[tuple[int, int]]:
    """Where the batches of a piece begin and end; of the suspects, each row is one."""
    for start in range(0, count, BATCH_ROWS):
        stop = min(start + BATCH_ROWS, count)
        size = 1 if start in suspects else BATCH_ROWS
        yield from ((first, min(first + size, stop)) for first in range(start, stop, size))


@contextmanager
def _noted() -> Iterator[dict[str, None]]:
    """What is warned of inside, once each, for users; what is for programmers is nothing a user could act upon."""
    notes: dict[str, None] = {}
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        yield notes
        notes.update(dict.fromkeys(str(warning.message) for warning in met))


def _placed(found: TableAnswers, piece: Piece, start: int) -> TableAnswers:
    """The same, with errors told by file and by the number of the row in it, as a person counts."""
    errors = found.errors
    numbers = [piece.start + start + place + 1 for place in errors["row"].to_pylist()]
    errors = errors.set_column(1, "row", pa.array(numbers, pa.int64()))
    errors = errors.append_column("source", pa.array([piece.source] * len(numbers), pa.string()))
    return TableAnswers(found.answers, found.rows, errors)


_worker: Worker | None = None


def begin(work: Work, end: Connection) -> None:
    """What a new process does first."""
    global _worker  # noqa: PLW0603 - a process has one explainer, and a pool hands its tasks to functions
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that began this one
    Thread(target=_end_with, args=(end,), daemon=True).start()
    with warnings.catch_warnings(action="ignore"):  # the process that began this one has told them
        _worker = Worker(work)


def _end_with(end: Connection) -> None:
    """End at once when the other side of the connection is closed, or gone with its process, however that ended.

    Otherwise the processes of a killed run would wait for work for ever.
    """
    end.poll(None)
    os._exit(1)


def worked(piece: Piece, refused: Mapping[int, str], suspects: Collection[int]) -> Done:
    """What a process does with each piece."""
    if _worker is None:
        raise RuntimeError("the process was not begun")
    return _worker(piece, refused, suspects)
