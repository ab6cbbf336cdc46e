"""Small spaces and untrained policies that the flow's tests share."""

import numpy as np
import pytest
import torch

from counterflownet._space import Allowed, CodeSpace, everything_allowed
from counterflownet.flow.context import Context, Questions
from counterflownet.flow.policy import Policy
from counterflownet.seeds import seeded_networks


@pytest.fixture
def make_policy():
    """An untrained policy whose choices are far from uniform, so that a wrong mask or order would show."""

    def make(space: CodeSpace, *, seed: int = 0, sharpness: float = 4.0) -> Policy:
        with seeded_networks(seed):
            policy = Policy(space, Context(space, 2, 16), 16)
            for part in (policy.action_head.weight, policy.code_head.rows, policy.context.locks):
                torch.nn.init.normal_(part, std=sharpness / 4)
        return policy

    return make


@pytest.fixture
def make_questions():
    """Factuals with random codes and random permissions, some of them with features that must change."""

    def make(space: CodeSpace, rows: int, *, seed: int = 0, constrained: bool = True) -> Questions:
        rng = np.random.default_rng(seed)
        factual = torch.tensor(
            [[rng.integers(0, count + 2) for count in space.code_counts] for _ in range(rows)], dtype=torch.int64
        ).reshape(rows, space.feature_count)
        allowed = everything_allowed(space, factual)
        if constrained:
            allowed = _constrained(space, allowed, rng)
        offset = torch.tensor(rng.uniform(-1, 1, factual.shape), dtype=torch.float32)
        return Questions(factual, torch.tensor(rng.integers(0, 2, rows)), allowed, offset)

    return make


def _constrained(space: CodeSpace, allowed: Allowed, rng: np.random.Generator) -> Allowed:
    codes = allowed.codes & torch.tensor(rng.random(allowed.codes.shape) < 0.6)
    narrowed = Allowed(codes, allowed.required, allowed.most_changes)
    required = narrowed.editable(space) & torch.tensor(rng.random(allowed.required.shape) < 0.2)
    extra = torch.tensor(rng.integers(0, space.feature_count + 1, len(codes)))
    return Allowed(codes, required, (required.sum(dim=1) + extra).clamp(max=space.feature_count))
