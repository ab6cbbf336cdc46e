import random

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterflownet._space import CodeSpace
from counterflownet.flow.edits import final_states
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys, sample_keys

SPACE = CodeSpace((3, 1, 5, 2))
LAW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


def keys_of(questions, samples: int = 1):
    asked = torch.cat([questions.factual, questions.target[:, None]], dim=1).numpy()
    return sample_keys(row_keys(asked, seed=3), samples)


@LAW
@given(
    counts=st.lists(st.integers(1, 5), min_size=1, max_size=6),
    seed=st.integers(0, 99),
    epsilon=st.sampled_from([0.0, 0.5]),
)
def test_every_sample_of_an_untrained_policy_keeps_every_constraint(
    counts, seed, epsilon, make_policy, make_questions
) -> None:
    space = CodeSpace(tuple(counts))
    questions = make_questions(space, 20, seed=seed)
    row = torch.arange(20).repeat_interleave(4)
    trajectories = rollout(make_policy(space, seed=seed), questions, keys_of(questions, 4), row=row, epsilon=epsilon)
    states = final_states(trajectories, questions.factual)
    allowed = questions.allowed[row]
    for d in range(space.feature_count):
        rows = states.edited[:, d].nonzero().flatten()
        assert allowed.codes[:, space.span(d)][rows, states.codes[rows, d]].all()
    assert (states.edited.sum(dim=1) <= allowed.most_changes).all()
    assert (states.edited | ~allowed.required).all()
    assert torch.equal(states.codes[~states.edited], questions.factual[row][~states.edited])
    assert torch.equal(states.edited.sum(dim=1), trajectories.length)


@LAW
@given(order=st.permutations(range(12)), size=st.integers(1, 12))
def test_a_rows_samples_do_not_depend_on_the_rows_beside_it(order, size, make_policy, make_questions) -> None:
    questions = make_questions(SPACE, 12)
    policy = make_policy(SPACE)
    keys = keys_of(questions)
    together = final_states(rollout(policy, questions, keys), questions.factual)
    some = torch.tensor(order[:size])
    alone = final_states(rollout(policy, questions[some], keys[some.numpy()]), questions[some].factual)
    assert torch.equal(alone.codes, together.codes[some])


def test_the_generators_of_the_process_are_left_alone(make_policy, make_questions) -> None:
    questions, policy = make_questions(SPACE, 5), make_policy(SPACE)
    before = torch.get_rng_state(), np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002
    rollout(policy, questions, keys_of(questions), epsilon=0.5)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (np.random.get_state()[1].tolist(), random.getstate())  # noqa: NPY002


def test_a_row_in_which_nothing_can_be_done_stops_at_once(make_policy, make_questions) -> None:
    questions = make_questions(SPACE, 3, constrained=False)
    questions.allowed.codes[:] = False
    assert rollout(make_policy(SPACE), questions, keys_of(questions)).length.tolist() == [0, 0, 0]


@pytest.mark.parametrize("samples", [1, 7])
def test_no_rows_give_no_trajectories(samples: int, make_policy, make_questions) -> None:
    questions = make_questions(SPACE, 0)
    assert len(rollout(make_policy(SPACE), questions, keys_of(questions, samples)).length) == 0
