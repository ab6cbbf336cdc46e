"""Our trajectory balance against that of torchgfn, a public library of GFlowNets, on the same trajectories.

torchgfn is told the edits alone. States, masks, both policies' probabilities and the loss are its own work.
"""

import numpy as np
import pytest
import torch
from gfn.containers import Trajectories as TheirTrajectories
from gfn.env import DiscreteEnv
from gfn.gflownet import TBGFlowNet
from gfn.modules import DiscretePolicyEstimator
from gfn.utils.modules import DiscreteUniform

from counterflownet._space import Allowed, CodeSpace, everything_allowed
from counterflownet._states import States
from counterflownet.flow.balance import uniform_log_backward
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories, final_states
from counterflownet.flow.likelihood import likelihood
from counterflownet.flow.policy import Policy
from counterflownet.training.batches import Batch
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import Experience, StateRewards, Trainer
from made_trainer import made_model

SPACE = CodeSpace((3, 4, 2))
KEYS = np.arange(48, dtype=np.uint64)
SEEDS = [0, 1, 2]
LOG_FLOW_SHIFT = 1.5
UNTOUCHED, SUNK = -1, -2  # what torchgfn's states hold instead of a code

# A Huber loss that is never linear is half the square, and half of what torchgfn descends on.
SETTINGS = TrainingSettings(objective="trajectory", width=16, huber=1e6)


def free_question() -> Questions:
    """Any feature may change, or none."""
    factual = torch.tensor([[1, 3, 0]])
    return Questions(factual, torch.tensor([1]), everything_allowed(SPACE, factual))


def bound_question() -> Questions:
    """The second feature must change, at most two may, and some codes are forbidden."""
    free = free_question()
    codes = free.allowed.codes.clone()
    codes[0, [0, SPACE.starts[1] + 1]] = False
    allowed = Allowed(codes, torch.tensor([[False, True, False]]), torch.tensor([2]))
    return Questions(free.factual, free.target, allowed)


QUESTIONS = {"free": free_question, "bound": bound_question}


def log_reward(codes: torch.Tensor) -> torch.Tensor:
    """Some number for every row of codes, no two alike."""
    return (codes * torch.tensor([0.7, -1.1, 1.9])).sum(dim=-1).sin() * 3


def judge(_batch: Batch, states: States) -> StateRewards:
    worth = log_reward(states.codes)
    return StateRewards(worth, worth.exp(), worth > 0)


class EditEnv(DiscreteEnv):
    """The edits of one factual. A state holds the code each feature was given; an action gives one, the last exits."""

    def __init__(self, question: Questions) -> None:
        self.factual, self.allowed = question.factual[0], question.allowed
        counts = torch.tensor(SPACE.code_counts)
        self.feature_of = torch.arange(SPACE.feature_count).repeat_interleave(counts)
        self.code_of = torch.cat([torch.arange(count) for count in SPACE.code_counts])
        s0 = torch.full((SPACE.feature_count,), UNTOUCHED)
        super().__init__(SPACE.code_total + 1, s0, tuple(s0.shape), sf=torch.full_like(s0, SUNK))

    def update_masks(self, states) -> None:
        """An edit is legal if the features that must change still find room after it: not how our code says it."""
        edited = states.tensor != UNTOUCHED
        waiting = self.allowed.required[0] & ~edited
        left = self.allowed.most_changes - edited.sum(dim=-1, keepdim=True) - 1
        enough = left >= waiting.sum(dim=-1, keepdim=True) - waiting.long()
        states.forward_masks[..., :-1] = self.allowed.codes[0] & (enough & ~edited)[..., self.feature_of]
        states.forward_masks[..., -1] = ~waiting.any(dim=-1)
        states.backward_masks[...] = states.tensor[..., self.feature_of] == self.code_of

    def step(self, states, actions) -> torch.Tensor:
        return states.tensor.scatter(-1, self.feature_of[actions.tensor], self.code_of[actions.tensor])

    def backward_step(self, states, actions) -> torch.Tensor:
        return states.tensor.scatter(-1, self.feature_of[actions.tensor], UNTOUCHED)

    def log_reward(self, final_states) -> torch.Tensor:
        return log_reward(self.codes(final_states.tensor))

    def codes(self, given: torch.Tensor) -> torch.Tensor:
        return torch.where(given == UNTOUCHED, self.factual, given)


class FlatLogits(torch.nn.Module):
    """Our policy's two choices as one; which actions are legal, and the sum over all of them, is left to torchgfn."""

    def __init__(self, policy: Policy, question: Questions, env: EditEnv) -> None:
        super().__init__()
        self.policy, self.question, self.env = policy, question, env
        self.input_dim = SPACE.feature_count

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        given = given.long()
        states = States(torch.zeros(len(given), dtype=torch.int64), self.env.codes(given), given != UNTOUCHED)
        tables = self.policy.tables()
        hidden = self.policy.hidden(self.policy.first(tables, self.policy.asked(self.question).context, states))
        actions = self.policy.action_logits(hidden)
        logits = torch.full((len(given), SPACE.code_total), -torch.inf)
        for d in range(SPACE.feature_count):
            allowed = self.question.allowed.codes[0, SPACE.span(d)].nonzero().flatten()
            within = self.policy.code_logits(tables, hidden, d)[:, allowed].log_softmax(dim=1)
            logits[:, SPACE.starts[d] + allowed] = actions[:, [d]] + within
        return torch.cat([logits, actions[:, -1:]], dim=1)


def make_trainer(make_policy, seed: int) -> Trainer:
    model = made_model(SPACE, 2, SETTINGS, seed)
    model.policy = make_policy(SPACE, seed=seed, sharpness=2.0)
    model.log_flow.shift.fill_(LOG_FLOW_SHIFT)
    return Trainer(model, judge, SETTINGS.balance())


def explored(trainer: Trainer, question: Questions) -> Experience:
    """Many trajectories of one factual, so that one environment and one log Z of torchgfn serve them all."""
    row = torch.zeros(len(KEYS), dtype=torch.int64)
    return trainer.collect(Batch(question[row], row), KEYS, 0.5)


def theirs(trainer: Trainer, question: Questions, env: EditEnv) -> TBGFlowNet:
    """torchgfn's GFlowNet of our policy, our log Z and its own uniform backward policy."""
    forward = DiscretePolicyEstimator(FlatLogits(trainer.model.policy, question, env), env.n_actions, env.preprocessor)
    backward = DiscretePolicyEstimator(
        DiscreteUniform(env.n_actions - 1), env.n_actions, env.preprocessor, is_backward=True
    )
    return TBGFlowNet(forward, backward, logZ=trainer.model.log_flow(question).item())


def replayed(env: EditEnv, trajectories: Trajectories) -> TheirTrajectories:
    """The same edits, then an exit, made in torchgfn's environment, which refuses what its masks forbid."""
    count = len(trajectories.length)
    flat = torch.tensor(SPACE.starts)[trajectories.feature] + trajectories.code
    actions = torch.nn.functional.pad(torch.where(trajectories.taken, flat, env.dummy_action), (0, 1), value=-1)
    actions[torch.arange(count), trajectories.length] = env.exit_action
    steps = actions.T[..., None]
    states = [env.reset(count)]
    for step in steps:
        states.append(env._step(states[-1], env.actions_from_tensor(step)))
    seen = env.states_from_tensor(torch.stack([state.tensor for state in states]))
    done = trajectories.length + 1
    last = env.States(seen.tensor[done - 1, torch.arange(count)])
    return TheirTrajectories(env, seen, env.actions_from_tensor(steps), done, log_rewards=env.log_reward(last))


@pytest.fixture(params=SEEDS)
def seed(request) -> int:
    return request.param


@pytest.fixture(params=sorted(QUESTIONS))
def question(request) -> Questions:
    return QUESTIONS[request.param]()


def test_trajectories_of_all_lengths_are_compared(make_policy, seed) -> None:
    lengths = {
        name: set(explored(make_trainer(make_policy, seed), made()).passage.trajectories.length.tolist())
        for name, made in QUESTIONS.items()
    }
    assert lengths == {"free": {0, 1, 2, 3}, "bound": {1, 2}}


def test_the_same_edits_lead_to_the_same_ends(make_policy, question, seed) -> None:
    trajectories, env = explored(make_trainer(make_policy, seed), question).passage.trajectories, EditEnv(question)
    ours = final_states(trajectories, question.factual.expand(len(KEYS), -1))
    ends = replayed(env, trajectories).last_states.tensor
    assert torch.equal(env.codes(ends), ours.codes)
    assert torch.equal(ends != UNTOUCHED, ours.edited)


def test_both_find_whole_trajectories_equally_probable_forward_and_backward(make_policy, question, seed) -> None:
    trainer, env = make_trainer(make_policy, seed), EditEnv(question)
    seen = explored(trainer, question).passage
    length, steps = seen.trajectories.length, seen.trajectories.feature.shape[1]
    along = likelihood(trainer.model.policy, seen.questions, seen.trajectories, seen.states)
    log_last_stop = along.log_stop.gather(1, length[:, None]).squeeze(1)
    forward, backward, _ = theirs(trainer, question, env).get_trajectories_scores(replayed(env, seen.trajectories))
    assert torch.allclose(along.log_forward.sum(dim=1) + log_last_stop, forward, atol=1e-4)
    assert torch.allclose(uniform_log_backward(length, steps).sum(dim=1), backward, atol=1e-4)


def losses(trainer: Trainer, question: Questions) -> tuple[torch.Tensor, torch.Tensor]:
    """Ours and torchgfn's on the same trajectories."""
    env, seen = EditEnv(question), explored(trainer, question)
    return 2 * trainer.loss(seen).loss, theirs(trainer, question, env).loss(
        env, replayed(env, seen.passage.trajectories)
    )


def test_both_have_the_same_loss(make_policy, question, seed) -> None:
    ours, other = losses(make_trainer(make_policy, seed), question)
    assert ours.item() > 1  # in balance both would be 0, whatever they weigh
    assert ours.item() == pytest.approx(other.item(), rel=1e-4)


def test_both_losses_descend_the_same_way(make_policy, question, seed) -> None:
    trainer = make_trainer(make_policy, seed)
    weights = list(trainer.model.policy.parameters())
    ours, other = (
        torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)
        for loss in losses(trainer, question)
    )
    assert all(torch.allclose(one, another, atol=1e-4, rtol=1e-4) for one, another in zip(ours, other, strict=True))
    assert sum(bool(slope.any()) for slope in ours) > len(ours) / 2


def undoing_is_certain(length: torch.Tensor, step_count: int) -> torch.Tensor:
    """A wrong backward policy: without the 1/k of a choice between k edits."""
    return torch.zeros(len(length), step_count)


def one_edit_too_many(length: torch.Tensor, step_count: int) -> torch.Tensor:
    """A wrong backward policy: 1/(k+1) instead of 1/k."""
    edits = torch.arange(1, step_count + 1)
    return torch.where(edits <= length[:, None], -(edits + 1).log(), 0.0)


@pytest.mark.parametrize("wrong", [undoing_is_certain, one_edit_too_many])
def test_a_wrong_backward_policy_of_ours_would_be_noticed(make_policy, question, seed, wrong, monkeypatch) -> None:
    monkeypatch.setattr("counterflownet.flow.balance.uniform_log_backward", wrong)
    ours, other = losses(make_trainer(make_policy, seed), question)
    assert ours.item() != pytest.approx(other.item(), rel=1e-2)
