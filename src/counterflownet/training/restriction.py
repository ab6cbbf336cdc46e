"""Random constraints to train under, of the kinds users ask for: locks, one-way features, few changes."""

from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.random import Generator
from torch import Tensor

from counterflownet._space import Allowed, CodeSpace
from counterflownet._states import unedited

Codes = Bool[ndarray, "row code"]

ONE_WAY = 0.15  # the probability that an ordered feature may only rise, and that it may only fall
FEW_CHANGES = 1 / 3
FEWEST_OF = 5


def randomly_restricted(
    space: CodeSpace, allowed: Allowed, factual: Int[Tensor, "row feature"], share: float, generator: Generator
) -> Allowed:
    """A share of the rows under random constraints, each row under its own; the rest as they were.

    A feature that must change is left as it was: closed, it would leave its row nothing to do.
    """
    row_count = len(factual)
    chosen = generator.random(row_count) < share
    open_codes = ~_locked(space, row_count, generator) & _one_way(space, factual.numpy(), generator)
    spared = np.repeat(allowed.required.numpy(), space.code_counts, axis=1) | ~chosen[:, None]
    codes = allowed.codes & torch.from_numpy(open_codes | spared)
    few = chosen & (generator.random(row_count) < FEW_CHANGES)
    budget = generator.integers(1, min(FEWEST_OF, space.feature_count) + 1, row_count)
    most = torch.where(torch.from_numpy(few), torch.from_numpy(budget), allowed.most_changes)
    most = torch.maximum(most, allowed.required.sum(dim=1))
    restricted = replace(allowed, codes=codes, most_changes=torch.minimum(most, allowed.most_changes))
    return restricted if allowed.joint is None else _completable(restricted, allowed, factual)


def _completable(restricted: Allowed, allowed: Allowed, factual: Int[Tensor, "row feature"]) -> Allowed:
    """The restriction where rules leave a way to an end under it, elsewhere what was allowed before."""
    if restricted.joint is None:
        return restricted
    needs = restricted.joint.needs(restricted, unedited(factual, torch.arange(len(factual))))
    kept = torch.from_numpy(needs) <= restricted.most_changes
    return replace(
        restricted,
        codes=torch.where(kept[:, None], restricted.codes, allowed.codes),
        most_changes=torch.where(kept, restricted.most_changes, allowed.most_changes),
    )


def _locked(space: CodeSpace, row_count: int, generator: Generator) -> Codes:
    """Features closed altogether: few in some rows, most in others."""
    severity = generator.random((row_count, 1))
    locked = generator.random((row_count, space.feature_count)) < severity
    return np.repeat(locked, space.code_counts, axis=1)


def _one_way(space: CodeSpace, factual: Int[ndarray, "row feature"], generator: Generator) -> Codes:
    """Codes in the direction that is left to an ordered feature, if one is closed."""
    way = generator.random(factual.shape)
    ordered = np.array(space.ordered_flags)
    code = np.concatenate([np.arange(count) for count in space.code_counts])
    known = factual < np.array(space.code_counts)  # nothing is above or below a missing value
    now, way, ordered, known = (np.repeat(part, space.code_counts, axis=-1) for part in (factual, way, ordered, known))
    only_up, only_down = (way < ONE_WAY) & ordered, (way > 1 - ONE_WAY) & ordered
    return ~(only_up & ((code < now) | ~known)) & ~(only_down & ((code > now) | ~known))
