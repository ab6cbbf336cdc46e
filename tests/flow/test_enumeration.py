from itertools import permutations, product

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.errors import InvalidInputError
from counterflownet.flow.edits import Trajectories, final_states, visited_states
from counterflownet.flow.enumeration import enumerate_states, state_count, terminal_log_probs, total_variation
from counterflownet.flow.likelihood import likelihood
from counterflownet.flow.rollout import rollout
from counterflownet.seeds import row_keys, sample_keys

SPACE = CodeSpace((3, 2, 3))


def brute_force(policy, question, codes, edited) -> float:
    """The probability of one terminal, summed over all orders with the likelihood that training uses."""
    features = edited.nonzero().flatten().tolist()
    orders = torch.tensor(list(permutations(features)), dtype=torch.int64)  # one order, empty, of no edits
    trajectories = Trajectories(
        torch.zeros(len(orders), dtype=torch.int64), orders, codes[orders], torch.full((len(orders),), len(features))
    )
    with torch.no_grad():
        along = likelihood(policy, question, trajectories, visited_states(trajectories, question.factual))
    return float((along.log_forward.sum(dim=1) + along.log_stop[:, -1]).exp().sum())


@pytest.mark.parametrize("constrained", [False, True])
def test_exact_probabilities_are_those_of_all_orders_of_edits(constrained, make_policy, make_questions) -> None:
    question = make_questions(SPACE, 1, seed=4, constrained=constrained)
    policy = make_policy(SPACE)
    enumeration = enumerate_states(SPACE, question)
    exact = terminal_log_probs(policy, question, enumeration).exp()
    for number in range(len(exact)):
        state = enumeration.states.codes[number], enumeration.states.edited[number]
        assert exact[number].item() == pytest.approx(brute_force(policy, question, *state), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_exact_probabilities_of_all_states_sum_to_one(seed, make_policy, make_questions) -> None:
    question = make_questions(SPACE, 1, seed=seed)
    enumeration = enumerate_states(SPACE, question)
    assert terminal_log_probs(make_policy(SPACE), question, enumeration).exp().sum().item() == pytest.approx(1.0)


def test_states_are_all_combinations_of_allowed_codes_within_the_budget(make_questions) -> None:
    question = make_questions(SPACE, 1, constrained=False)
    question.factual[:] = torch.tensor([[0, 0, 0]])
    allowed = everything_allowed(SPACE, question.factual, most_changes=2)
    states = enumerate_states(SPACE, type(question)(question.factual, question.target, allowed)).states
    expected = {codes for codes in product(range(3), range(2), range(3)) if sum(code > 0 for code in codes) <= 2}
    assert {tuple(codes) for codes in states.codes.tolist()} == expected
    assert len(states) == len(expected)


def test_samples_come_as_often_as_the_exact_probabilities_say(make_policy, make_questions) -> None:
    question = make_questions(SPACE, 1, seed=2, constrained=False)
    policy = make_policy(SPACE, sharpness=1.0)
    keys = sample_keys(row_keys(question.factual.numpy(), seed=1), 20_000)
    drawn = final_states(rollout(policy, question, keys, row=torch.zeros(20_000, dtype=torch.int64)), question.factual)
    enumeration = enumerate_states(SPACE, question)
    place = {tuple(codes): number for number, codes in enumerate(enumeration.states.codes.tolist())}
    counts = torch.bincount(
        torch.tensor([place[tuple(codes)] for codes in drawn.codes.tolist()]), minlength=len(place)
    ).numpy()
    exact = terminal_log_probs(policy, question, enumeration).exp().numpy().astype(float)
    frequent = exact > 5 / 20_000
    expected = exact[frequent] / exact[frequent].sum() * counts[frequent].sum()
    assert chisquare(counts[frequent], expected).pvalue > 0.001


def test_a_space_too_large_to_enumerate_is_an_error_that_says_how_large(make_questions) -> None:
    space = CodeSpace((10,) * 8)
    question = make_questions(space, 1, constrained=False)
    question.factual[:] = 0
    allowed = everything_allowed(space, question.factual)
    assert state_count(space, allowed.codes[0]) == 10**8
    with pytest.raises(InvalidInputError, match="100,000,000 states"):
        enumerate_states(space, type(question)(question.factual, question.target, allowed))


def test_total_variation_is_zero_for_equal_and_one_for_disjoint_distributions() -> None:
    half, heads, tails = np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert total_variation(half, half) == 0.0
    assert total_variation(heads, tails) == 1.0
    assert total_variation(half, heads) == 0.5
