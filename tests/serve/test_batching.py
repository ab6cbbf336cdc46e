"""Requests that wait together are worked together, each gets its own answer, and nobody waits for ever."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident

import pytest

from counterflownet.serve.batching import MOST, Batcher, OutOfTimeError, TooManyWaitingError


class Worker:
    """Doubles numbers, once it is let go; remembers how many it was given at once."""

    def __init__(self) -> None:
        self.free, self.begun, self.sizes = Event(), Event(), []

    def __call__(self, key, asked):
        self.sizes.append(len(asked))
        self.begun.set()
        self.free.wait(20)
        if -1 in asked:
            raise ValueError("no")
        return [2 * number for number in asked]


def soon() -> float:
    return time.monotonic() + 20


def waiting(batcher) -> int:
    return sum(map(len, batcher._waiting.values()))


def answers_behind_one(batcher, worker, numbers, keys=None):
    """What each gets when the first is still at work while all the others come."""
    keys = keys or ["same"] * len(numbers)
    with ThreadPoolExecutor(len(numbers) + 1) as pool:
        first = pool.submit(batcher.answer, "first", 100, until=soon(), gone=Event())
        worker.begun.wait(20)
        asked = zip(keys, numbers, strict=True)
        others = [pool.submit(batcher.answer, key, n, until=soon(), gone=Event()) for key, n in asked]
        while waiting(batcher) < len(numbers):
            time.sleep(0.001)
        worker.free.set()
        assert first.result() == 200
        return others


def test_those_who_wait_are_worked_at_once_and_get_their_own_answers() -> None:
    worker = Worker()
    batcher = Batcher(worker, turns=1, waiting=50)
    assert [one.result() for one in answers_behind_one(batcher, worker, range(8))] == [0, 2, 4, 6, 8, 10, 12, 14]
    assert worker.sizes == [1, 8]


def test_no_more_than_so_many_are_worked_at_once() -> None:
    worker = Worker()
    batcher = Batcher(worker, turns=1, waiting=50)
    got = [one.result() for one in answers_behind_one(batcher, worker, range(MOST + 5))]
    assert got == [2 * number for number in range(MOST + 5)]
    assert worker.sizes == [1, MOST, 5]


def test_different_questions_are_worked_apart() -> None:
    worker = Worker()
    batcher = Batcher(worker, turns=1, waiting=50)
    got = answers_behind_one(batcher, worker, [1, 2, 3], ["a", "b", "a"])
    assert [one.result() for one in got] == [2, 4, 6]
    assert sorted(worker.sizes) == [1, 1, 2]


def test_one_that_fails_spoils_no_other() -> None:
    worker = Worker()
    got = answers_behind_one(Batcher(worker, turns=1, waiting=50), worker, [1, -1, 3])
    assert got[0].result() == 2
    assert got[2].result() == 6
    with pytest.raises(ValueError, match="no"):
        got[1].result()


def test_what_nobody_waits_for_is_left_out() -> None:
    worker = Worker()
    batcher = Batcher(worker, turns=1, waiting=50)
    gone = Event()
    gone.set()
    worker.free.set()
    with pytest.raises(OutOfTimeError):
        batcher.answer("same", 1, until=soon(), gone=gone)
    assert worker.sizes == []


def test_whose_time_is_over_before_its_turn_is_told_so() -> None:
    worker = Worker()
    batcher = Batcher(worker, turns=1, waiting=50)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(batcher.answer, "a", 1, until=soon(), gone=Event())
        worker.begun.wait(20)
        with pytest.raises(OutOfTimeError):
            batcher.answer("b", 2, until=time.monotonic() + 0.01, gone=Event())
        worker.free.set()
        assert first.result() == 2
    assert waiting(batcher) == 0


def test_more_than_may_wait_are_sent_away() -> None:
    worker = Worker()
    batcher = Batcher(worker, turns=1, waiting=1)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(batcher.answer, "a", 1, until=soon(), gone=Event())
        worker.begun.wait(20)
        with pytest.raises(TooManyWaitingError):
            batcher.answer("a", 2, until=soon(), gone=Event())
        worker.free.set()
        assert first.result() == 2
    assert batcher.answer("a", 3, until=soon(), gone=Event()) == 6


def test_whoever_asks_the_work_is_done_by_one_thread() -> None:
    seen = set()

    def work(_key, asked):
        seen.add(get_ident())
        return asked

    batcher = Batcher(work, turns=1, waiting=50)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: batcher.answer("same", n, until=soon(), gone=Event()), range(40)))
    assert len(seen) == 1
    assert get_ident() not in seen
