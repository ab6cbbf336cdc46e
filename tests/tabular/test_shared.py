"""What many rows were given is processed once."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Derived, IfThen, LessEqual, OneOf, Range, Rises, RisesBy, Schema
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.follows import followed_numbers
from counterflownet.tabular.shared import name_of, shared


def _rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def test_equal_things_come_once_with_all_rows() -> None:
    given = [(Range("a", 1), _rows(4)), (Range("b", 1), _rows(0, 1)), (Range("a", 1), _rows(4, 2))]
    told = [(thing, rows.tolist()) for thing, rows in shared(given)]
    assert told == [(Range("a", 1), [2, 4]), (Range("b", 1), [0, 1])]


def test_numbers_that_are_equal_but_look_different_are_kept_apart() -> None:
    assert name_of(Range("a", 1)) != name_of(Range("a", True))
    assert name_of(Range("a", 1)) == name_of(Range("a", 1))


def test_what_has_no_hash_equals_only_itself() -> None:
    one = OneOf("a", [1, 2])
    assert name_of(one) == name_of(one)
    assert name_of(one) != name_of(OneOf("a", [1, 2]))


@pytest.fixture
def table() -> pd.DataFrame:
    return pd.DataFrame({"a": [1, 2, 3, 4], "b": [5, 6, 7, 8], "c": [9, 8, 7, 6]}, index=list("wxyz"))


def _checked(table: pd.DataFrame, own: dict) -> tuple[Schema, CheckedConstraints]:
    schema = Schema.infer(table, kinds=dict.fromkeys(table, "continuous"))
    return schema, CheckedConstraints.of(schema, [], own, table.index)


def test_a_rule_of_several_rows_is_applied_once(table) -> None:
    own = {label: [LessEqual("a", "b"), LessEqual("a", "c", offset=2)] for label in "wy"}
    schema, checked = _checked(table, own | {"z": [LessEqual("a", "b")]})
    book = checked.book(schema, table.index)
    assert [np.flatnonzero(applied.rows).tolist() for applied in book.applied] == [[0, 2, 3], [0, 2]]
    assert checked.rule_sets(table.index).tolist() == [1, 0, 1, 2]


def test_of_rows_that_are_not_asked_about_nothing_is_left(table) -> None:
    own = {"w": [LessEqual("a", "b"), Range("a", 2)], "z": [LessEqual("b", "a"), Range("a", 5, 6), Range("a", 0, 1)]}
    _, checked = _checked(table, own)
    for label in "wz":
        some = checked.among(table.index[[*"wxyz"].index(label) :][:1])
        assert set(some.by_label) == {label}
        assert set(some.rules_by_label) <= {label}
        assert set(some.clashes) <= {label}


def test_rules_of_different_rows_never_move_a_cell_together(table) -> None:
    def older(by: int) -> IfThen:
        return IfThen(Rises("a"), RisesBy("b", at_least=by), as_="consequence")

    schema, checked = _checked(table, {"w": [older(1), older(2)], "x": [older(3)], "y": [older(2)]})
    told = followed_numbers(checked.book(schema, table.index), table)["b"]
    expected = {(0,): [6, None, None, None], (1,): [7, None, 9, None], (2,): [None, 9, None, None]}
    both = {(0, 1): [7, None, None, None]}
    assert {which: [None if np.isnan(n) else n for n in numbers] for which, numbers in told.items()} == expected | both


def test_a_derived_column_may_follow_differently_in_different_rows(table) -> None:
    own = {"w": [Derived("c", ["a"], _tenfold)], "x": [Derived("c", ["b"], _tenfold)]}
    schema, checked = _checked(table, own)
    book = checked.book(schema, table.index)
    assert [step.rows.tolist() for step in book.steps] == [[True, False, False, False], [False, True, False, False]]


def _tenfold(rows: pd.DataFrame) -> pd.Series:
    return 10 * rows.iloc[:, 0]
