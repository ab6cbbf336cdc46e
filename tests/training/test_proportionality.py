"""The claim everything rests on: after training, states are sampled in proportion to their reward."""

import time

import pytest
import torch

from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.flow import balance
from counterflownet.flow.context import Questions
from counterflownet.flow.enumeration import enumerate_states, terminal_log_probs, total_variation
from counterflownet.training.batches import Batch
from counterflownet.training.loop import TrainingRun
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import StateRewards, Trainer
from made_trainer import made_model

SPACE = CodeSpace((4, 4, 4, 4, 4))  # 4^5 = 1,024 states
ROWS = 128


def log_reward(codes: torch.Tensor) -> torch.Tensor:
    """A rugged reward: every pair of features matters."""
    generator = torch.Generator().manual_seed(0)
    flat = torch.nn.functional.one_hot(codes, 4).flatten(1).float()
    single = 2 * torch.randn(20, generator=generator)
    pairs = torch.randn(20, 20, generator=generator) / 2
    return flat @ single + ((flat @ pairs) * flat).sum(dim=1)


def judge(_batch, states) -> StateRewards:
    logs = log_reward(states.codes)
    return StateRewards(logs, logs.sigmoid(), logs > 0)


def questions(count: int) -> Questions:
    factual = torch.zeros(count, SPACE.feature_count, dtype=torch.int64)
    return Questions(factual, torch.ones(count, dtype=torch.int64), everything_allowed(SPACE, factual))


def distance_after_training(objective: str) -> float:
    settings = TrainingSettings(
        objective=objective, steps=400, batch_rows=ROWS, width=64, learning_rate=5e-3, patience=None
    )
    model = made_model(SPACE, 2, settings, seed=0)
    batch = Batch(questions(ROWS), torch.zeros(ROWS, dtype=torch.int64))
    trainer = Trainer(model, judge, settings.balance())
    TrainingRun(trainer, lambda _step: batch, settings, seed=0).run(progress=False)
    question = questions(1)
    enumeration = enumerate_states(SPACE, question)
    assert len(enumeration.states) == 1_024
    exact = terminal_log_probs(model.policy, question, enumeration)
    wanted = log_reward(enumeration.states.codes).softmax(dim=0)
    return total_variation(exact.exp().numpy(), wanted.numpy())


@pytest.mark.parametrize("objective", ["trajectory", "detailed", "subtrajectory", "stateflow"])
def test_every_objective_reaches_the_exact_distribution_within_a_minute(objective: str) -> None:
    begun = time.process_time()
    distance = distance_after_training(objective)
    print(f"{objective}: total variation {distance:.4f} after {time.process_time() - begun:.0f} s of CPU")  # noqa: T201
    assert distance < 0.05


def test_a_wrong_backward_policy_leads_elsewhere(monkeypatch) -> None:
    monkeypatch.setattr(balance, "uniform_log_backward", lambda length, steps: torch.zeros(len(length), steps))
    assert distance_after_training("detailed") > 0.2
