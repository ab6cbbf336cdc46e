import torch

from counterflownet.flow.edits import Trajectories, final_states, visited_states

FACTUAL = torch.tensor([[0, 1, 2], [3, 0, 1]])
TWO = Trajectories(
    row=torch.tensor([1, 0]),
    feature=torch.tensor([[2, 0], [0, 0]]),
    code=torch.tensor([[5, 4], [0, 0]]),
    length=torch.tensor([2, 0]),
)


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
