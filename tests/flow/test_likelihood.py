import torch

from counterflownet._space import CodeSpace
from counterflownet.flow.edits import Trajectories, visited_states
from counterflownet.flow.likelihood import likelihood
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys

SPACE = CodeSpace((3, 4, 2, 3), (True, False, True, False))


def of(policy, questions, trajectories):
    return likelihood(policy, questions, trajectories, visited_states(trajectories, questions.factual))


def padded(trajectories: Trajectories, extra: int) -> Trajectories:
    feature = torch.nn.functional.pad(trajectories.feature, (0, extra))
    code = torch.nn.functional.pad(trajectories.code, (0, extra))
    return Trajectories(trajectories.row, feature, code, trajectories.length)


def drawn(make_policy, make_questions):
    questions, policy = make_questions(SPACE, 40, constrained=False), make_policy(SPACE, sharpness=1.0)
    return policy, questions, rollout(policy, questions, row_keys(questions.factual.numpy(), seed=0))


def test_padding_changes_nothing(make_policy, make_questions) -> None:
    policy, questions, trajectories = drawn(make_policy, make_questions)
    one = of(policy, questions, trajectories)
    other = of(policy, questions, padded(trajectories, 2))
    steps = trajectories.feature.shape[1]
    assert torch.allclose(one.log_forward, other.log_forward[:, :steps], atol=1e-6)
    assert torch.allclose(one.log_stop, other.log_stop[:, : steps + 1], atol=1e-6)
    assert not other.log_forward[:, steps:].any()
    assert not other.log_stop[:, steps + 1 :].any()


def test_places_after_the_end_carry_zero(make_policy, make_questions) -> None:
    policy, questions, trajectories = drawn(make_policy, make_questions)
    along = of(policy, questions, trajectories)
    assert not along.log_forward[~trajectories.taken].any()
    assert not along.log_stop[~trajectories.visited].any()
    assert (along.log_forward[trajectories.taken] < 0).all()


def test_gradients_reach_every_part_of_the_policy(make_policy, make_questions) -> None:
    policy, questions, trajectories = drawn(make_policy, make_questions)
    along = of(policy, questions, trajectories)
    (along.log_forward.sum() + policy.log_onward(along.hidden).sum()).backward()
    for name, part in policy.named_parameters():
        assert part.grad is not None, name
        assert part.grad.any() or "locks" in name, name  # nothing is locked here


def test_trajectories_that_stop_at_once_have_only_a_stop(make_policy, make_questions) -> None:
    questions = make_questions(SPACE, 3, constrained=False)
    empty = torch.zeros(3, 0, dtype=torch.int64)
    at_once = Trajectories(torch.arange(3), empty, empty, torch.zeros(3, dtype=torch.int64))
    along = of(make_policy(SPACE), questions, at_once)
    assert along.log_forward.shape == (3, 0)
    assert (along.log_stop < 0).all()
