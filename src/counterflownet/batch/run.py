"""A run over files: planned, worked by one process or several, kept piece by piece, and gone on with after any end."""

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from counterflownet.batch.folder import AnswerFolder, Done
from counterflownet.batch.ids import Refused, repeated_ids
from counterflownet.batch.pieces import Piece, files_of, pieces_of
from counterflownet.batch.work import KILLED, Work, Worker, begin, worked
from counterflownet.errors import InvalidInputError, check_count

PIECE_ROWS = 10_000
CALM = 2  # deaths of processes that worked a piece before it is worked row by row
MOST_FALSE_STARTS = 3  # processes that end before they begin a piece


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to, what was there before included."""

    rows: int
    answers: int
    errors: int
    pieces: int
    notes: tuple[str, ...]


def explain_files(
    work: Work,
    source: str | Path,
    asked: dict[str, Any],
    *,
    workers: int = 1,
    piece_rows: int = PIECE_ROWS,
    progress: bool | None = None,
) -> Summary:
    """Explain all rows of a file or a folder, and keep the answers in the folder of the work.

    ``asked`` is what the folder remembers of the question, so that nobody goes on with another one. The same call goes
    on where one was ended: pieces that are kept are not worked again.
    """
    check_count("workers", workers)
    check_count("piece_rows", piece_rows)
    folder = AnswerFolder(work.folder)
    files = files_of(source)
    with folder.locked():
        folder.begin({**asked, "rows": [_identity(file) for file in files], "piece_rows": piece_rows})
        pieces = pieces_of(files, piece_rows)
        kept = {piece.number: done for piece in pieces if (done := folder.done(piece.number)) is not None}
        left = [piece for piece in pieces if piece.number not in kept]
        if left:
            with _bar(pieces, left, shown=sys.stderr.isatty() if progress is None else progress) as told:
                for number, done in _Run(work, folder, workers).through(pieces, left):
                    kept[number] = done
                    told(pieces[number].count)
    return _summary(kept.values())


@dataclass(frozen=True, slots=True)
class _Run:
    work: Work
    folder: AnswerFolder
    workers: int

    def through(self, pieces: Sequence[Piece], left: Sequence[Piece]) -> Iterator[tuple[int, Done]]:
        """The pieces that are left, as they are finished."""
        worker = Worker(self.work)
        refused = repeated_ids(pieces, lambda piece: _ids(worker, piece))
        if self.workers == 1:
            for piece in left:
                yield piece.number, worker(piece, refused.get(piece.number, {}))
            return
        del worker  # the processes have their own
        yield from self._by_processes(deque(left), refused)

    def _by_processes(self, left: deque[Piece], refused: Refused) -> Iterator[tuple[int, Done]]:
        deaths: Counter[int] = Counter()
        false_starts = 0
        while left:
            flying: dict[Future[Done], Piece] = {}
            try:
                with self._pool() as pool:
                    while left or flying:
                        while left and len(flying) < 2 * self.workers:
                            piece = left.popleft()
                            careful = deaths[piece.number] >= CALM
                            asked = (piece, refused.get(piece.number, {}), careful)
                            flying[pool.submit(worked, *asked)] = piece
                        for future in wait(flying, return_when=FIRST_COMPLETED).done:
                            done = future.result()
                            false_starts = 0
                            yield flying.pop(future).number, done
            except BrokenProcessPool:
                left.extendleft(reversed(flying.values()))
                false_starts += 1
                self._bury(flying.values(), deaths, refused)
                if false_starts > MOST_FALSE_STARTS and not any(deaths[piece.number] for piece in left):
                    raise InvalidInputError(
                        "the processes end before they have begun; there may be too little memory for "
                        f"{self.workers} of them. Try --workers 1."
                    ) from None

    def _pool(self) -> ProcessPoolExecutor:
        threads = max(1, torch.get_num_threads() // self.workers)
        return ProcessPoolExecutor(self.workers, get_context("spawn"), begin, (self.work, threads))

    def _bury(self, flying: Any, deaths: Counter[int], refused: Refused) -> None:
        """Note which pieces were worked when processes ended, and which row, if that is known."""
        for piece in flying:
            mark = self.folder.mark(piece.number)
            if not mark.exists():
                continue
            deaths[piece.number] += 1
            if at := mark.read_text():
                refused.setdefault(piece.number, {})[int(at)] = KILLED
            mark.unlink()


def _ids(worker: Worker, piece: Piece) -> pd.Series:
    return worker.asking.ids(piece.read(worker.work.read_csv, [worker.asking.id_column]))


def _identity(file: Path) -> dict[str, Any]:
    """By what a file is known again; of a large one, its ends."""
    size = file.stat().st_size
    with file.open("rb") as content:
        ends = content.read(1 << 20)
        content.seek(max(0, size - (1 << 20)))
        ends += content.read()
    return {"file": str(file.resolve()), "bytes": size, "sha256 of both ends": sha256(ends).hexdigest()}


def _summary(kept: Iterable[Done]) -> Summary:
    parts = list(kept)
    return Summary(
        rows=sum(part.rows for part in parts),
        answers=sum(part.answers for part in parts),
        errors=sum(part.errors for part in parts),
        pieces=len(parts),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


@contextmanager
def _bar(pieces: Sequence[Piece], left: Sequence[Piece], *, shown: bool) -> Iterator[Callable[[int], None]]:
    """What to tell how many rows were worked; it shows a bar with the time that is left."""
    columns = (TextColumn("explaining"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    total = sum(piece.count for piece in pieces)
    before = total - sum(piece.count for piece in left)
    with Progress(*columns, console=Console(stderr=True), disable=not shown) as progress:
        task = progress.add_task("", total=total, completed=before)
        yield lambda rows: progress.advance(task, rows)
