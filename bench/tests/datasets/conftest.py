import pytest

from counterflownet_bench.datasets.folder import DATA_VARIABLE


@pytest.fixture
def without_data_folder(monkeypatch):
    """As on a machine where nobody has set the variable."""
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
