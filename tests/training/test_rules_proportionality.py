"""Under rules, too, states are sampled in proportion to their reward: over what may stop."""

import pandas as pd
import pytest
import torch

from counterflownet import IfThen, LessEqual, MaxChanges, Rises, RisesBy, Schema
from counterflownet.flow.context import Questions
from counterflownet.flow.enumeration import enumerate_states, terminal_log_probs, total_variation
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.prepared import compiled, prepared
from counterflownet.training.batches import Batch
from counterflownet.training.loop import TrainingRun
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import StateRewards, Trainer
from made_trainer import made_model

TABLE = pd.DataFrame({name: [0, 1, 2, 3] for name in "abcd"})
SCHEMA = Schema.infer(TABLE)
RULES = [LessEqual("a", "b"), IfThen(Rises("c"), RisesBy("d", at_least=2)), MaxChanges(3)]
ROWS = 96


def log_reward(codes):
    generator = torch.Generator().manual_seed(1)
    flat = torch.nn.functional.one_hot(codes, 4).flatten(1).float()
    pairs = torch.randn(16, 16, generator=generator) / 2
    return flat @ torch.randn(16, generator=generator) + ((flat @ pairs) * flat).sum(dim=1)


def judge(_batch, states):
    logs = log_reward(states.codes)
    return StateRewards(logs, logs.sigmoid(), logs > 0)


def questions(constraints, count):
    checked = CheckedConstraints.of(SCHEMA, constraints)
    codec = prepared(checked, SCHEMA, TABLE.iloc[[1] * count]).codec
    factual = torch.from_numpy(codec.codes)
    return Questions(factual, torch.ones(count, dtype=torch.int64), compiled(checked, codec).allowed)


def distance_after_training(constraints, objective="trajectory"):
    settings = TrainingSettings(
        objective=objective, steps=120, batch_rows=ROWS, width=64, learning_rate=5e-3, patience=None
    )
    model = made_model(SCHEMA.space, 2, settings, seed=0)
    batch = Batch(questions(constraints, ROWS), torch.zeros(ROWS, dtype=torch.int64))
    TrainingRun(Trainer(model, judge, settings.balance()), lambda _step: batch, settings, seed=0).run(progress=False)
    question = questions(constraints, 1)
    enumeration = enumerate_states(SCHEMA.space, question)
    exact = terminal_log_probs(model.policy, question, enumeration).exp()
    logs = log_reward(enumeration.states.codes)
    if question.allowed.joint is not None:
        logs[~question.allowed.joint.moves(question.allowed, enumeration.states).stop] = -torch.inf
    return total_variation(exact.numpy(), logs.softmax(dim=0).numpy())


@pytest.mark.parametrize("objective", ["trajectory", "detailed", "subtrajectory", "stateflow"])
def test_sampling_under_rules_is_nearly_proportional(objective):
    assert distance_after_training(RULES, objective) < 0.05


def test_probabilities_of_all_states_that_may_stop_sum_to_one():
    question = questions(RULES, 1)
    enumeration = enumerate_states(SCHEMA.space, question)
    settings = TrainingSettings(objective="trajectory", width=16)
    exact = terminal_log_probs(made_model(SCHEMA.space, 2, settings, seed=3).policy, question, enumeration).exp()
    stop = question.allowed.joint.moves(question.allowed, enumeration.states).stop
    assert float(exact[stop].sum()) == torch.tensor(1.0).item() or abs(float(exact.sum()) - 1) < 1e-5
    assert float(exact[~stop].sum()) == 0.0
    assert not stop.all()
