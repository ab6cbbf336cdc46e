"""Each objective's loss, by hand from the residuals it reports: no edit counts more or less than it should."""

import pytest
import torch
from torch.nn.functional import huber_loss

from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories, final_states, visited_states
from counterflownet.flow.model import FlowModel
from counterflownet.flow.objectives import OBJECTIVES, Passage

SPACE = CodeSpace((3, 4, 2))
FACTUAL = torch.tensor([[0, 0, 0]])
QUESTIONS = Questions(FACTUAL, torch.tensor([1]), everything_allowed(SPACE, FACTUAL))
ONE = Trajectories(torch.tensor([0]), torch.tensor([[1]]), torch.tensor([[2]]), torch.tensor([1]))
TWO = Trajectories(torch.tensor([0]), torch.tensor([[1, 0]]), torch.tensor([[2, 1]]), torch.tensor([2]))
BOTH = Trajectories(
    torch.tensor([0, 0]), torch.tensor([[1, 0], [1, 0]]), torch.tensor([[2, 1], [2, 0]]), torch.tensor([2, 1])
)


def model(name: str) -> FlowModel:
    return FlowModel(SPACE, 2, width=16, seed=0, with_log_flow=OBJECTIVES[name].learns_log_flow)


def passage(trajectories: Trajectories, log_reward: list[float], *, every_state: bool = True) -> Passage:
    states = visited_states(trajectories, FACTUAL) if every_state else final_states(trajectories, FACTUAL)
    visited = visited_states(trajectories, FACTUAL)
    assert len(states) == len(log_reward)
    questions = QUESTIONS[trajectories.row]
    return Passage(questions, trajectories, visited, torch.tensor(log_reward))


def h(residual: torch.Tensor) -> torch.Tensor:
    return huber_loss(residual, torch.zeros_like(residual), reduction="none", delta=1.0)


def measured(name: str, seen: Passage) -> tuple[float, torch.Tensor]:
    found = OBJECTIVES[name]().imbalance(model(name), seen)
    return found.loss.item(), found.residual.detach()


def test_an_edit_that_is_alone_counts_whole() -> None:
    for name in ("detailed", "subtrajectory"):
        loss, residual = measured(name, passage(ONE, [0.0, 3.0]))
        assert residual.shape == (1,)
        assert loss == pytest.approx(h(residual).item(), rel=1e-5)


def test_detailed_balance_is_the_mean_over_edits() -> None:
    loss, residual = measured("detailed", passage(BOTH, [0.0, 3.0, 5.0, 0.0, 3.0]))
    assert residual.shape == (3,)
    assert loss == pytest.approx(h(residual).mean().item(), rel=1e-5)


def test_subtrajectory_balance_is_the_mean_over_stretches_the_longer_ones_with_less_weight() -> None:
    loss, (first, second) = measured("subtrajectory", passage(TWO, [0.0, 3.0, 5.0]))
    wanted = (h(first) + h(second) + 0.9 * h(first + second)) / 2.9
    assert loss == pytest.approx(wanted.item(), rel=1e-5)


def test_learned_flows_balance_every_stretch_to_the_last_stop_and_every_stop() -> None:
    loss, (edit, early, last) = measured("stateflow", passage(ONE, [0.0, 3.0]))
    stretches = (h(edit) + h(last) + 0.9 * h(edit + last)) / 2.9
    assert loss == pytest.approx((stretches + (h(early) + h(last)) / 2).item(), rel=1e-5)


def test_trajectory_balance_is_the_mean_over_trajectories_and_begins_at_a_mean_of_zero() -> None:
    seen = passage(BOTH, [5.0, 3.0], every_state=False)
    loss, residual = measured("trajectory", seen)
    assert residual.shape == (2,)
    assert loss == pytest.approx(h(residual).mean().item(), rel=1e-5)
    begun, objective = model("trajectory"), OBJECTIVES["trajectory"]()
    objective.begin(begun, seen)
    assert objective.imbalance(begun, seen).residual.mean().item() == pytest.approx(0.0, abs=1e-5)


def test_learned_flows_begin_at_the_best_reward() -> None:
    begun = model("stateflow")
    OBJECTIVES["stateflow"]().begin(begun, passage(ONE, [0.0, 3.0]))
    assert begun.policy.flow_head.bias.item() == 3.0


def test_only_trajectory_balance_needs_a_log_flow_and_the_rewards_of_ends_alone() -> None:
    assert [name for name, kind in OBJECTIVES.items() if kind.learns_log_flow] == ["trajectory"]
    assert [name for name, kind in OBJECTIVES.items() if not kind.judges_every_state] == ["trajectory"]
