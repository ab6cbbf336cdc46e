"""A progress bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn, TimeRemainingColumn

from counterflownet.training.history import Moment

NUMBERS = "{task.fields[numbers]}"


class Show(Protocol):
    """Shows how much of the training, or of the repair after it, is over."""

    def __call__(self, fraction: float, now: Moment, *, repairing: bool = False) -> None: ...


@contextmanager
def training_progress(*, shown: bool | None) -> Iterator[Show]:
    """Shows reward, validity, residual and time left; ``shown=None`` means: if the error stream is a terminal."""
    columns = BarColumn(), TaskProgressColumn(), NUMBERS, TimeElapsedColumn(), "left", TimeRemainingColumn()
    hidden = not (sys.stderr.isatty() if shown is None else shown)
    with Progress("{task.description}", *columns, console=Console(stderr=True), disable=hidden) as bar:
        task = bar.add_task("learning", total=1.0, numbers="")

        def update(fraction: float, now: Moment, *, repairing: bool = False) -> None:
            numbers = f"reward {now.reward:.3f}  valid {now.validity:.0%}  residual {now.residual:.2f}"
            doing = "repairing" if repairing else "learning"
            bar.update(task, completed=fraction, numbers=numbers, description=doing)

        yield update
