"""What a command has to say beside its result: one line each, on the error stream, so that a pipe stays clean."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


def tell(*notes: str) -> None:
    """Print each note in one line."""
    for note in notes:
        print(f"counterflownet: note: {' '.join(note.split())}", file=sys.stderr)  # noqa: T201


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Warnings meant for users become notes; those meant for programmers are nothing a user could act upon."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = lambda message, *_, **__: tell(str(message))
        yield
