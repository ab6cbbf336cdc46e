"""Preferences as the flow reads them."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from counterflownet._preferences import Preferences
from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.flow.context import Questions
from counterflownet.flow.model import FlowModel
from counterflownet.flow.preference_code import WAVES, PreferenceCode

SPACE = CodeSpace((3, 2))
STANDARD = Preferences(
    ("validity", "proximity", "sparsity"),
    torch.tensor([[1.0, 0.4, 0.2]], dtype=torch.float64),
    torch.tensor([20.0], dtype=torch.float64),
    torch.ones(1, 2, dtype=torch.float64),
)


def other(weight: float = 0.4, cost: float = 1.0, beta: float = 20.0) -> Preferences:
    weights, costs = STANDARD.weights.clone(), STANDARD.costs.clone()
    weights[0, 1], costs[0, 1] = weight, cost
    return replace(STANDARD, weights=weights, costs=costs, beta=torch.tensor([beta], dtype=torch.float64))


def questions(preferences: Preferences | None) -> Questions:
    factual = torch.tensor([[0, 1]])
    return Questions(factual, torch.tensor([1]), everything_allowed(SPACE, factual), None, preferences)


def model(standard: Preferences | None = STANDARD) -> FlowModel:
    return FlowModel(SPACE, 2, width=8, seed=0, standard=standard)


def test_the_standard_is_zero():
    assert PreferenceCode(STANDARD)(STANDARD).abs().max() == 0.0


@given(st.floats(0.0, 0.98), st.floats(0.0, 15.5), st.floats(5.0, 78.0))
def test_small_differences_show(weight, cost, beta):
    code = PreferenceCode(STANDARD)
    now = code(other(weight, cost, beta))
    for changed in (other(weight + 0.02, cost, beta), other(weight, cost + 0.5, beta), other(weight, cost, beta + 2.0)):
        assert (code(changed) - now).abs().max() > 1e-3


def test_the_farthest_temperatures_are_the_ends_of_the_curves():
    code = PreferenceCode(STANDARD)
    place, *cosines = (code(other(beta=80.0)) - code(other(beta=5.0)))[0, 3 * (WAVES + 1) : 4 * (WAVES + 1)].tolist()
    assert place == pytest.approx(1.0)
    assert cosines == pytest.approx([-2.0, 0.0, -2 / 3, 0.0, -2 / 5], abs=1e-6)


def test_exponents_themselves_end_the_code_of_a_flow_that_is_informed():
    asked = other(weight=0.8, beta=40.0)
    informed, first = (PreferenceCode(STANDARD, informed=told)(asked)[0] for told in (True, False))
    assert torch.equal(informed[:-3], first)
    assert informed[-3:].tolist() == pytest.approx([(2.0 - 1.0) / 2, (1.6 - 0.4) / 2, (0.4 - 0.2) / 2])


def test_a_model_for_preferences_begins_as_one_without_them():
    with_them, without = model(), model(None)
    for name, tensor in without.state_dict().items():
        assert torch.equal(tensor, with_them.state_dict()[name])
    asked = with_them.policy.asked(questions(other(weight=1.0))).context
    assert torch.equal(asked, without.policy.asked(questions(None)).context)


def test_no_preference_is_the_standard_whatever_was_learned():
    learned = model()
    with torch.no_grad():
        for parameter in learned.parameters():
            parameter.add_(0.1)
    policy = learned.policy
    assert torch.allclose(policy.asked(questions(STANDARD)).context, policy.asked(questions(None)).context)
    assert policy.asked(questions(None)).leaning is None
    leaning = policy.asked(questions(STANDARD)).leaning
    assert leaning is not None
    assert torch.equal(leaning.gates, torch.ones_like(leaning.gates))


@pytest.mark.parametrize("asked", [other(weight=0.9), other(cost=4.0), other(beta=40.0)])
def test_what_was_learned_of_preferences_changes_what_is_done(asked):
    policy = model().policy
    assert policy.lean is not None
    torch.nn.init.ones_(policy.lean.actions)
    torch.nn.init.ones_(policy.lean.gates)
    leaning = policy.asked(questions(asked)).leaning
    assert leaning is not None
    assert (leaning.gates - 1.0).abs().max() > 0.01
    assert leaning.actions.abs().max() > 0.01


def test_what_was_learned_of_intervals_changes_what_is_done():
    policy = FlowModel(SPACE, 0, width=8, seed=0).policy
    asked = replace(questions(None), target=torch.tensor([[0.6, 1.25, 0.2]]))
    hidden = torch.ones(1, 8)
    assert policy.lean_to_interval is not None
    at_first = policy.asked(asked).leaning
    assert torch.equal(policy.action_logits(hidden, at_first), policy.action_logits(hidden))
    torch.nn.init.eye_(policy.lean_to_interval.actions)
    leaning = policy.asked(asked).leaning
    assert leaning.actions.tolist() == policy.context.targets.code(asked.target)[:, :3].tolist()
    assert torch.equal(policy.action_logits(hidden, leaning), policy.action_logits(hidden) + leaning.actions)
