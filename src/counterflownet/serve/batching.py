"""Requests that wait at the same time are worked together, if they ask for the same."""

import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import compress
from threading import Event, Lock, Semaphore
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")
MOST = 16  # requests that are worked together: more would keep the first of them waiting


class TooManyWaitingError(Exception):
    """More requests than may wait."""


class OutOfTimeError(Exception):
    """A request whose time was over before its turn came."""


@dataclass(frozen=True, slots=True, eq=False)
class _Item(Generic[Asked, Found]):
    asked: Asked
    gone: Event
    answer: "Future[Found]" = field(default_factory=Future)


class Batcher(Generic[Asked, Found]):
    """Whoever gets a turn works all that waits under the same key; what was given up meanwhile is left out.

    ``work`` takes a key and what was asked under it, and returns one answer for each. It runs in as many threads as
    there are ``turns``, whoever asks: each thread that computes keeps memory, and threads of its own, for later.
    """

    def __init__(
        self, work: Callable[[Hashable, Sequence[Asked]], Sequence[Found]], *, turns: int, waiting: int
    ) -> None:
        self._work, self._most = work, waiting
        self._turns, self._threads = Semaphore(turns), ThreadPoolExecutor(turns, "answers")
        self._lock = Lock()
        self._waiting: dict[Hashable, list[_Item[Asked, Found]]] = defaultdict(list)
        self._count = 0

    def answer(self, key: Hashable, asked: Asked, *, until: float, gone: Event) -> Found:
        """The answer, if its work begins before ``until`` (as :func:`time.monotonic` counts), else an error."""
        item: _Item[Asked, Found] = _Item(asked, gone)
        with self._lock:
            if self._count >= self._most:
                raise TooManyWaitingError
            self._count += 1
            self._waiting[key].append(item)
        try:
            while not item.answer.done():
                self._turn(key, item, until)
        finally:
            with self._lock:
                self._count -= 1
        return item.answer.result()

    def _turn(self, key: Hashable, item: _Item[Asked, Found], until: float) -> None:
        """Wait for a turn, then work the first that wait under the key, be the item among them or not."""
        left = until - time.monotonic()
        if left <= 0 or not self._turns.acquire(timeout=left):
            self._give_up(key, item)
            return
        try:
            if not item.answer.done():
                self._finish(key, self._taken(key))
        finally:
            self._turns.release()

    def _give_up(self, key: Hashable, item: _Item[Asked, Found]) -> None:
        """An error as the answer, unless somebody is at work on it: then wait for that."""
        with self._lock:
            if waits := item in self._waiting.get(key, ()):
                self._waiting[key].remove(item)
        if waits:
            item.answer.set_exception(OutOfTimeError())
        else:
            item.answer.exception()

    def _taken(self, key: Hashable) -> list[_Item[Asked, Found]]:
        """The first that wait, without those that nobody waits for any more."""
        with self._lock:
            waiting = self._waiting.pop(key, [])
            batch, left = waiting[:MOST], waiting[MOST:]
            if left:
                self._waiting[key] = left
        gone = [item.gone.is_set() for item in batch]  # once: it may happen any time
        for item in compress(batch, gone):
            item.answer.set_exception(OutOfTimeError())
        return [item for item, is_gone in zip(batch, gone, strict=True) if not is_gone]

    def _finish(self, key: Hashable, batch: Sequence[_Item[Asked, Found]]) -> None:
        if not batch:
            return
        try:
            found = self._threads.submit(self._work, key, [item.asked for item in batch]).result()
        except Exception as error:  # noqa: BLE001 - given on to whoever waits; one bad request spoils no other: each is tried alone
            if len(batch) == 1:
                batch[0].answer.set_exception(error)
            for item in batch if len(batch) > 1 else ():
                self._finish(key, [item])
            return
        for item, answer in zip(batch, found, strict=True):
            item.answer.set_result(answer)
