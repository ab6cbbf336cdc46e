"""Small tables, so that a study runs for real in a second."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from counterflownet_bench.datasets import load_benchmark
from counterflownet_bench.studies import study


@pytest.fixture(scope="module")
def small_tables() -> Iterator[None]:
    """The first rows of any data set that a study asks for."""

    def small(name: str, *, data=None):
        whole = load_benchmark(name, data=data)
        return replace(whole, train=whole.train.head(500), test=whole.test.head(100))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "load_benchmark", small)
        yield
