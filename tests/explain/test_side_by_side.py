"""Chunks that are worked two at a time: the same answers, and a model that notices nothing of it."""

import threading
import time
from weakref import WeakSet

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from counterflownet import CounterFlowNet, Derived
from counterflownet.errors import ClassifierError
from counterflownet.explain.pose import WORTH_A_CORE, even_size
from counterflownet.explain.side_by_side import AT_A_TIME, side_by_side


@pytest.fixture(autouse=True)
def _two_threads():
    """The tests have one thread each, with which nothing is worked side by side."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


class Watched:
    """A model that knows who asked it, and whether anybody else did meanwhile."""

    def __init__(self, fails_at: int | None = None, error: BaseException | None = None) -> None:
        self.threads, self.inside, self.calls = set[int](), 0, 0
        self.fails_at, self.error = fails_at, error

    def __call__(self, rows: pd.DataFrame) -> np.ndarray:
        self.inside, self.calls = self.inside + 1, self.calls + 1
        assert self.inside == 1
        if self.calls == self.fails_at and self.error is not None:
            self.inside = 0
            raise self.error
        self.threads.add(threading.get_ident())
        time.sleep(0.001)  # long enough for another thread to come in
        self.inside -= 1
        return rows["a"].to_numpy(float)


@pytest.fixture
def watched(plain, tiny) -> tuple[Watched, CounterFlowNet]:
    model = Watched()
    return model, CounterFlowNet(model, classes=[0, 1], training=tiny).fit(plain)


def test_answers_are_those_of_one_thread(explainer, people) -> None:
    two = explainer.explain(people, count=3, chunk_rows=15)
    torch.set_num_threads(1)
    one = explainer.explain(people, count=3, chunk_rows=15)
    pd.testing.assert_frame_equal(two.to_frame(), one.to_frame())
    assert two.outcomes == one.outcomes


def test_work_is_done_beside_the_thread_that_asks_the_model(watched, plain, monkeypatch) -> None:
    _, explainer = watched
    workers = set[int]()
    found = torch.Tensor.numpy

    def noted(self, *given, **named):
        workers.add(threading.get_ident())
        return found(self, *given, **named)

    monkeypatch.setattr(torch.Tensor, "numpy", noted)
    explainer.explain(plain, chunk_rows=4)
    assert len(workers - {threading.get_ident()}) == AT_A_TIME


def test_the_model_is_asked_by_the_caller_alone(watched, plain) -> None:
    model, explainer = watched
    model.threads.clear()
    explainer.explain(plain, chunk_rows=4)
    assert model.threads == {threading.get_ident()}


@pytest.mark.parametrize("calls", [1, 2, 5, 9])
def test_a_model_that_fails_is_told_and_nobody_is_left_waiting(watched, plain, calls) -> None:
    model, explainer = watched
    model.fails_at, model.error, model.calls = calls, ValueError("out of order"), 0
    with pytest.raises(ClassifierError, match="out of order"):
        explainer.explain(plain, chunk_rows=4)
    assert not any(thread.name.startswith("chunk") for thread in threading.enumerate())


@pytest.mark.parametrize("calls", [2, 7])
def test_whoever_interrupts_is_heard(watched, plain, calls) -> None:
    model, explainer = watched
    model.fails_at, model.error, model.calls = calls, KeyboardInterrupt(), 0
    with pytest.raises(KeyboardInterrupt):
        explainer.explain(plain, chunk_rows=4)
    assert not any(thread.name.startswith("chunk") for thread in threading.enumerate())


def test_other_functions_of_the_caller_stay_in_his_thread_too(plain, tiny) -> None:
    threads = set[int]()

    def twice(rows: pd.DataFrame) -> pd.Series:
        threads.add(threading.get_ident())
        return 2 * rows["b"]

    table = plain.assign(c=2 * plain["b"])
    explainer = CounterFlowNet(lambda rows: rows["a"], classes=[0, 1], training=tiny).fit(table)
    threads.clear()
    explainer.explain(table, constraints=[Derived("c", from_=["b"], by=twice)], chunk_rows=4)
    assert threads == {threading.get_ident()}


def test_own_terms_stay_there_as_well(plain, tiny) -> None:
    threads = set[int]()

    class Low:
        name = "low"

        def log_values(self, candidates) -> np.ndarray:
            threads.add(threading.get_ident())
            return -candidates.rows["b"].to_numpy(float) / 10

    explainer = CounterFlowNet(lambda rows: rows["a"], classes=[0, 1], training=tiny, terms=[(Low(), 1.0)]).fit(plain)
    threads.clear()
    explainer.explain(plain, chunk_rows=4)
    assert threads == {threading.get_ident()}


class Silent:
    """A model that nobody asks."""

    classes = (0, 1)

    def probabilities(self, rows):
        raise AssertionError


def test_memory_does_not_grow_with_the_number_of_parts() -> None:
    class Large:
        pass

    begun, alive, most = [], WeakSet(), 0

    def work(part: int, _) -> Large:
        begun.append(part)
        alive.add(large := Large())
        return large

    for taken, _ in enumerate(side_by_side(range(60), work, Silent()), start=1):
        assert len(begun) - taken <= AT_A_TIME + 1
        del _
        most = max(most, len(alive))
    assert (taken, begun) == (60, list(range(60)))
    assert most <= AT_A_TIME + 2


def test_what_is_left_over_is_not_begun_once_nobody_listens() -> None:
    begun = []
    made = side_by_side(list(range(50)), lambda part, _: begun.append(part) or time.sleep(0.01), Silent())
    next(made)
    made.close()
    assert len(begun) < 10


@given(st.integers(1, 10_000), st.integers(1, 800), st.integers(1, 4))
def test_chunks_are_even_and_none_is_too_large(row_count: int, most: int, cores: int) -> None:
    size = even_size(row_count, most, cores)
    assert 1 <= size <= most
    count = -(-row_count // size)
    assert (count - 1) * size < row_count <= count * size
    if cores == 1:
        assert count <= -(-row_count // most) + 1
    if min(cores, AT_A_TIME) == AT_A_TIME and row_count >= AT_A_TIME * WORTH_A_CORE:
        assert count >= AT_A_TIME
