"""A small Adult, so that a study runs for real in a second, and a cache of classifiers that is this session's own."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from counterflownet_bench.datasets import load_benchmark
from counterflownet_bench.studies import study


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def small_tables() -> Iterator[None]:
    """The first rows of any data set that a study asks for."""

    def small(name: str, *, data=None):
        whole = load_benchmark(name, data=data)
        return replace(whole, train=whole.train.head(500), test=whole.test.head(100))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "load_benchmark", small)
        yield
