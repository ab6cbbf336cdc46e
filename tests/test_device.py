"""Where the flow computes. Machines of the tests have no graphics card, so the law behind it is tested.

The law: on the way nothing is created on the default device. The tests make that the device "meta", whose tensors
cannot be mixed with others; whatever would have been created there fails at once.
"""

import pytest
import torch

from counterflownet._device import CPU, chosen_device, on_device
from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.errors import InvalidInputError
from counterflownet.flow.context import Context, Questions
from counterflownet.flow.enumeration import enumerate_states, terminal_log_probs
from counterflownet.flow.importance import log_probabilities
from counterflownet.flow.policy import Policy
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys, sample_keys
from counterflownet.training.batches import Batch
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import StateRewards
from made_trainer import made_trainer

SPACE = CodeSpace((3, 30, 5, 2))


@pytest.fixture
def questions() -> Questions:
    factual = torch.tensor([[0, 1, 2, 0], [2, 0, 4, 1]])
    return Questions(factual, torch.tensor([0, 1]), everything_allowed(SPACE, factual), torch.zeros(2, 4))


def judge(_batch, states) -> StateRewards:
    share = states.edited.float().mean(dim=1)
    return StateRewards(4 * share, share, share > 0.5)


@pytest.mark.parametrize("samples", [2, 1000])  # few and many: the heads are computed otherwise
def test_drawing_and_weighing_create_nothing_on_the_default_device(questions, samples) -> None:
    policy = Policy(SPACE, Context(SPACE, 2, 16), 16)
    keys = sample_keys(row_keys(questions.factual.numpy(), seed=0), samples)
    row = torch.arange(2).repeat_interleave(samples)
    with torch.device("meta"):
        drawn = rollout(policy, questions, keys, row=row, epsilon=0.1)
        logs = log_probabilities(policy, questions, drawn)
    assert drawn.length.device == logs.device == CPU
    assert logs.isfinite().all()


@pytest.mark.parametrize("objective", ["trajectory", "detailed", "subtrajectory", "stateflow"])
def test_a_training_step_creates_nothing_on_the_default_device(questions, objective) -> None:
    settings = TrainingSettings(objective=objective, width=16)
    trainer = made_trainer(SPACE, 2, settings, judge, seed=0)
    keys = row_keys(questions.factual.numpy(), seed=0)
    with torch.device("meta"):
        seen = trainer.collect(Batch(questions, row_of(questions)), keys, 0.5)
        trainer.begin(seen)
        trainer.loss(seen).loss.backward()
    assert trainer.model.policy.trunk.weight.grad.isfinite().all()


def row_of(questions: Questions) -> torch.Tensor:
    return torch.arange(len(questions), device=CPU)


def test_states_are_counted_wherever_the_policy_is(questions) -> None:
    question = questions[torch.tensor([0])]
    policy = Policy(SPACE, Context(SPACE, 2, 16), 16)
    logs = terminal_log_probs(policy, question, enumerate_states(SPACE, question))
    assert logs.exp().sum().item() == pytest.approx(1.0, abs=1e-5)


def test_every_tensor_inside_is_moved(questions) -> None:
    moved = on_device(questions, torch.device("meta"))
    tensors = [moved.factual, moved.target, moved.offset]
    tensors += [moved.allowed.codes, moved.allowed.required, moved.allowed.most_changes]
    assert {tensor.device.type for tensor in tensors} == {"meta"}
    assert on_device("a word", CPU) == "a word"


def test_auto_is_a_graphics_card_only_if_there_is_one(monkeypatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert chosen_device("auto") == CPU == chosen_device("cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert chosen_device("auto").type == "cuda"


@pytest.mark.parametrize("name", ["gpu", "cuda:99", "meta", 7.5, None])
def test_a_device_that_is_not_there_is_named_with_what_to_do(name) -> None:
    with pytest.raises(InvalidInputError, match="device must be"):
        chosen_device(name)
