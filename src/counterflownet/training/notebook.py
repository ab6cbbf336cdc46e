"""A progress bar in a notebook, where the error stream is no terminal: one display that is brought up to date."""

import sys
import time
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, TypeVar

SECONDS = 0.2  # between two updates: more often is nothing that eyes could follow
T = TypeVar("T")


def in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookBar:
    """A bar under the cell that is running."""

    def __init__(self) -> None:
        self._display: Any = None
        self._last = 0.0

    def show(self, fraction: float, text: str) -> None:
        """Bring the bar up to date, unless that was just done."""
        if time.monotonic() - self._last < SECONDS and fraction < 1.0:
            return
        self._last = time.monotonic()
        bar = f'<progress value="{fraction:.3f}" max="1"></progress> {fraction:.0%} {escape(text)}'
        content = {"text/html": bar, "text/plain": f"{fraction:.0%} {text}"}
        if self._display is None:
            self._display = sys.modules["IPython"].display.display(content, raw=True, display_id=True)
        else:
            self._display.update(content, raw=True)


def tracked(items: Iterable[T], text: str, count: int) -> Iterator[T]:
    """The items, so many of them, with a bar that says how many are done."""
    bar = NotebookBar()
    for number, item in enumerate(items):
        bar.show(number / max(count, 1), text)
        yield item
    bar.show(1.0, text)
