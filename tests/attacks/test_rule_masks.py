import numpy as np
import pytest

from attacks.rule_masks import case, disagreements


@pytest.mark.parametrize("seed", range(20))
def test_what_is_offered_is_what_a_solver_can_complete(seed):
    assert list(disagreements(case(seed), np.random.default_rng(seed), codes=4)) == []
