"""How many threads compute at once. Torch, neighbour search and BLAS each bring their own, and wait for work in a loop.

Where all of them have as many threads as there are cores, each one's waiting threads take the cores of the others.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import faiss
import torch
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

_STARTED = os.getpid()


def granted() -> int:
    """How many threads this process may compute with, as torch was told or found out."""
    return torch.get_num_threads()


def alone() -> None:
    """Keep all that the calling thread does to this one thread: others work beside it."""
    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)


def alone_if_forked() -> None:
    """Keep a forked process from waiting for threads that only its parent has.

    OpenMP keeps its threads for the next use, and a copy of the process would wait for them forever. With one thread it
    gives the same answers. Done when it computes, not when it forks: those who do not compute here are left alone.
    """
    if os.getpid() != _STARTED:
        alone()


@contextmanager
def kept() -> Iterator[None]:
    """Have as many threads after as before, whatever is done inside."""
    before = torch.get_num_threads(), faiss.omp_get_max_threads()
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        faiss.omp_set_num_threads(before[1])


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for everything: processes work side by side, and rounding must not depend on how many."""
    with kept(), threadpool_limits(1):
        alone()
        yield


class _Limit:
    """A limit that several may want at once: the first sets it, and what was before comes back with the last."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._set: threadpool_limits | None = None

    @contextmanager
    def __call__(self, count: int = 1) -> Iterator[None]:
        """Leave the cores to others inside: products of small matrices gain nothing from threads."""
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._set = threadpool_limits(max(count, 1), user_api="blas")
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0 and self._set is not None:
                    self._set.restore_original_limits()


few_for_blas = _Limit()
