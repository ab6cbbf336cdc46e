"""Every option of a constraint becomes the object it is named after, with values of the column's own type."""

import pandas as pd
import pytest

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
    Schema,
)
from counterflownet.cli import parsed
from counterflownet.cli.constraint_options import rules
from counterflownet.errors import InvalidInputError


@pytest.fixture(scope="module")
def schema() -> Schema:
    frame = pd.DataFrame(
        {
            "age": [20, 30],
            "a=b": [1, 2],
            "x, y": [0.5, 1.5],
            "level": [1, 2],
            "grade": ["low", "high"],
            "flag": [True, False],
            "day": pd.to_datetime(["2024-01-01", "2024-03-01"]),
        }
    )
    return Schema.infer(frame, kinds={"level": "categorical"}, orders={"grade": ["low", "high"]})


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--immutable", "age,grade", "--immutable", "flag"], [Immutable("age", "grade", "flag")]),
        (["--mutable", 'age, "x, y"'], [Mutable("age", "x, y")]),
        (["--increasing", "age"], [Increasing("age")]),
        (["--decreasing", "age"], [Decreasing("age")]),
        (["--range", "age=1:5.5", "--range", "age=-2:"], [Range("age", 1, 5.5), Range("age", -2, None)]),
        (["--range", "a=b=:5"], [Range("a=b", None, 5)]),
        (["--range", "grade=low:high"], [Range("grade", "low", "high")]),
        (["--range", "day=2024-01-01:2024-02-01"], [Range("day", "2024-01-01", "2024-02-01")]),
        (
            ["--range", "day=2024-01-01T10:00:2024-02-01T11:30"],
            [Range("day", "2024-01-01T10:00", "2024-02-01T11:30")],
        ),
        (["--one-of", "level=1,2"], [OneOf("level", [1, 2])]),
        (["--not-one-of", "flag=true"], [NotOneOf("flag", [True])]),
        (["--max-step", "age=3", "--max-changes", "2"], [MaxStep("age", 3), MaxChanges(2)]),
        ([], []),
    ],
)
def test_an_option_is_the_constraint_of_its_name(schema, words, expected):
    found = rules(parsed(["explain", "file.cfn", "rows.csv", *words]), schema)
    assert list(map(repr, found)) == list(map(repr, expected))


def test_an_unknown_column_is_named(schema):
    with pytest.raises(InvalidInputError, match="unknown column in --range 'aeg'"):
        rules(parsed(["explain", "file.cfn", "rows.csv", "--range", "aeg=1:2"]), schema)
