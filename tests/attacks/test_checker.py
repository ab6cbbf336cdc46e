"""The checker of the fuzz notices every way in which an answer can be wrong."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from attacks.checker import Asked, breaches, excluded
from attacks.plain_cells import cells_of
from attacks.random_constraints import Rule
from counterflownet import (
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)

TRAINING = pd.DataFrame({"a": [1, 2, 3, 9], "b": ["x", "y", "z", "x"]})
ROWS = TRAINING.head(1)
GOOD = pd.DataFrame({"a": [3], "b": ["x"]})


def above_two(rows: pd.DataFrame) -> np.ndarray:
    good = (rows["a"] > 2).to_numpy(dtype=float)
    return np.stack([1 - good, good], axis=1)


def asked(*rules: Rule) -> Asked:
    return Asked(cells_of(TRAINING), {}, {}, ROWS, rules, {}, [1], above_two, minimal=True, choosing=True)


def found(answers: pd.DataFrame, *rules: Rule, changed: list[list[bool]] | None = None) -> str:
    flags = [[True, False]] * len(answers) if changed is None else changed
    return " | ".join(breaches(asked(*rules), answers, np.zeros(len(answers), dtype=np.int64), np.array(flags)))


def test_a_right_answer_passes() -> None:
    assert not found(GOOD, (Increasing, ("a",)), (Immutable, ("b",)), (Range, ("a", 2, 3)), (MaxStep, ("a", 2)))


@pytest.mark.parametrize(
    ("answers", "changed", "told"),
    [
        (GOOD.astype({"a": float}), None, "came as int64 and returned as float64"),
        (GOOD[["b", "a"]], None, "columns"),
        (GOOD.assign(b="y"), None, "not marked as changed, but 'x' became 'y'"),
        (GOOD.assign(a=5), None, "became 5, which training never had"),
        (GOOD.assign(a=2), None, "not of the target class when asked again"),
        (pd.concat([GOOD, GOOD]), None, "1 answers are doubles"),
        (GOOD.assign(b="y"), [[True, True]], "does not need its change of 'b'"),
        (GOOD, [[True, True]], "marked as changed from 'x' to 'x'"),
    ],
)
def test_a_wrong_answer_is_told(answers, changed, told) -> None:
    assert told in found(answers, changed=changed)


@pytest.mark.parametrize(
    "rule",
    [
        (Immutable, ("a",)),
        (Mutable, ("b",)),
        (Decreasing, ("a",)),
        (Range, ("a", None, 2)),
        (Range, ("a", 4, None)),
        (OneOf, ("a", [1, 2, 9])),
        (NotOneOf, ("a", [3])),
        (MaxStep, ("a", 1)),
    ],
    ids=lambda rule: f"{rule[0].__name__}{rule[1]}",
)
def test_a_broken_constraint_is_told(rule) -> None:
    assert f"breaks {rule[0].__name__}" in found(GOOD, rule)


def test_too_many_changes_are_told() -> None:
    assert "breaks MaxChanges(1,)" in found(GOOD.assign(b="y"), (MaxChanges, (1,)), changed=[[True, True]])


def test_a_change_that_a_constraint_requires_is_needed() -> None:
    rule = (OneOf, ("b", ["y"]))
    assert not found(GOOD.assign(b="y"), rule, changed=[[True, True]])


def test_a_rule_of_one_row_is_checked_there() -> None:
    own = replace(asked(), row_rules={0: [(Immutable, ("a",))]})
    assert "breaks Immutable" in " ".join(breaches(own, GOOD, np.array([0]), np.array([[True, False]])))


def test_rules_that_leave_nothing_in_any_row_are_recognised() -> None:
    values = {"a": [1, 2, 3, 9], "b": ["x", "y", "z"]}
    apart = [(Range, ("a", 1, 2)), (Range, ("a", 3, 9))]
    assert excluded(apart, ["a", "b"], values)
    assert excluded([(Increasing, ("a",)), (Decreasing, ("a",))], ["a", "b"], values)
    assert not excluded([apart[0], (NotOneOf, ("b", ["x"]))], ["a", "b"], values)
