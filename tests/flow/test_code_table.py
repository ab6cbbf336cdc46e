"""A row for each code; those of ordered features follow a smooth curve."""

import torch

from counterflownet._space import CodeSpace
from counterflownet.flow.code_table import CodeTable

SPACE = CodeSpace((3, 5, 2, 4), (True, False, True, True))


def test_only_codes_with_an_order_follow_a_curve() -> None:
    table = CodeTable(SPACE, 6, scale=1.0, special_codes=2)
    apart = (table.weight - table.rows).abs().sum(dim=1) > 0
    expected = [True] * 3 + [False] * 2 + [False] * 7 + [True] * 2 + [False] * 2 + [True] * 4 + [False] * 2
    assert apart.tolist() == expected  # behind each feature's codes stand its two special ones


def test_every_feature_has_a_curve_of_its_own_along_its_own_codes() -> None:
    table = CodeTable(SPACE, 6, scale=1.0)
    with torch.no_grad():
        table.curves.zero_()
        table.curves[8:16] = 1.0  # the second ordered feature
    along = (table.weight - table.rows)[:, 0]
    assert (along[:8] == 0).all()
    assert (along[10:] == 0).all()
    place = (torch.arange(2) + 0.5) / 2
    wave = torch.arange(1, 9)
    expected = (torch.cos(torch.pi * place[:, None] * wave) / wave).sum(dim=1)
    assert torch.allclose(along[8:10], expected, atol=1e-5)


def test_without_any_order_there_are_only_rows() -> None:
    table = CodeTable(CodeSpace((3, 2)), 4, scale=1.0)
    assert torch.equal(table.weight, table.rows)
