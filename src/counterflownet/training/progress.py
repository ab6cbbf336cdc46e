"""A progress bar on a terminal and in a notebook, nothing in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn, TimeRemainingColumn

from counterflownet.training.history import Moment
from counterflownet.training.notebook import NotebookBar, in_notebook

NUMBERS = "{task.fields[numbers]}"


@runtime_checkable
class Show(Protocol):
    """Shows how much of the training, or of the repair after it, is over."""

    def __call__(self, fraction: float, now: Moment, *, repairing: bool = False) -> None: ...


@contextmanager
def training_progress(*, shown: bool | None) -> Iterator[Show]:
    """Shows reward, validity, residual and time left; ``shown=None`` means: on a terminal or in a notebook."""
    if shown is not False and in_notebook():
        yield notebook_show()
        return
    columns = BarColumn(), TaskProgressColumn(), NUMBERS, TimeElapsedColumn(), "left", TimeRemainingColumn()
    hidden = not (sys.stderr.isatty() if shown is None else shown)
    with Progress("{task.description}", *columns, console=Console(stderr=True), disable=hidden) as bar:
        task = bar.add_task("learning", total=1.0, numbers="")

        def update(fraction: float, now: Moment, *, repairing: bool = False) -> None:
            doing = "repairing" if repairing else "learning"
            bar.update(task, completed=fraction, numbers=numbers_of(now), description=doing)

        yield update


def notebook_show() -> Show:
    """The same under the cell of a notebook."""
    bar = NotebookBar()

    def update(fraction: float, now: Moment, *, repairing: bool = False) -> None:
        bar.show(fraction, f"{'repairing' if repairing else 'learning'}  {numbers_of(now)}  {now.seconds:.0f} s")

    return update


def numbers_of(now: Moment) -> str:
    return f"reward {now.reward:.3f}  valid {now.validity:.0%}  residual {now.residual:.2f}"
