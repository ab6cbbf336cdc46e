"""How many threads others find after ours computed."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from threadpoolctl import threadpool_info

from counterflownet import _threads


@pytest.fixture
def two_threads():
    """Two threads for torch, however many the tests have."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def blas() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_what_was_granted_comes_back(two_threads) -> None:
    before = blas()
    with _threads.one_thread():
        assert _threads.granted() == 1
        assert set(blas()) == {1}
    assert (_threads.granted(), blas()) == (2, before)


def test_a_thread_that_works_alone_leaves_the_others_as_they_were(two_threads) -> None:
    with _threads.kept(), ThreadPoolExecutor(1, initializer=_threads.alone) as pool:
        assert pool.submit(_threads.granted).result() == 1
        assert _threads.granted() == 2
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_threads.granted).result() == 2


def test_of_two_that_limit_blas_the_last_one_restores_it() -> None:
    before = blas()
    first, second = _threads.few_for_blas(), _threads.few_for_blas()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(blas()) == {1}
    second.__exit__(None, None, None)
    assert blas() == before
