"""What a policy misses is led on to the target by edits that are allowed, each the best of some."""

from dataclasses import replace
from unittest.mock import MagicMock

import numpy as np
import pytest
import torch

from counterflownet._space import CodeSpace, Joint, everything_allowed
from counterflownet.flow.context import Questions
from counterflownet.flow.edits import Trajectories, final_states
from counterflownet.seeds import sample_keys
from counterflownet.training import guide as module
from counterflownet.training.batches import Batch
from counterflownet.training.guide import Guide

SPACE = CodeSpace((3, 4, 2), (True, True, False))
FACTUAL = torch.zeros(6, 3, dtype=torch.int64)
KEYS = np.arange(6, dtype=np.uint64)


def batch(**limits) -> Batch:
    allowed = replace(everything_allowed(SPACE, FACTUAL), **limits)
    return Batch(Questions(FACTUAL, torch.ones(6, dtype=torch.int64), allowed), torch.arange(6))


def standing_still() -> Trajectories:
    none = torch.zeros(6, 0, dtype=torch.int64)
    return Trajectories(torch.arange(6), none, none, torch.zeros(6, dtype=torch.int64))


def codes_above(least: int):
    """Valid if the codes add up to more; the slack is how much they lack."""
    return lambda _, states: states.codes.sum(dim=1).numpy().astype(float) - least


def led(least: int, asked: Batch | None = None, begun: Trajectories | None = None) -> Trajectories:
    asked = batch() if asked is None else asked
    return Guide(SPACE, codes_above(least))(asked, standing_still() if begun is None else begun, KEYS)


def test_what_is_short_of_the_target_is_led_there_and_no_further():
    found = led(2)  # one edit to the second feature's last code is enough, two of any others are
    ends = final_states(found, FACTUAL)
    assert (ends.codes.sum(dim=1) > 2).all()
    last = found.length - 1
    before = ends.codes.sum(dim=1) - found.code.gather(1, last[:, None]).squeeze(1)
    assert (before <= 2).all()


def test_a_feature_is_edited_once_and_to_another_code():
    found = led(5)
    assert (found.length == 3).any()
    for features, codes, length in zip(found.feature, found.code, found.length, strict=True):
        assert len(set(features[:length].tolist())) == length
        assert (codes[:length] > 0).all()


def after_one_edit(code: int) -> Trajectories:
    begun, one = standing_still(), torch.ones(6, 1, dtype=torch.int64)
    return Trajectories(begun.row, one, code * one, torch.ones_like(begun.row))


def test_what_is_there_already_stays_as_it_was():
    begun = after_one_edit(3)
    found = led(2, begun=begun)
    assert torch.equal(found.length, begun.length)
    assert torch.equal(found.code, begun.code)


def test_a_trajectory_goes_on_from_where_it_ended():
    found = led(2, begun=after_one_edit(2))
    assert (found.feature[:, 0] == 1).all()
    assert (found.code[:, 0] == 2).all()
    assert (found.length == 2).all()


def test_only_what_is_allowed_is_tried():
    allowed = everything_allowed(SPACE, FACTUAL)
    codes = allowed.codes.clone()
    codes[:, SPACE.span(1)] = False
    found = led(2, batch(codes=codes, most_changes=torch.full((6,), 2)))
    assert (final_states(found, FACTUAL).codes == torch.tensor([2, 0, 1])).all()
    assert led(2, batch(codes=torch.zeros_like(codes))).length.sum() == 0


@pytest.mark.parametrize("most", [0, 1])
def test_no_more_is_changed_than_may_be(most):
    assert (led(5, batch(most_changes=torch.full((6,), most))).length == most).all()


def test_an_edit_that_helps_nothing_is_not_made():
    found = Guide(SPACE, lambda _, states: np.full(len(states), -1.0))(batch(), standing_still(), KEYS)
    assert found.length.sum() == 0


def test_some_of_many_are_led_and_the_same_ones_each_time(monkeypatch):
    monkeypatch.setattr(module, "MOST_LED", 2)
    one, other = led(2), led(2)
    assert (one.length > 0).tolist() == [True, True, False, False, False, False]
    assert torch.equal(one.code, other.code)


def test_the_best_of_those_tried_is_made(monkeypatch):
    monkeypatch.setattr(module, "TRIED", 200)  # all of them, as good as surely
    found = led(0)
    assert (found.feature[:, 0] == 1).all()
    assert (found.code[:, 0] == 3).all()


def test_what_rules_join_is_left_as_it_is():
    begun = standing_still()
    assert led(2, batch(joint=MagicMock(spec=Joint)), begun) is begun


def test_its_random_numbers_are_not_those_that_samples_are_drawn_with():
    tried = sample_keys(KEYS, module.TRIED, start=module.STREAM)
    assert not np.isin(tried, sample_keys(KEYS, 10_000)).any()
