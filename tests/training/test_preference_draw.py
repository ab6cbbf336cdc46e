"""The preferences that a flow is trained for."""

import numpy as np
import torch

from counterflownet._preferences import BETA_RANGE, MOST_COST, Preferences
from counterflownet.training.preference_draw import OTHER_BETA, STANDARD, drawn_preferences

COUNT = 4_000
OWN = Preferences(
    ("validity", "sparsity"),
    torch.tensor([[1.0, 0.2]], dtype=torch.float64),
    torch.tensor([20.0], dtype=torch.float64),
    torch.ones(1, 3, dtype=torch.float64),
)


def drawn(seed: int = 0) -> Preferences:
    return drawn_preferences(OWN, COUNT, np.random.default_rng(seed))


def test_a_share_of_rows_prefers_what_the_fit_does():
    found = drawn()
    usual = (found.weights == OWN.weights.float()).all(1) & (found.beta == OWN.beta) & (found.costs == 1.0).all(1)
    assert abs(float(usual.float().mean()) - STANDARD) < 0.1


def test_exponents_are_drawn_from_all_of_their_range_with_both_ends_and_the_fits_own():
    sparsity = drawn().weights[:, 1]
    assert float(sparsity.min()) == 0.0
    assert float(sparsity.max()) == 1.0
    for exactly in (0.0, 1.0, 0.2):
        assert float((sparsity == torch.tensor(exactly)).float().mean()) > 0.04
    assert np.histogram(sparsity.numpy(), bins=10, range=(0, 1))[0].min() > COUNT // 50


def test_costs_and_temperatures_stay_within_what_may_be_asked():
    found = drawn()
    assert 0.0 == float(found.costs.min()) < float(found.costs.max()) <= MOST_COST
    assert 20.0 / BETA_RANGE <= float(found.beta.min()) < 20.0 < float(found.beta.max()) <= 20.0 * BETA_RANGE
    assert float((found.costs[found.costs != 1.0]).log2().median()) < 1.0  # as often below 1 as above


def test_most_rows_have_the_temperature_of_the_fit():
    other = float((drawn().beta != OWN.beta).float().mean())
    assert abs(other - (1 - STANDARD) * OTHER_BETA) < 0.03


def test_the_same_numbers_draw_the_same_preferences():
    one, same, other = drawn(1), drawn(1), drawn(2)
    assert torch.equal(one.costs, same.costs)
    assert torch.equal(one.weights, same.weights)
    assert not torch.equal(one.weights, other.weights)
