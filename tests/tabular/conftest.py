import jaxtyping
import pytest


@pytest.fixture
def without_annotations(monkeypatch):
    """As in a user's hands, where annotations are not enforced and our own checks must speak."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
