"""Work on several parts at once: while the model is asked about one of them, the others are computed.

The model is asked by the caller's own thread, one question at a time, as if nothing ran beside it: nobody promised us
that it stands more than that.
"""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet import _threads
from counterflownet.protocols import Classifier

AT_A_TIME = 2  # more would mostly wait for the lock of the Python interpreter

Part = TypeVar("Part")
Made = TypeVar("Made")
Answer = Future[NDArray[np.float64]]


class Desk:
    """A classifier for other threads: what they ask waits until the thread that keeps the desk answers it."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self._waiting: SimpleQueue[tuple[pd.DataFrame, Answer] | None] = SimpleQueue()  # None: look up, work is done
        self._open, self._opening = True, Lock()

    @property
    def classes(self) -> tuple[Any, ...]:
        return self._classifier.classes

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """What the classifier says, as soon as it is this question's turn."""
        answer: Answer = Future()
        with self._opening:
            if not self._open:
                raise CancelledError
            self._waiting.put((rows, answer))
        return answer.result()

    def answer_until(self, work: Future[Made]) -> Made:
        """Answer whatever is asked until the work is done; what it made."""
        work.add_done_callback(lambda _: self._waiting.put(None))
        while not work.done():
            question = self._waiting.get()
            if question is not None:
                self._answer(*question)
        return work.result()

    def close(self) -> None:
        """Nobody answers any more: those who wait are sent away."""
        with self._opening:
            self._open = False
        while not self._waiting.empty():
            question = self._waiting.get()
            if question is not None:
                question[1].cancel()

    def _answer(self, rows: pd.DataFrame, answer: Answer) -> None:
        try:
            answer.set_result(self._classifier.probabilities(rows))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asked, and comes back with his work
            answer.set_exception(error)
        except BaseException:
            answer.cancel()
            raise


def side_by_side(
    parts: Sequence[Part], work: Callable[[Part, Classifier], Made], classifier: Classifier
) -> Generator[Made, None, None]:
    """What is made of each part, in their order; ``work`` runs in other threads, the classifier in this one.

    What was taken is let go of, and no more than a few parts are made ahead: memory must not grow with their number.
    """
    desk, cores, rest = Desk(classifier), _threads.granted(), iter(parts)
    with (
        _threads.kept(),
        _threads.few_for_blas(cores - AT_A_TIME),
        ThreadPoolExecutor(AT_A_TIME, "chunk", _threads.alone) as pool,
    ):
        ahead = deque(pool.submit(work, part, desk) for part in islice(rest, AT_A_TIME))
        try:
            while ahead:
                ahead.extend(pool.submit(work, part, desk) for part in islice(rest, 1))  # none idles meanwhile
                yield desk.answer_until(ahead.popleft())
        finally:
            desk.close()
            pool.shutdown(wait=False, cancel_futures=True)  # leaving the block waits for those that have begun
