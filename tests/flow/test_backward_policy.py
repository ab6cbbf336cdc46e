from itertools import permutations
from math import exp

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.flow.balance import uniform_log_backward


@settings(deadline=None)
@given(st.integers(0, 6), st.integers(0, 3))
def test_all_orders_of_a_set_of_edits_sum_to_one_whatever_the_padding(edit_count: int, padding: int) -> None:
    one_order = uniform_log_backward(torch.tensor([edit_count]), edit_count + padding).sum().item()
    orders = len(list(permutations(range(edit_count))))
    assert orders * exp(one_order) == pytest.approx(1.0)
