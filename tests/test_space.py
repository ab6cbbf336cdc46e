import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet._space import Allowed, CodeSpace, everything_allowed, without_own_codes

SPACE = CodeSpace((2, 3, 1))
COUNTS = st.lists(st.integers(1, 5), min_size=1, max_size=5).map(tuple)


def test_codes_of_all_features_stand_side_by_side():
    assert SPACE.starts == (0, 2, 5, 6)
    assert (SPACE.feature_count, SPACE.code_total) == (3, 6)
    assert [SPACE.span(d) for d in range(3)] == [slice(0, 2), slice(2, 5), slice(5, 6)]


@settings(deadline=None)
@given(COUNTS)
def test_spans_cover_all_codes_once(counts):
    space = CodeSpace(counts)
    covered = [code for d in range(space.feature_count) for code in range(space.code_total)[space.span(d)]]
    assert covered == list(range(space.code_total))


def test_everything_but_the_own_codes_is_allowed():
    allowed = everything_allowed(SPACE, torch.tensor([[1, 0, 0]]))
    assert allowed.codes.tolist() == [[True, False, False, True, True, False]]
    assert not allowed.required.any()
    assert allowed.most_changes.tolist() == [3]


def test_missing_and_never_seen_values_have_no_code_to_take_out():
    allowed = everything_allowed(SPACE, torch.tensor([[2, 4, 1]]))
    assert allowed.codes.all()


def test_no_more_changes_than_features_are_allowed():
    own = torch.tensor([[0, 0, 0]])
    assert everything_allowed(SPACE, own, most_changes=2).most_changes.tolist() == [2]
    assert everything_allowed(SPACE, own, most_changes=9).most_changes.tolist() == [3]


def test_a_feature_is_editable_if_a_code_is_left():
    allowed = everything_allowed(SPACE, torch.tensor([[0, 0, 0], [0, 0, 1]]))
    assert allowed.editable(SPACE).tolist() == [[True, True, False], [True, True, True]]


def test_taking_out_own_codes_leaves_the_given_mask_alone():
    mask = torch.ones(1, 6, dtype=torch.bool)
    without_own_codes(SPACE, mask, torch.tensor([[0, 0, 0]]))
    assert mask.all()


def test_a_mask_is_only_ever_narrowed():
    nothing = torch.zeros(1, 6, dtype=torch.bool)
    assert not without_own_codes(SPACE, nothing, torch.tensor([[0, 1, 0]])).any()


def test_rows_are_picked_together_with_all_that_is_allowed_in_them():
    allowed = Allowed(torch.eye(3, dtype=torch.bool), torch.eye(3, dtype=torch.bool), torch.tensor([1, 2, 3]))
    picked = allowed[torch.tensor([2, 0, 2])]
    assert picked.most_changes.tolist() == [3, 1, 3]
    assert picked.codes.tolist() == picked.required.tolist() == torch.eye(3, dtype=torch.bool)[[2, 0, 2]].tolist()
