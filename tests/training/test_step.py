"""One step: which states are judged, what is reported, and what the loss says."""

from typing import get_args

import numpy as np
import pytest
import torch

from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.flow import objectives as flow_objectives
from counterflownet.flow.context import Questions
from counterflownet.flow.policy import Policy
from counterflownet.training.batches import Batch
from counterflownet.training.settings import ObjectiveName, TrainingSettings
from counterflownet.training.step import StateRewards, Trainer
from made_trainer import made_model, made_trainer

OBJECTIVES = ["trajectory", "detailed", "subtrajectory", "stateflow"]
KEYS = np.arange(16, dtype=np.uint64)


def stepped(trainer: Trainer, batch: Batch, keys, exploration: float):
    """What the first step sees and learns from."""
    seen = trainer.collect(batch, keys, exploration)
    trainer.begin(seen)
    return trainer.loss(seen)


@pytest.fixture
def trainer(space, judge):
    def made(objective: str = "detailed", judge=judge, **options) -> Trainer:
        settings = TrainingSettings(objective=objective, width=16, **options)
        return made_trainer(space, 3, settings, judge, seed=0)

    return made


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_reward_validity_and_changes_are_those_of_where_trajectories_end(trainer, batches, objective) -> None:
    result = stepped(trainer(objective), batches()(0), KEYS, 0.5)
    assert 0 < result.changes <= 3
    assert result.reward == pytest.approx(result.changes / 3)  # the judge's reward is the share of changed features
    assert 0 < result.validity < 1


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_loss_can_be_descended_on(trainer, batches, objective) -> None:
    made = trainer(objective)
    stepped(made, batches()(0), KEYS, 0.1).loss.backward()
    slopes = {name: weight.grad for name, weight in made.model.named_parameters() if weight.grad is not None}
    assert all(slope.isfinite().all() for slope in slopes.values())
    assert all(slopes[f"policy.{name}.weight"].any() for name in ("trunk", "action_head", "context.targets"))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_same_keys_give_the_same_step(trainer, batches, objective) -> None:
    one, again, other = (
        stepped(trainer(objective), batches()(0), keys, 0.1) for keys in (KEYS, KEYS, KEYS + np.uint64(99))
    )
    assert torch.equal(one.loss, again.loss)
    assert not torch.equal(one.loss, other.loss)


def test_trajectory_balance_judges_ends_and_the_others_every_state(trainer, batches, judge) -> None:
    counts = {}
    for objective in OBJECTIVES:

        def counting(batch, states, objective=objective) -> StateRewards:
            counts[objective] = (len(states), int(states.edited.any(dim=1).logical_not().sum()))
            return judge(batch, states)

        stepped(trainer(objective, counting), batches()(0), KEYS, 0.5)
    assert counts["trajectory"][0] == 16
    assert counts["detailed"] == counts["subtrajectory"] == counts["stateflow"]
    assert counts["detailed"][0] > 16
    assert counts["detailed"][1] == 16  # every trajectory begins at its factual


def test_the_log_flow_begins_where_the_mean_residual_is_zero(trainer, batches, judge) -> None:
    far = trainer("trajectory", lambda batch, states: shifted(judge(batch, states), 100.0), huber=1000.0)
    first = stepped(far, batches()(0), KEYS, 0.1)
    assert first.residual < 10
    assert far.model.log_flow.shift > 80


def shifted(judged: StateRewards, by: float) -> StateRewards:
    return StateRewards(judged.log_reward + by, judged.reward, judged.valid)


def test_learned_flows_begin_at_the_highest_reward(trainer, batches, judge) -> None:
    made = trainer("stateflow")
    assert made.model.policy.flow_head.bias == 0
    seen = made.collect(batches()(0), KEYS, 0.1)
    made.begin(seen)
    assert made.model.policy.flow_head.bias == seen.passage.log_reward.max()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_an_objective_begins_with_is_set_once_in_a_run(training, objective, monkeypatch) -> None:
    run, begun = training(objective=objective, steps=3), []
    monkeypatch.setattr(Trainer, "begin", lambda self, seen: begun.append(seen))
    run.run(progress=False)
    assert len(begun) == 1


def test_heads_that_an_objective_does_not_use_are_not_computed(trainer, batches, monkeypatch) -> None:
    asked = []
    onward = Policy.log_onward
    monkeypatch.setattr(Policy, "log_onward", lambda self, hidden: asked.append(1) or onward(self, hidden))
    counts = {}
    for objective in OBJECTIVES:
        asked.clear()
        stepped(trainer(objective), batches()(0), KEYS, 0.1)
        counts[objective] = len(asked)
    assert counts == {"trajectory": 0, "detailed": 0, "subtrajectory": 0, "stateflow": 1}


def test_the_names_of_objectives_are_those_that_a_type_checker_knows() -> None:
    assert get_args(ObjectiveName) == tuple(flow_objectives.OBJECTIVES)


@pytest.mark.parametrize("objective", OBJECTIVES[1:])
def test_a_constant_factor_of_the_reward_changes_nothing_without_a_log_flow_network(
    trainer, batches, judge, objective
) -> None:
    plain = stepped(trainer(objective), batches()(0), KEYS, 0.1)
    far = stepped(
        trainer(objective, lambda batch, states: shifted(judge(batch, states), 50.0)), batches()(0), KEYS, 0.1
    )
    assert far.loss.item() == pytest.approx(plain.loss.item(), rel=1e-4)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_rows_in_which_nothing_can_change_are_no_failure(judge, objective) -> None:
    lonely = CodeSpace((1, 1))
    factual = torch.zeros(16, 2, dtype=torch.int64)
    questions = Questions(factual, torch.ones(16, dtype=torch.int64), everything_allowed(lonely, factual))
    settings = TrainingSettings(objective=objective, width=8)
    made = made_trainer(lonely, 2, settings, judge, seed=0)
    result = stepped(made, Batch(questions, torch.arange(16)), KEYS, 0.1)
    assert result.changes == 0
    assert torch.isfinite(result.loss)


def test_only_trajectory_balance_has_a_log_flow_network(space) -> None:
    models = {name: made_model(space, 3, TrainingSettings(objective=name, width=8), seed=0) for name in OBJECTIVES}
    assert [name for name, model in models.items() if model.log_flow is not None] == ["trajectory"]


def test_a_model_depends_on_its_seed_alone(space) -> None:
    def weights(seed: int) -> torch.Tensor:
        return made_model(space, 3, TrainingSettings(width=8), seed).policy.trunk.weight

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_making_a_model_leaves_the_random_state_alone(space) -> None:
    before = torch.get_rng_state()
    made_model(space, 3, TrainingSettings(width=8), seed=0)
    assert torch.equal(before, torch.get_rng_state())
