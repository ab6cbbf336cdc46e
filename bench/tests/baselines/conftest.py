"""A cache of classifiers that is this session's own."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory) -> Iterator[None]:
    """Classifiers are kept for the session, and not in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
