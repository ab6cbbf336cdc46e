import pytest
import torch

from counterflownet.flow.balance import (
    edit_residual,
    exit_flow,
    learned_flow,
    stop_residual,
    stretches_between,
    subtrajectory_residuals,
    trajectory_residual,
    with_last_stop,
)

TAKEN = torch.tensor([[True, True, False], [False, False, False]])
VISITED = torch.tensor([[True, True, True, False], [True, False, False, False]])
LOG_FORWARD = torch.tensor([[-0.5, -1.0, 0.0], [0.0, 0.0, 0.0]])
LOG_STOP = torch.tensor([[-2.0, -1.5, -0.25, 0.0], [-0.75, 0.0, 0.0, 0.0]])
LOG_BACKWARD = torch.tensor([[0.0, -0.7, 0.0], [0.0, 0.0, 0.0]])
LOG_FLOW = torch.tensor([[5.0, 4.5, 4.25, 0.0], [3.5, 0.0, 0.0, 0.0]])
LOG_REWARD = torch.tensor([[1.0, 2.0, 4.0, 0.0], [3.0, 0.0, 0.0, 0.0]])


def test_trajectory_balance_is_flow_and_forward_against_reward_and_backward() -> None:
    last = torch.tensor([2, 0])
    rows = torch.arange(2)
    residual = trajectory_residual(
        torch.tensor([5.0, 6.0]), LOG_FORWARD, LOG_STOP[rows, last], LOG_BACKWARD, LOG_REWARD[rows, last]
    )
    assert residual.tolist() == pytest.approx([5 - 1.5 - 0.25 - 4 + 0.7, 6 - 0.75 - 3])


def test_detailed_balance_compares_the_exit_flows_before_and_after_each_edit() -> None:
    residual = edit_residual(exit_flow(LOG_REWARD, LOG_STOP), LOG_FORWARD, LOG_BACKWARD, TAKEN)
    first = (1 + 2) - 0.5 - (2 + 1.5) - 0
    second = (2 + 1.5) - 1 - (4 + 0.25) + 0.7
    assert residual[0].tolist() == pytest.approx([first, second, 0.0])
    assert residual[1].tolist() == [0.0, 0.0, 0.0]


def test_detailed_residuals_of_a_whole_trajectory_sum_to_trajectory_balance_with_the_exit_flow() -> None:
    flow = exit_flow(LOG_REWARD, LOG_STOP)
    detailed = edit_residual(flow, LOG_FORWARD, LOG_BACKWARD, TAKEN)
    whole = trajectory_residual(flow[:1, 0], LOG_FORWARD[:1], LOG_STOP[:1, 2], LOG_BACKWARD[:1], LOG_REWARD[:1, 2])
    assert detailed[0].sum().item() == pytest.approx(whole.item())


def test_with_learned_flows_edits_and_the_last_stop_sum_to_trajectory_balance() -> None:
    edits = edit_residual(LOG_FLOW, LOG_FORWARD, LOG_BACKWARD, TAKEN)
    stops = stop_residual(LOG_FLOW, LOG_STOP, LOG_REWARD, VISITED)
    length = TAKEN.sum(dim=1)
    last = length[:, None]
    whole = trajectory_residual(
        LOG_FLOW[:, 0],
        LOG_FORWARD,
        LOG_STOP.gather(1, last).squeeze(1),
        LOG_BACKWARD,
        LOG_REWARD.gather(1, last).squeeze(1),
    )
    assert with_last_stop(edits, stops, length).sum(dim=1).tolist() == pytest.approx(whole.tolist())


def test_a_learned_flow_is_what_stops_and_what_goes_on() -> None:
    flow = learned_flow(torch.tensor([[1.0, 2.0]]).log(), torch.tensor([[3.0, 4.0]]).log(), torch.tensor([[-1.0, 0.0]]))
    assert flow.exp()[0].tolist() == pytest.approx([4.0, 2.0])  # nothing goes on where STOP is certain


def test_stopping_is_compared_with_the_reward_in_every_visited_state_and_nowhere_else() -> None:
    residual = stop_residual(LOG_FLOW, LOG_STOP, LOG_REWARD, VISITED)
    assert residual[0].tolist() == pytest.approx([5 - 2 - 1, 4.5 - 1.5 - 2, 4.25 - 0.25 - 4, 0.0])
    assert residual[1].tolist() == pytest.approx([3.5 - 0.75 - 3, 0.0, 0.0, 0.0])


def test_every_stretch_of_a_trajectory_counts_once_with_falling_weight() -> None:
    detailed = torch.tensor([[1.0, 10.0, 0.0]])
    residuals, weights = subtrajectory_residuals(detailed, TAKEN[:1], decay=0.5)
    counted = {(r, w) for r, w in zip(residuals[0].tolist(), weights[0].tolist(), strict=True) if w > 0}
    assert counted == {(1.0, 1.0), (10.0, 1.0), (11.0, 0.5)}


def test_padding_changes_no_stretch() -> None:
    detailed = torch.tensor([[1.0, 10.0]])
    short, short_weights = subtrajectory_residuals(detailed, TAKEN[:1, :2], decay=0.5)
    padded = torch.nn.functional.pad(detailed, (0, 1))
    long, long_weights = subtrajectory_residuals(padded, TAKEN[:1], decay=0.5)
    assert (short_weights * short.abs()).sum() == (long_weights * long.abs()).sum()
    assert short_weights.sum() == long_weights.sum()


def test_where_all_flows_are_known_the_nearest_stretches_are_the_edits():
    draw = torch.Generator().manual_seed(0)
    flow, forward = torch.randn(3, 4, generator=draw), torch.randn(3, 3, generator=draw)
    backward, taken = torch.randn(3, 3, generator=draw), torch.ones(3, 3, dtype=torch.bool)
    stretches = stretches_between(flow, forward, backward, torch.ones(3, 4, dtype=torch.bool))
    single = edit_residual(flow, forward, backward, taken)
    assert torch.allclose(
        stretches.residual[stretches.nearest].sort().values, single.flatten().sort().values, atol=1e-6
    )
    assert stretches.known.all()


def test_a_state_of_unknown_flow_is_passed_over():
    flow = torch.tensor([[1.0, torch.inf, 2.0]])
    forward, backward = torch.tensor([[-0.5, -0.25]]), torch.tensor([[0.0, -0.5]])
    stretches = stretches_between(flow, forward, backward, torch.tensor([[True, False, True]]))
    assert stretches.residual[stretches.nearest].tolist() == [1.0 - 0.75 + 0.5 - 2.0]
    assert stretches.known.sum() == 1
