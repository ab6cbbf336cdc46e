"""What is known of edits before anyone is asked, and how the policy takes it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from counterflownet._preferences import Preferences
from counterflownet._space import CodeSpace, everything_allowed
from counterflownet._states import States
from counterflownet.flow import code_draw, policy
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import final_states
from counterflownet.flow.enumeration import enumerate_states, terminal_log_probs
from counterflownet.flow.importance import log_probabilities, ordered_randomly
from counterflownet.flow.known import Known, Reach
from counterflownet.flow.model import FlowModel
from counterflownet.flow.rollout import rollout

SPACE = CodeSpace((3, 2))
FACTUAL = torch.tensor([[0, 1]])
DISTANCE = torch.tensor([[0.0, 0.5, 1.0, 2.0, 0.0]])


def preferences(near: float = 0.4, few: float = 0.2, beta: float = 20.0, cost: float = 1.0) -> Preferences:
    weights = torch.tensor([[1.0, near, few]], dtype=torch.float64)
    costs = torch.tensor([[1.0, cost]], dtype=torch.float64)
    return Preferences(("validity", "proximity", "sparsity"), weights, torch.tensor([beta]).double(), costs)


STANDARD = preferences()


def questions(asked: Preferences | None, *, reach: bool = True) -> Questions:
    known = Reach(DISTANCE, torch.ones(1, 2)) if reach else None
    told = None if asked is None else asked.single()
    return Questions(FACTUAL, torch.tensor([1]), everything_allowed(SPACE, FACTUAL), None, told, known)


def model(*, informed: bool = True) -> FlowModel:
    return FlowModel(SPACE, 2, width=8, seed=0, standard=STANDARD, informed=informed)


def known(asked: Preferences, counted: tuple[float, float] = (1.0, 1.0)) -> Known:
    return Known.of(
        SPACE, Reach(DISTANCE, torch.tensor([counted])), asked.single(), everything_allowed(SPACE, FACTUAL).codes
    )


def unlearned(flow: FlowModel) -> FlowModel:
    """The same with logits that are what is known and nothing else."""
    with torch.no_grad():
        for head in (flow.policy.action_head.weight, flow.policy.action_head.bias):
            head.zero_()
        for table in (flow.policy.code_head.rows, flow.policy.code_head.curves):
            table.zero_()
    return flow


@pytest.mark.parametrize("cost", [0.0, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("near", [0.0, 0.4, 1.0])
def test_one_edit_loses_what_the_reward_loses(cost, near) -> None:
    """The code, the feature that has no other code, and STOP: exactly beta times the weighted terms."""
    lost = known(preferences(near=near, cost=cost, few=0.0))
    torch.testing.assert_close(lost.codes, -20.0 * near * torch.tensor([[0.0, 0.5, 1.0, 2.0 * cost, 0.0]]))
    actions = lost.actions(torch.tensor([0]), torch.tensor([[False, False]]))
    assert actions[0, 1].item() == pytest.approx(-20.0 * near * 2.0 * cost)
    assert actions[0, 2] == 0.0


def test_the_first_change_is_spared_and_others_pay_their_cost() -> None:
    lost = known(preferences(near=0.0, few=0.5, cost=3.0))
    untouched = lost.actions(torch.tensor([0]), torch.tensor([[False, False]]))
    after_first = lost.actions(torch.tensor([0]), torch.tensor([[True, False]]))
    one_code, two_codes = 0.0, torch.tensor(2.0).log().item()
    assert untouched[0].tolist() == pytest.approx([two_codes, one_code - 0.5 * 20 * 2, 0.0])
    assert after_first[0, 1].item() == pytest.approx(-0.5 * 20 * 3)


def test_changes_that_do_not_count_cost_nothing() -> None:
    lost = known(preferences(near=0.0, few=1.0), counted=(1.0, 0.0))
    assert lost.actions(torch.tensor([0]), torch.tensor([[True, False]]))[0, 1] == 0.0


def test_a_feature_without_an_allowed_code_is_no_reason_for_a_number_that_is_none() -> None:
    asked, allowed = STANDARD.single(), torch.zeros(1, 5, dtype=torch.bool)
    lost = Known.of(SPACE, Reach(DISTANCE, torch.ones(1, 2)), asked, allowed)
    assert lost.actions(torch.tensor([0]), torch.tensor([[False, False]])).isfinite().all()


def test_where_distance_is_all_that_counts_the_flow_knows_the_proportions_before_it_learns() -> None:
    """One change at most: what is known is all there is to know."""
    asked = preferences(near=0.1, few=0.3)
    question = questions(asked)
    question = replace(question, allowed=replace(question.allowed, most_changes=torch.tensor([1])))
    enumeration = enumerate_states(SPACE, question)
    reached = terminal_log_probs(unlearned(model()).policy, question, enumeration)
    moved = [0.0, *(DISTANCE[0, place].item() for place in (1, 2, 3))]
    wanted = torch.tensor([-20.0 * 0.1 * distance for distance in moved]).softmax(0)
    torch.testing.assert_close(reached.exp().sort().values, wanted.sort().values)


def test_no_preference_knows_what_the_standard_does() -> None:
    policy = model().policy
    one, other = policy.asked(questions(None)).known, policy.asked(questions(STANDARD)).known
    assert one is not None
    assert other is not None
    torch.testing.assert_close(one.codes, other.codes)
    torch.testing.assert_close(one.spared, other.spared)


@pytest.mark.parametrize("policy", [model(informed=False).policy, FlowModel(SPACE, 2, width=8, seed=0).policy])
def test_flows_of_files_of_before_are_told_nothing(policy) -> None:
    assert not policy.informed
    assert policy.asked(questions(preferences(near=0.9))).known is None


def test_nothing_is_known_where_no_distances_are_given() -> None:
    assert model().policy.asked(questions(STANDARD, reach=False)).known is None


def test_questions_keep_what_is_known_of_their_rows() -> None:
    both = Reach(torch.cat([DISTANCE, 2 * DISTANCE]), torch.ones(2, 2))
    assert torch.equal(both[torch.tensor([1])].distance, 2 * DISTANCE)
    chosen = questions(STANDARD)[torch.tensor([0, 0])]
    assert chosen.reach is not None
    assert len(chosen.reach.distance) == 2


def test_states_of_one_row_have_actions_of_their_own() -> None:
    lost = known(STANDARD)
    states = States(torch.tensor([0, 0]), FACTUAL.repeat(2, 1), torch.tensor([[False, False], [True, False]]))
    actions = lost.actions(states.row, states.edited)
    assert actions[0, 1] > actions[1, 1]


@pytest.fixture(params=["one product", "feature by feature"])
def computed(request, monkeypatch) -> None:
    """Both ways in which logits of codes are computed."""
    if request.param == "feature by feature":
        for module, name in ((policy, "FEW_CODES"), (policy, "FEW_LOGITS"), (code_draw, "FEW_DRAWS")):
            monkeypatch.setattr(module, name, 0)


MILD = preferences(near=0.05, few=0.03, cost=2.0)


@pytest.mark.usefixtures("computed")
def test_trajectories_are_as_probable_as_enumeration_says() -> None:
    flow, question = model().policy, questions(MILD)
    enumeration = enumerate_states(SPACE, question)
    single = (enumeration.states.edited.sum(dim=1) == 1).nonzero().squeeze(1)
    one_way = ordered_randomly(enumeration.states[single], np.arange(len(single), dtype=np.uint64))
    exact = terminal_log_probs(flow, question, enumeration)
    assert exact.exp().sum().item() == pytest.approx(1.0, abs=1e-5)
    torch.testing.assert_close(log_probabilities(flow, question, one_way), exact[single])


@pytest.mark.usefixtures("computed")
def test_trajectories_are_drawn_as_often_as_enumeration_says() -> None:
    flow, question, count = model().policy, questions(MILD), 20_000
    enumeration = enumerate_states(SPACE, question)
    drawn = rollout(flow, question, np.arange(count, dtype=np.uint64), row=torch.zeros(count, dtype=torch.int64))
    ends = final_states(drawn, FACTUAL)
    same = (ends.codes[:, None] == enumeration.states.codes).all(dim=2)
    wanted = terminal_log_probs(flow, question, enumeration).exp()
    torch.testing.assert_close(same.float().mean(dim=0), wanted, atol=0.015, rtol=0.0)
