"""What is said of rows of anybody's making: what follows from a change is not held against it."""

import pandas as pd
import pytest

from counterflownet import Derived, Immutable, Mutable, Schema
from counterflownet.serve.judging import broken_by, changed_cells

TABLE = pd.DataFrame({"paid": [1, 2, 3], "twice": [2, 4, 6], "age": [30, 40, 50]})
SCHEMA = Schema.infer(TABLE)
TWICE = Derived("twice", from_=["paid"], by=lambda rows: 2 * rows["paid"])


@pytest.mark.parametrize(
    ("constraint", "edits", "broken"),
    [
        (Mutable("paid"), {"paid": 3, "twice": 6}, False),
        (Mutable("paid"), {"paid": 3, "twice": 6, "age": 40}, True),
        (Mutable("age"), {"paid": 3, "twice": 6}, True),
        (Immutable("twice"), {"paid": 3, "twice": 6}, True),
    ],
)
def test_only_what_was_changed_breaks_a_constraint_of_what_may_change(constraint, edits, broken) -> None:
    before, after = TABLE.iloc[:1], TABLE.iloc[:1].assign(**edits)
    changed = changed_cells(SCHEMA, before, after, [constraint, TWICE])
    assert broken_by(SCHEMA, before, after, constraint, changed).tolist() == [broken]
