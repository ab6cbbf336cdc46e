"""What a process does with pieces: it loads explainer and classifier once, then works whatever piece it is given."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import torch

from counterflownet.batch.folder import AnswerFolder, Done
from counterflownet.batch.pieces import Piece, ReadCsv
from counterflownet.batch.table_answers import Asking, TableAnswers
from counterflownet.errors import InvalidInputError
from counterflownet.explain.explainer import CounterFlowNet

KILLED = "the process ended while this row was explained"
TRIED = 3  # rows that are explained before all others: if none can be, and all for one reason, it is not the rows


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

    def __call__(self, piece: Piece, refused: Mapping[int, str], *, careful: bool = False) -> Done:
        """Work a piece and keep what comes of it; ``careful``: row by row, so that a crash tells which it was."""
        mark = self.folder.mark(piece.number)
        mark.parent.mkdir(exist_ok=True)
        mark.write_text("")
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            rows = piece.read(self.work.read_csv)
            if not self.folder.begun:
                self._rehearse(rows.drop(index=list(refused)).head(TRIED))
            found = self._one_by_one(rows, refused, mark) if careful else self.asking(rows, refused)
        notes = tuple(dict.fromkeys(f"{warning.message}" for warning in met))
        return self.folder.keep(piece.number, _placed(found, piece), notes)

    def _rehearse(self, rows: pd.DataFrame) -> None:
        """An error if nothing can be explained at all, before it is said of every row."""
        reasons = []
        for place in range(len(rows)):
            try:
                self.asking.explained(rows.iloc[[place]])
            except Exception as error:  # noqa: BLE001 - a row may raise anything, and is told with the others later
                reasons.append(str(error))
            else:
                return
        if len(reasons) > 1 and len(set(reasons)) == 1:
            raise InvalidInputError(reasons[0])

    def _one_by_one(self, rows: pd.DataFrame, refused: Mapping[int, str], mark: Path) -> TableAnswers:
        parts = []
        for place in range(len(rows)):
            if place not in refused:
                mark.write_text(str(place))
            own = {0: refused[place]} if place in refused else {}
            found = self.asking(rows.iloc[[place]], own)
            places = pa.array([place] * found.errors.num_rows, pa.int64())
            parts.append(TableAnswers(found.answers, found.rows, found.errors.set_column(1, "row", places)))
        return TableAnswers(*(pa.concat_tables([getattr(p, n) for p in parts]) for n in ("answers", "rows", "errors")))


def _placed(found: TableAnswers, piece: Piece) -> TableAnswers:
    """The same, with errors told by file and by the number of the row in it, as a person counts."""
    errors = found.errors
    numbers = [piece.start + place + 1 for place in errors["row"].to_pylist()]
    errors = errors.set_column(1, "row", pa.array(numbers, pa.int64()))
    errors = errors.append_column("source", pa.array([piece.source] * len(numbers), pa.string()))
    return TableAnswers(found.answers, found.rows, errors)


_worker: Worker | None = None


def begin(work: Work, threads: int) -> None:
    """What a new process does first."""
    global _worker  # noqa: PLW0603 - a process has one explainer, and a pool hands its tasks to functions
    torch.set_num_threads(threads)
    _worker = Worker(work)


def worked(piece: Piece, refused: Mapping[int, str], careful: bool) -> Done:  # noqa: FBT001 - a pool passes by place
    """What a process does with each piece."""
    if _worker is None:
        raise RuntimeError("the process was not begun")
    return _worker(piece, refused, careful=careful)
