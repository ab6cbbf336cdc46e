"""Batches: every row in every round, and never the class that a row has already."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from counterflownet._space import Joint, everything_allowed


@pytest.mark.parametrize(("row_count", "size"), [(20, 16), (20, 20), (7, 16), (1, 5), (50, 3)])
def test_every_round_shows_every_row_once(batches, row_count, size) -> None:
    made = batches(row_count, size)
    rounds = 3
    steps = -(-rounds * row_count // size)
    seen = torch.cat([made(step).source for step in range(steps)])[: rounds * row_count]
    for part in seen.view(rounds, row_count):
        assert sorted(part.tolist()) == list(range(row_count))


def test_every_round_has_an_order_of_its_own(batches) -> None:
    made = batches(20, 20)
    assert made(0).source.tolist() != made(1).source.tolist()


@pytest.mark.parametrize(("row_count", "size"), [(20, 16), (3, 16)])
def test_every_batch_is_full(batches, row_count, size) -> None:
    assert all(len(batches(row_count, size)(step).questions) == size for step in range(5))


def test_a_target_is_never_the_predicted_class_and_any_other_occurs(batches) -> None:
    made = batches(20, 16)
    parts = [made(step) for step in range(40)]
    source = torch.cat([part.source for part in parts]).numpy()
    target = torch.cat([part.questions.target for part in parts]).numpy()
    predicted = made.order.predicted[source]
    assert (target != predicted).all()
    assert set(zip(predicted, target, strict=True)) == {(a, b) for a in range(3) for b in range(3) if a != b}
    assert 0.4 < np.mean((target - predicted) % 3 == 1) < 0.6


def test_with_two_classes_the_target_is_the_other_one(batches) -> None:
    made = batches(20, 16, class_count=2, predicted=np.arange(20) % 2)
    part = made(0)
    assert (part.questions.target == 1 - part.source % 2).all()


def test_a_batch_depends_on_seed_and_step_alone(batches) -> None:
    one, again, other = batches()(7), batches()(7), batches(seed=1)(7)
    assert torch.equal(one.source, again.source)
    assert torch.equal(one.questions.target, again.questions.target)
    assert not torch.equal(one.source, other.source)


def test_factuals_are_the_rows_they_come_from(batches) -> None:
    made = batches()
    part = made(2)
    assert torch.equal(part.questions.factual, torch.from_numpy(made.codes)[part.source])


def test_a_rows_own_codes_are_not_allowed(batches, space) -> None:
    part = batches()(0)
    own = part.questions.factual + torch.tensor(space.starts[:-1])
    assert not part.questions.allowed.codes.gather(1, own).any()
    assert part.questions.allowed.codes.sum() == len(own) * (space.code_total - space.feature_count)


@pytest.mark.parametrize(("max_changes", "most"), [(None, 3), (2, 2), (9, 3)])
def test_changes_can_be_limited(batches, max_changes, most) -> None:
    assert (batches(max_changes=max_changes)(0).questions.allowed.most_changes == most).all()


def test_some_factuals_are_trained_under_constraints_of_their_own(batches) -> None:
    free, half, all_of_them = (batches(50, 50, constrained=share)(0).questions.allowed for share in (0.0, 0.5, 1.0))
    assert (half.codes <= free.codes).all()
    assert (half.most_changes <= free.most_changes).all()
    assert half.most_changes.min() >= 1
    untouched = [(part.codes == free.codes).all(dim=1).float().mean() for part in (half, all_of_them)]
    assert untouched[0] > untouched[1]


def test_constraints_depend_on_seed_and_step_alone(batches) -> None:
    one, again, later = (batches(constrained=0.5)(step).questions.allowed.codes for step in (7, 7, 8))
    assert torch.equal(one, again)
    assert not torch.equal(one, later)


@pytest.mark.parametrize(("told", "required"), [({}, True), ({"stops_anywhere": True}, False)])
def test_what_must_change_is_required_unless_a_trajectory_may_stop_anywhere(batches, space, told, required) -> None:
    free = everything_allowed(space, torch.from_numpy(batches().codes))
    always = replace(free, required=torch.ones_like(free.required))
    assert (batches(always=always, **told)(0).questions.allowed.required == required).all()


class BreaksInOddRows(Joint):
    """A rule that every second row breaks as it is; it notes which rows it was told to spare."""

    def __init__(self, rows: torch.Tensor, spared: np.ndarray | None = None) -> None:
        self.rows, self.spared = rows, spared

    def needs(self, _, states) -> np.ndarray:
        return (self.rows[states.row] % 2).numpy()

    def sparing(self, rows: np.ndarray) -> "BreaksInOddRows":
        return BreaksInOddRows(self.rows, rows)

    def __getitem__(self, rows: torch.Tensor) -> "BreaksInOddRows":
        return BreaksInOddRows(self.rows[rows])


def test_rules_spare_rows_that_break_them_if_a_trajectory_may_stop_anywhere(batches, space) -> None:
    free = everything_allowed(space, torch.from_numpy(batches().codes))
    always = replace(free, joint=BreaksInOddRows(torch.arange(len(free.codes))))
    batch = batches(always=always, stops_anywhere=True)(0)
    assert batch.questions.allowed.joint.spared.tolist() == (batch.source % 2 == 1).tolist()
    assert batches(always=always)(0).questions.allowed.joint.spared is None
