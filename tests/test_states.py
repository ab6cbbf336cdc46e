import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from counterflownet._states import States, found_in, groups_of, unedited

KEYS = st.lists(st.integers(0, 5), max_size=40).map(lambda keys: np.array(keys, dtype=np.uint64))


@given(KEYS)
def test_groups_are_those_of_numpy(keys):
    expected = np.unique(keys, return_index=True, return_inverse=True)
    for ours, theirs in zip(groups_of(keys), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@given(KEYS, KEYS)
def test_keys_are_found_among_those_that_are_known(known, keys):
    np.testing.assert_array_equal(found_in(np.unique(known), keys), np.isin(keys, known))


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), max_size=20))
def test_changes_are_counted(flags):
    edited = torch.tensor(flags, dtype=torch.bool).reshape(len(flags), 3)
    states = States(torch.zeros(len(flags), dtype=torch.int64), edited.long(), edited)
    np.testing.assert_array_equal(states.change_counts, edited.sum(dim=1).numpy())
    assert states.change_counts.dtype == np.int64


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_parts_are_joined_one_after_the_other(device):
    parts = [made_part(number, device) for number in (2, 0, 3)]
    joined = States.joined(parts)
    assert joined.codes.device.type == device
    assert (len(joined), joined.codes.shape, joined.edited.dtype) == (5, (5, 2), torch.bool)
    if device == "cpu":
        assert joined.row.tolist() == [2, 2, 3, 3, 3]


def made_part(number: int, device: str) -> States:
    codes = torch.full((number, 2), number, device=device)
    return States(codes[:, 0].clone(), codes, codes > 2)


def test_factuals_are_not_edited_and_may_repeat():
    factual = torch.tensor([[1, 2], [3, 4]])
    states = unedited(factual, torch.tensor([1, 0, 1]))
    assert states.codes.tolist() == [[3, 4], [1, 2], [3, 4]]
    assert not states.edited.any()
    states.codes[0, 0] = 9
    assert factual[1, 0] == 3
