"""Why nothing is left of a row: told with the constraints of that row, and with no other's."""

import pandas as pd
from constrained_table import SCHEMA, compiled_for, rows_like

from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Immutable, Range


def test_a_row_is_not_told_of_constraints_that_only_others_have():
    rows = rows_like({}, {}, {}).set_axis(["first", "second", "third"])
    own = {"first": [Range("age", high=30), Immutable("age")], "second": [Range("age", low=50), Immutable("age")]}
    told = compiled_for(Codec(SCHEMA, rows), [Range("age", high=55)], own).contradictions
    assert set(told) == {0, 1}
    everyone, low, high = (repr(Range("age", *bounds)) for bounds in ((None, 55), (None, 30), (50, None)))
    assert [[text in reason for text in (everyone, low, high)] for reason in (told[0], told[1])] == [
        [True, True, False],
        [True, False, True],
    ]


def test_a_label_that_occurs_twice_stands_for_both_rows():
    rows = rows_like({}, {}, {}).set_axis(pd.Index(["a", "b", "a"]))
    told = compiled_for(Codec(SCHEMA, rows), [], {"a": [Range("age", high=30), Immutable("age")]}).contradictions
    assert set(told) == {0, 2}
