"""Random constraints to train under: no row is left without a way, and every kind of constraint occurs."""

import numpy as np
import pytest
import torch

from counterflownet._space import Allowed, CodeSpace, everything_allowed
from counterflownet.training.restriction import randomly_restricted

SPACE = CodeSpace((4, 3, 5, 2, 6, 2, 3), (True, False, True, False, True, False, False))
FACTUAL = torch.stack([torch.arange(2_000) % count for count in SPACE.code_counts], dim=1)
FREE = everything_allowed(SPACE, FACTUAL)


def restricted(allowed: Allowed = FREE, share: float = 1.0) -> Allowed:
    return randomly_restricted(SPACE, allowed, FACTUAL, share, np.random.default_rng(0))


def test_a_third_of_the_rows_may_change_few_columns_each_number_up_to_five_alike() -> None:
    budgets = restricted().most_changes.bincount(minlength=8) / len(FACTUAL)
    assert budgets[[0, 6]].tolist() == [0.0, 0.0]
    assert budgets[1:6].tolist() == pytest.approx([1 / 15] * 5, abs=0.02)
    assert budgets[7].item() == pytest.approx(2 / 3, abs=0.04)


def test_the_share_is_that_of_rows_under_constraints() -> None:
    touched = restricted(share=0.25)
    changed = (touched.codes != FREE.codes).any(dim=1) | (touched.most_changes != FREE.most_changes)
    assert changed.float().mean().item() == pytest.approx(0.25, abs=0.04)


def test_ordered_columns_are_closed_in_one_direction_as_often_as_in_the_other() -> None:
    codes = restricted().codes[:, SPACE.span(4)]
    now = FACTUAL[:, 4, None]
    above, below = torch.arange(6) > now, torch.arange(6) < now
    both_ways = above.any(dim=1) & below.any(dim=1)
    rises, falls = ((codes & way).any(dim=1) for way in (above, below))
    for only in (rises & ~falls, falls & ~rises):
        assert only[both_ways].float().mean().item() == pytest.approx(0.15 / 2, abs=0.02)  # half are closed anyway


def test_a_column_without_order_is_closed_whole_or_not_at_all() -> None:
    codes, free = restricted().codes[:, SPACE.span(6)], FREE.codes[:, SPACE.span(6)]
    closed = ~codes.any(dim=1)
    assert torch.equal(codes[~closed], free[~closed])
    assert closed.float().mean().item() == pytest.approx(0.5, abs=0.04)


def test_what_must_change_stays_open_and_has_its_place_in_the_budget() -> None:
    required = torch.zeros_like(FREE.required)
    required[:, [0, 3, 6]] = True
    wanted = Allowed(FREE.codes, required, FREE.most_changes)
    found = restricted(wanted)
    assert torch.equal(found.codes[:, SPACE.span(3)], FREE.codes[:, SPACE.span(3)])
    assert found.most_changes.min() == 3
    assert torch.equal(found.required, required)


def test_no_budget_grows() -> None:
    tight = Allowed(FREE.codes, FREE.required, torch.full_like(FREE.most_changes, 2))
    assert restricted(tight).most_changes.unique().tolist() == [1, 2]
