"""What all tests of the bench share."""

from collections.abc import Iterator

import faiss
import jaxtyping
import pytest
import torch


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
