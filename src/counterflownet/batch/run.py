"""A run over files: planned, worked by one process or several, kept piece by piece, and gone on with after any end."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa

from counterflownet.batch.bar import RowBar, shown_rows
from counterflownet.batch.crashes import Crashes
from counterflownet.batch.folder import AnswerFolder, Done
from counterflownet.batch.ids import Refused, check_one_type, ids_of, repeated_ids
from counterflownet.batch.pieces import Piece, files_of, pieces_of, spread_rows
from counterflownet.batch.work import Work, Worker, begin, worked
from counterflownet.errors import InvalidInputError, check_count

PIECE_ROWS = 10_000
MOST_FALSE_STARTS = 3  # processes that end before they begin a piece
REHEARSED = 5  # rows, all over the table: if none of them can be explained, and all for one reason, it is not the rows
GLANCE = 0.5  # seconds between two looks at how far the processes are


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
        folder.clear()
        pieces = pieces_of(files, piece_rows)
        check_one_type(files, work.id_column)
        kept = {piece.number: done for piece in pieces if (done := folder.done(piece.number)) is not None}
        left = [piece for piece in pieces if piece.number not in kept]
        if left:
            with shown_rows(pieces, left, shown=sys.stderr.isatty() if progress is None else progress) as bar:
                kept.update(_Run(work, folder, workers, bar).through(pieces, left))
    return _summary(kept.values())


@dataclass(frozen=True, slots=True)
class _Run:
    work: Work
    folder: AnswerFolder
    workers: int
    bar: RowBar

    def through(self, pieces: Sequence[Piece], left: Sequence[Piece]) -> Iterator[tuple[int, Done]]:
        """The pieces that are left, as they are finished."""
        worker = Worker(self.work)
        refused = repeated_ids(pieces, self._ids)
        if not self.folder.begun:
            self._rehearse(worker, pieces)
        if self.workers == 1:
            for piece in left:
                done = worker(piece, refused.get(piece.number, {}), heard=self.bar.of_piece(piece.number))
                self.bar.finished(piece)
                yield piece.number, done
            return
        del worker  # the processes have their own
        yield from self._by_processes(deque(left), refused)

    def _ids(self, piece: Piece) -> pa.ChunkedArray:
        name = self.work.id_column
        return ids_of(piece.read(self.work.read_csv, [name]), name)

    def _rehearse(self, worker: Worker, pieces: Sequence[Piece]) -> None:
        """An error if nothing can be explained at all, before it is said of every row."""
        reasons = []
        for piece, place in spread_rows(pieces, REHEARSED):
            reason = worker.asking.fault(piece.read(self.work.read_csv), place)
            if reason is None:
                return
            reasons.append(reason)
        if len(reasons) > 1 and len(set(reasons)) == 1:
            raise InvalidInputError(reasons[0])

    def _by_processes(self, left: deque[Piece], refused: Refused) -> Iterator[tuple[int, Done]]:
        crashes = Crashes(refused)
        false_starts = 0
        while left:
            flying: dict[Future[Done], Piece] = {}
            try:
                with self._pool() as pool:
                    while left or flying:
                        while left and len(flying) < 2 * self.workers:
                            piece = left.popleft()
                            asked = (piece, refused.get(piece.number, {}), crashes.suspects[piece.number])
                            flying[pool.submit(worked, *asked)] = piece
                        for future in self._watched(flying):
                            done = future.result()
                            false_starts = 0
                            piece = flying.pop(future)
                            self.bar.finished(piece)
                            yield piece.number, done
            except BrokenProcessPool:
                left.extendleft(reversed(flying.values()))
                met = [crashes.note(piece.number, self.folder.marked(piece.number)) for piece in flying.values()]
                self.folder.clear()
                false_starts = 0 if any(met) else false_starts + 1
                if false_starts > MOST_FALSE_STARTS:
                    raise InvalidInputError(
                        "the processes end before they have begun; there may be too little memory for "
                        f"{self.workers} of them. Try --workers 1."
                    ) from None

    def _watched(self, flying: Mapping[Future[Done], Piece]) -> set[Future[Done]]:
        """Those that are done; until there are some, the bar follows what the processes note."""
        while not (done := wait(flying, timeout=GLANCE, return_when=FIRST_COMPLETED).done):
            for piece in flying.values():
                if marked := self.folder.marked(piece.number):
                    self.bar.of_piece(piece.number)(marked[0])
        return done

    @contextmanager
    def _pool(self) -> Iterator[ProcessPoolExecutor]:
        """Processes that end with this one; at once if it fails or is stopped."""
        context = get_context("spawn")
        theirs, ours = context.Pipe(duplex=False)
        with ours, theirs, ProcessPoolExecutor(self.workers, context, begin, (self.work, theirs)) as pool:
            try:
                yield pool
            except BaseException:
                ours.close()
                raise


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
