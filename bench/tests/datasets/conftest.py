import os
from pathlib import Path

import pytest

from counterflownet_bench.datasets.folder import DATA_VARIABLE


@pytest.fixture
def without_data_folder(monkeypatch):
    """As on a machine where nobody has set the variable."""
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


@pytest.fixture(scope="session")
def published_folder() -> Path:
    """The folder with the published training and test files."""
    folder = os.environ.get(DATA_VARIABLE)
    if not folder:
        pytest.skip(f"{DATA_VARIABLE} does not name a folder with published splits")
    return Path(folder)
