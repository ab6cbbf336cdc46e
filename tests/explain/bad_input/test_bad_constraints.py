"""Constraints that name nothing, leave nothing or exclude each other."""

import pytest
from misuse import Cases, assert_told_in_words

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
from counterflownet.errors import (
    ConstraintError,
)

CONSTRAINTS: Cases = {
    "unknown column": (
        lambda g: g.explain(constraints=[Immutable("agee")]),
        ConstraintError,
        "Immutable\\('agee'\\): unknown column 'agee'. Did you mean 'age'",
    ),
    "no order": (
        lambda g: g.explain(constraints=[Increasing("city")]),
        ConstraintError,
        "Increasing\\('city'\\) needs an order.*orders=",
    ),
    "empty range": (
        lambda g: g.explain(constraints=[Range("age", 60, 30)]),
        ConstraintError,
        "Range\\('age', 60, 30\\) is empty.*Swap",
    ),
    "OneOf and NotOneOf": (
        lambda g: g.explain(constraints=[OneOf("city", ["rome"]), NotOneOf("city", ["rome"])]),
        ConstraintError,
        "OneOf.* and NotOneOf.* contradict each other: no value of 'city'",
    ),
    "Immutable and Mutable": (
        lambda g: g.explain(constraints=[Immutable("age"), Mutable("age", "city")]),
        ConstraintError,
        "contradict each other on 'age'. Drop one",
    ),
    "Increasing and Decreasing": (
        lambda g: g.explain(constraints=[Increasing("age"), Decreasing("age")]),
        ConstraintError,
        "contradict each other on 'age'",
    ),
    "not in a list": (
        lambda g: g.explain(constraints=Immutable("age")),
        ConstraintError,
        "must be a list, such as .*got Immutable\\('age'\\)",
    ),
    "not a constraint": (lambda g: g.explain(constraints=["age"]), ConstraintError, "'age' is not a constraint; use"),
    "unknown value": (
        lambda g: g.explain(constraints=[OneOf("city", ["Rome"])]),
        ConstraintError,
        "unknown value 'Rome'. Did you mean 'rome'",
    ),
    "no changes": (lambda g: MaxChanges(0), ConstraintError, "at least 1; got 0"),
    "no step": (lambda g: g.explain(constraints=[MaxStep("age", 0.0)]), ConstraintError, "allows no change"),
    "of an unknown row": (
        lambda g: g.explain(row_constraints={"nobody": [Immutable("age")]}),
        ConstraintError,
        "names row 'nobody'",
    ),
    "of a row, not in a list": (
        lambda g: g.explain(row_constraints={"person 1": Immutable("age")}),
        ConstraintError,
        "must be a list, such as .*got Immutable\\('age'\\)",
    ),
    "of rows, not in a mapping": (
        lambda g: g.explain(row_constraints=[Immutable("age")]),
        ConstraintError,
        "row_constraints must map index labels",
    ),
    "of a row, unknown column": (
        lambda g: g.explain(row_constraints={"person 1": [Immutable("agee")]}),
        ConstraintError,
        "Did you mean 'age'",
    ),
}


@pytest.mark.parametrize(("misuse", "kind", "message"), CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_a_mistake_in_a_constraint_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)
