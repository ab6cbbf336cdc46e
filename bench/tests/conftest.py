"""What all tests of the bench share."""

import os
from collections.abc import Iterator
from pathlib import Path

import faiss
import jaxtyping
import pytest
import torch

from counterflownet_bench.datasets.folder import DATA_VARIABLE


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"needs_data: skipped unless {DATA_VARIABLE} names a folder with data sets")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get(DATA_VARIABLE):
        return
    for item in items:
        if item.get_closest_marker("needs_data") or "published_folder" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=f"needs {DATA_VARIABLE}: a folder with the published data sets"))


@pytest.fixture(scope="session")
def published_folder() -> Path:
    """The folder with the published training and test files; without one the test is skipped."""
    return Path(os.environ[DATA_VARIABLE])


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Small tables gain nothing from threads, and lose much when the machine is busy."""
    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory) -> Iterator[None]:
    """Classifiers are kept for the session, and not in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def without_annotations(monkeypatch) -> None:
    """As in a user's hands, where annotations are not enforced and our own checks must speak."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
