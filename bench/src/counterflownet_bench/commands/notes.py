"""What a command has to say beside its result."""

import sys


def note(*notes: str) -> None:
    """One line for each note, on the error stream, so that a pipe stays clean."""
    for text in notes:
        print(f"counterflownet: note: {' '.join(text.split())}", file=sys.stderr)  # noqa: T201
