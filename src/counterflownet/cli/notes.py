"""What a command has to say beside its result: one line each, on the error stream, so that a pipe stays clean."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from counterflownet._printable import printable


def tell(*notes: str) -> None:
    """Print each note in one line."""
    for note in notes:
        print(f"counterflownet: note: {one_line(note)}", file=sys.stderr)  # noqa: T201


def one_line(text: str) -> str:
    """The text for a terminal: in one line, and nothing in it from a table or a file can act there."""
    return printable(" ".join(text.split()))


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Warnings meant for users become notes; those meant for programmers are nothing a user could act upon."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = lambda message, *_, **__: tell(str(message))
        yield
