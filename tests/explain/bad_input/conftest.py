"""Whatever is given wrongly, the error is ours: it says what was given, what is allowed and what to do."""

import pytest
from misuse import Given


@pytest.fixture
def given(explainer, three_way_explainer, pipeline, people, plain, tmp_path) -> Given:
    return Given(explainer, three_way_explainer, pipeline, people, plain, tmp_path)
