"""A progress bar on a terminal, nothing in a pipe."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from counterflownet.training.history import Moment


class TrainingProgress:
    """Shows reward, validity, residual and time left; ``shown=None`` means: if the error stream is a terminal."""

    def __init__(self, *, shown: bool | None) -> None:
        self._bar = Progress(
            TextColumn("learning"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[numbers]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not (sys.stderr.isatty() if shown is None else shown),
        )
        self._task = self._bar.add_task("learning", total=1.0, numbers="")

    def update(self, fraction: float, now: Moment) -> None:
        numbers = f"reward {now.reward:.3f}  valid {now.validity:.0%}  residual {now.residual:.2f}"
        self._bar.update(self._task, completed=fraction, numbers=numbers)

    def __enter__(self) -> "TrainingProgress":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
