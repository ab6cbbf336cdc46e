"""An answer for one row and none for another, shown by all tests of this folder."""

import pytest
from made_up_explanations import FACTUALS, explanation

from counterflownet.explain.explanation import Explanation


@pytest.fixture
def answer() -> Explanation:
    return explanation(FACTUALS, [(0, {"months": 12, "checking_account": "none"}), (0, {"months": 6})], asked=2)
