"""A lock that processes hold on an open file, one at a time; it falls with the process that holds it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

if sys.platform == "win32":
    import msvcrt

    _PLACE = 2**62  # far behind the end: what lies there is locked, the content is not

    @contextmanager
    def locked(file: IO[bytes], *, wait: bool = True) -> Iterator[None]:
        """Take the lock, and give it back at the end; if it is taken, wait for it or raise a BlockingIOError."""
        file.seek(_PLACE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(f"{file.name} is locked") from error
        try:
            yield
        finally:
            file.seek(_PLACE)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextmanager
    def locked(file: IO[bytes], *, wait: bool = True) -> Iterator[None]:
        """Take the lock, and give it back at the end; if it is taken, wait for it or raise a BlockingIOError."""
        fcntl.flock(file.fileno(), fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)
