"""What may be done next, with and without rules that join features."""

from dataclasses import replace
from unittest.mock import MagicMock

import torch

from counterflownet._space import CodeSpace, Joint, Moves, everything_allowed
from counterflownet._states import States
from counterflownet.flow.moves import LegalMoves

SPACE = CodeSpace((2, 3))
ALLOWED = everything_allowed(SPACE, torch.tensor([[0, 0], [1, 2]]))
STATES = States(torch.tensor([1, 0, 1]), torch.tensor([[0, 2], [0, 0], [1, 2]]), torch.eye(3, 2) > 0)


def test_without_rules_all_states_of_a_row_share_its_codes() -> None:
    legal = LegalMoves(SPACE, ALLOWED)(STATES)
    assert legal.actions.tolist() == [[False, True, True], [True, False, True], [True, True, True]]
    assert legal.codes is ALLOWED.codes
    assert legal.row.tolist() == [1, 0, 1]


def test_where_rules_join_features_they_alone_say_what_is_legal_in_each_state() -> None:
    codes = torch.tensor([[0, 0, 1, 0, 0], [1, 0, 0, 1, 1], [0, 0, 0, 0, 0]], dtype=torch.bool)
    joint = MagicMock(spec=Joint)
    joint.moves.return_value = Moves(codes, torch.tensor([False, False, True]))
    legal = LegalMoves(SPACE, replace(ALLOWED, joint=joint))(STATES)
    assert legal.actions.tolist() == [[False, True, False], [True, True, False], [False, False, True]]
    assert torch.equal(legal.codes, codes)
    assert legal.row.tolist() == [0, 1, 2]
