"""A bar for the terminal: rows done of all rows, and the time that is left."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from counterflownet.batch.pieces import Piece

PERIOD = 600.0  # seconds over which the speed is estimated: batches of a slow classifier may take a minute each


@dataclass(slots=True)
class RowBar:
    """Hears of pieces that are finished and of parts of others; a piece that is worked again counts once."""

    progress: Progress
    task: TaskID
    done: int
    parts: dict[int, int] = field(default_factory=dict)

    def of_piece(self, number: int) -> Callable[[int], None]:
        """What hears how many rows of this piece are done."""

        def heard(rows: int) -> None:
            self.parts[number] = rows
            self._show()

        return heard

    def finished(self, piece: Piece) -> None:
        """A piece is done."""
        self.done += piece.count
        self.parts.pop(piece.number, None)
        self._show()

    def _show(self) -> None:
        self.progress.update(self.task, completed=self.done + sum(self.parts.values()))


@contextmanager
def shown_rows(pieces: Sequence[Piece], left: Sequence[Piece], *, shown: bool) -> Iterator[RowBar]:
    """A bar of all rows; those of pieces that are not left count as done."""
    columns = (TextColumn("explaining"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    total = sum(piece.count for piece in pieces)
    before = total - sum(piece.count for piece in left)
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not shown, speed_estimate_period=PERIOD) as progress:
        yield RowBar(progress, progress.add_task("", total=total, completed=before), before)
