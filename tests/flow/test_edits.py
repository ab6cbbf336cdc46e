import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.flow.edits import Trajectories, apply_edit, final_states, undo_edit, unedited, visited_states

FACTUAL = torch.tensor([[0, 1, 2], [3, 0, 1]])
TWO = Trajectories(
    row=torch.tensor([1, 0]),
    feature=torch.tensor([[2, 0], [0, 0]]),
    code=torch.tensor([[5, 4], [0, 0]]),
    length=torch.tensor([2, 0]),
)


@settings(deadline=None)
@given(st.integers(0, 2), st.integers(0, 5))
def test_undoing_an_edit_restores_the_state(feature: int, code: int) -> None:
    before = unedited(FACTUAL, torch.tensor([0, 1]))
    at = torch.full((2,), feature)
    after = apply_edit(before, at, torch.full((2,), code))
    restored = undo_edit(after, at, FACTUAL)
    assert torch.equal(restored.codes, before.codes)
    assert torch.equal(restored.edited, before.edited)
    assert after.edited[:, feature].all()
    assert not before.edited.any()


def test_states_of_a_trajectory_are_the_factual_and_one_more_after_each_edit() -> None:
    states = visited_states(TWO, FACTUAL)
    assert states.row.tolist() == [1, 1, 1, 0]
    assert states.codes.tolist() == [[3, 0, 1], [3, 0, 5], [4, 0, 5], [0, 1, 2]]
    assert states.edited.sum(dim=1).tolist() == [0, 1, 2, 0]


def test_final_states_are_the_last_visited_ones() -> None:
    final, passed = final_states(TWO, FACTUAL), visited_states(TWO, FACTUAL)
    last = torch.tensor([2, 3])
    assert torch.equal(final.codes, passed.codes[last])
    assert torch.equal(final.edited, passed.edited[last])
