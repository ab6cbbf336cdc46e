import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from counterflownet.errors import InvalidInputError
from counterflownet.flow.masking import draw, legal_actions, masked_log_softmax, masked_softmax, running_sums

FLAGS = st.lists(st.booleans(), min_size=3, max_size=3)


def test_forbidden_actions_have_no_probability_and_the_rest_sums_to_one() -> None:
    allowed = torch.tensor([[True, False, True]])
    probs = masked_log_softmax(torch.tensor([[1.0, 50.0, 2.0]]), allowed).exp()
    assert probs[0, 1] == 0.0
    assert probs.sum() == pytest.approx(1.0)


def test_a_row_with_nothing_allowed_is_an_error_that_names_it() -> None:
    allowed = torch.tensor([[True, False], [False, False]])
    with pytest.raises(InvalidInputError, match=r"rows \[1\]"):
        masked_log_softmax(torch.zeros(2, 2), allowed)


@settings(deadline=None)
@given(
    st.lists(st.booleans(), min_size=2, max_size=8).filter(any),
    st.one_of(st.just(0.0), st.just(1 - 2.0**-53), st.floats(0, 1, exclude_max=True)),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.integers(0, 9),
)
def test_only_allowed_actions_are_drawn_even_at_the_ends_of_the_unit_interval(flags, number, epsilon, seed) -> None:
    allowed = torch.tensor([flags])
    logits = 8 * torch.randn(1, len(flags), generator=torch.Generator().manual_seed(seed))
    sums = running_sums(masked_softmax(logits, allowed), allowed, epsilon)
    action = draw(sums, torch.tensor([number], dtype=torch.float32))
    assert flags[int(action)]


@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_actions_are_drawn_as_often_as_the_mixture_with_exploration_says(epsilon: float) -> None:
    allowed = torch.tensor([[True, True, False, True]]).expand(20_000, 4)
    probs = masked_softmax(torch.tensor([[0.0, 1.0, 3.0, -1.0]]).expand(20_000, 4), allowed)
    uniform = torch.tensor(np.random.default_rng(0).random(20_000), dtype=torch.float32)
    counts = torch.bincount(draw(running_sums(probs, allowed, epsilon), uniform), minlength=4).numpy()
    expected = (1 - epsilon) * probs[0].numpy() + epsilon * np.array([1, 1, 0, 1]) / 3
    assert counts[2] == 0
    assert chisquare(counts[[0, 1, 3]], expected[[0, 1, 3]] / expected.sum() * 20_000).pvalue > 0.001


@given(FLAGS, FLAGS, FLAGS, st.integers(0, 3))
def test_stop_waits_for_required_features_and_places_are_kept_for_them(editable, required, edited, most) -> None:
    required = [r and e for r, e in zip(required, editable, strict=True)]
    waiting = [r and not e for r, e in zip(required, edited, strict=True)]
    places = most - sum(edited)
    if places < sum(waiting):
        return  # never reached: the places would have been kept
    tensors = [torch.tensor([flags]) for flags in (editable, required)]
    legal = legal_actions(*tensors, torch.tensor([most]), torch.tensor([edited]))[0].tolist()
    assert legal[-1] == (not any(waiting))
    for d in range(3):
        free = editable[d] and not edited[d] and places > 0
        assert legal[d] == (free and (waiting[d] or places > sum(waiting)))


def test_where_probabilities_are_no_numbers_every_allowed_action_is_as_likely() -> None:
    allowed = torch.tensor([[True, False, True], [True, True, True]])
    probs = torch.tensor([[torch.nan, 0.0, torch.nan], [0.5, 0.25, 0.25]])
    assert running_sums(probs, allowed).tolist() == [[1.0, 1.0, 2.0], [0.5, 0.75, 1.0]]


def test_once_all_changes_are_spent_not_even_a_required_column_may_change() -> None:
    required = torch.tensor([[True, False]])
    legal = legal_actions(torch.ones(1, 2, dtype=torch.bool), required, torch.tensor([0]), torch.zeros_like(required))
    assert not legal.any()
