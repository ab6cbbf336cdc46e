"""A bar for runs that take hours."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def progress_bar(title: str, *, shown: bool | None) -> Progress:
    """How many of a run's parts are done, and which is at work (``part``); None: if there is a terminal."""
    return Progress(
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[part]}"),
        console=Console(stderr=True),
        disable=not (sys.stderr.isatty() if shown is None else shown),
    )
