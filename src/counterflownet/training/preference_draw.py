"""Preferences to train for, of all that may be asked: exponents, temperatures, and costs of columns."""

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from counterflownet._preferences import BETA_RANGE, MOST_COST, Preferences

STANDARD = 0.3  # the share of rows that prefer what the fit does
KEPT, ZERO, ONE = (
    0.3,
    0.1,
    0.1,
)  # of the exponents of the others: as the fit has it, off, full; or else anything between
OTHER_BETA = 0.3
WITH_COSTS = 0.5
FREE = 0.1  # of the columns that do not cost 1


def drawn_preferences(standard: Preferences, count: int, generator: Generator) -> Preferences:
    """A preference for each of so many rows; ``standard`` is that of the fit."""
    drawn = _others(standard, count, generator)
    usual = torch.from_numpy(generator.random(count) < STANDARD)
    return Preferences(
        standard.terms,
        torch.where(usual[:, None], standard.weights, drawn.weights),
        torch.where(usual, standard.beta, drawn.beta),
        torch.where(usual[:, None], standard.costs, drawn.costs),
    ).single()


def _others(standard: Preferences, count: int, generator: Generator) -> Preferences:
    """Preferences from the whole box."""
    own = standard.weights.numpy()
    kind = generator.random((count, own.shape[1]))
    weights = np.where(kind < KEPT, own, generator.random(kind.shape))
    weights = np.where(kind > 1.0 - ZERO, 0.0, np.where(kind > 1.0 - ZERO - ONE, 1.0, weights))
    warmer = generator.random(count) < OTHER_BETA
    beta = standard.beta.numpy() * np.where(warmer, BETA_RANGE ** generator.uniform(-1.0, 1.0, count), 1.0)
    costs = _costs(count, standard.costs.shape[1], generator)
    return Preferences(standard.terms, torch.from_numpy(weights), torch.from_numpy(beta), torch.from_numpy(costs))


def _costs(count: int, feature_count: int, generator: Generator) -> Float[ndarray, "row feature"]:
    """1 in half of the rows; in the others some columns cost more or less, few of them or most."""
    share = np.where(generator.random((count, 1)) < WITH_COSTS, generator.random((count, 1)), 0.0)
    other = generator.random((count, feature_count)) < share
    costs = MOST_COST ** generator.uniform(-1.0, 1.0, other.shape)
    costs = np.where(generator.random(other.shape) < FREE, 0.0, costs)
    return np.where(other, costs, 1.0)
