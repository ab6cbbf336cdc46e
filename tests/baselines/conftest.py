"""One thread, and a cache of classifiers that is this session's own."""

from collections.abc import Iterator

import faiss
import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def quiet_session(tmp_path_factory) -> Iterator[None]:
    """Small tables gain nothing from threads; classifiers are kept for the session, and not in the user's cache."""
    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
