"""What elimination finds is what trying everything finds, on random networks."""

from itertools import product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from counterflownet.tabular import elimination
from counterflownet.tabular.elimination import Table, least_costs, limit_of, plan_of
from counterflownet.tabular.merging import merged, names_of_bits

SCOPES = [(0, 1), (1, 2), (2, 3), (0, 3), (1, 3), (0, 1, 2), (0, 1), (2,)]
ROWS = 3


def drawn(seed, chosen, *, likely=0.6):
    """Sizes, tables and costs of four variables."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(2, 5, 4)
    scopes = [(0, 1), (1, 2), (2, 3), *(SCOPES[number] for number in chosen)]
    tables = [Table(scope, draw.random((ROWS, *sizes[list(scope)])) < likely) for scope in scopes]
    limit = limit_of(4, len(tables))
    return sizes, tables, [draw.choice([0, 1, limit], (ROWS, size)).astype(limit.dtype) for size in sizes], limit


def tried(sizes, tables, unary, limit):
    """The same by trying all combinations."""
    found = [np.full((ROWS, size), int(limit)) for size in sizes]
    for row, options in product(range(ROWS), product(*map(range, sizes))):
        if all(table.cells[(row, *(options[v] for v in table.scope))] for table in tables):
            cost = sum(int(unary[v][row, option]) for v, option in enumerate(options))
            for v, option in enumerate(options):
                found[v][row, option] = min(found[v][row, option], cost)
    return found


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.sets(st.sampled_from(range(len(SCOPES)))), st.booleans())
def test_all_variables_are_told_what_trying_all_combinations_tells(seed, chosen, by_search):
    sizes, tables, unary, limit = drawn(seed, chosen)
    plan = plan_of(tuple(sizes.tolist()), tuple(table.scope for table in tables))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elimination, "MOST_CELLS", 0 if by_search else 200)  # 200: one row at a time
        costs = least_costs(plan, unary, [table.as_costs(limit) for table in tables], limit)
    for mine, told in zip(costs, tried(sizes, tables, unary, limit), strict=True):
        assert mine.tolist() == told.tolist()


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.sets(st.sampled_from(range(len(SCOPES)))))
def test_tables_over_kinds_say_the_same_as_over_options(seed, chosen):
    sizes, tables, _, _ = drawn(seed, chosen, likely=0.2)
    found = merged(sizes.tolist(), tables, [], ROWS)
    for before, after in zip(tables, found.tables, strict=True):
        for row, options in product(range(ROWS), product(*(range(sizes[v]) for v in before.scope))):
            kinds = [found.kinds[v][row, option] for v, option in zip(before.scope, options, strict=True)]
            assert before.cells[(row, *options)] == after.cells[(min(row, len(after.cells) - 1), *kinds)]


def test_options_that_are_alike_become_one_kind():
    cells = np.array([[[1, 0], [1, 0], [0, 1]], [[1, 0], [0, 1], [0, 1]]], dtype=bool)
    found = merged([3, 2], [Table((0, 1), cells)], [], 2)
    assert found.kinds[0].tolist() == [[0, 0, 1], [0, 1, 1]]
    assert found.sizes == (2, 2)
    assert found.row_names[0] == found.row_names[1]  # over kinds, both rows say the same


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6))
def test_what_a_helper_joined_is_joined_without_it(seed):
    draw = np.random.default_rng(seed)
    one, other = (draw.random((ROWS, 3, 2)) < 0.6 for _ in range(2))
    possible = draw.random((ROWS, 2)) < 0.8
    found = merged([3, 3, 2], [Table((0, 2), one), Table((1, 2), other)], [possible], ROWS)
    (table,) = found.tables
    joined = (one[:, :, None, :] & other[:, None, :, :] & possible[:, None, None, :]).any(axis=-1)
    for row, a, b in product(range(ROWS), range(3), range(3)):
        kinds = found.kinds[0][row, a], found.kinds[1][row, b]
        assert table.cells[(min(row, len(table.cells) - 1), *kinds)] == joined[row, a, b]


def test_flags_that_differ_in_the_last_of_two_words_have_different_names():
    flags = np.zeros((4, 128), dtype=bool)
    flags[1, 127], flags[2, 63], flags[3, [63, 127]] = True, True, True
    assert len(set(names_of_bits(flags).tolist())) == 4


@pytest.mark.parametrize(
    ("columns", "tables", "kind"),
    [(5, 5, np.int8), (5, 6, np.int16), (4, 8, np.int8), (4, 9, np.int16), (100, 62, np.int16), (100, 63, np.int32)],
)
def test_costs_are_of_the_narrowest_type_in_which_all_that_is_added_up_fits(columns, tables, kind):
    limit = limit_of(columns, tables)
    assert (limit, type(limit)) == (columns + 1, kind)
    assert (columns + 1) * 2 * (columns + tables) <= np.iinfo(kind).max
