"""A lock that processes hold on an open file, one at a time; it falls with the process that holds it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

if sys.platform == "win32":
    import msvcrt

    _PLACE = 2**62  # far behind the end: what lies there is locked, the content is not

    @contextmanager
    def locked(file: IO[bytes]) -> Iterator[None]:
        """Wait for the lock, and give it back at the end."""
        file.seek(_PLACE)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            file.seek(_PLACE)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextmanager
    def locked(file: IO[bytes]) -> Iterator[None]:
        """Wait for the lock, and give it back at the end."""
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)
