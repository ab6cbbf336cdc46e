"""Decoded rows are looked at once more: by their values, not by the codes they were made from."""

import numpy as np
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
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.verification import DecodedRows

SIZES = ["small", "middle", "large"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 80, 300),
            "income": draw.normal(30, 10, 300).round(1),
            "job": draw.choice(["cook", "clerk", "pilot"], 300),
            "size": pd.Categorical(draw.choice(SIZES, 300), SIZES, ordered=True),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(draw.integers(0, 900, 300), unit="D"),
        }
    )


BREACHES = [
    (Immutable("age"), {"age": 50}),
    (Mutable("job"), {"age": 50}),
    (Increasing("age"), {"age": 29}),
    (Decreasing("age"), {"age": 31}),
    (Increasing("size"), {"size": "small"}),
    (Increasing("since"), {"since": pd.Timestamp("2020-12-31")}),
    (Range("age", 40, 60), {}),
    (Range("age", 40, 60), {"age": 61}),
    (Range("since", high="2021-06-01"), {"since": pd.Timestamp("2021-06-02")}),
    (OneOf("job", ["pilot"]), {"age": 31}),
    (NotOneOf("job", ["pilot"]), {"job": "pilot"}),
    (MaxStep("income", 5), {"income": 25.1}),
    (MaxStep("since", 3), {"since": pd.Timestamp("2021-01-05")}),
    (MaxChanges(1), {"age": 31, "job": "pilot"}),
]


def judged(people: pd.DataFrame, rule: object, changes: dict[str, object], *, flagged: bool = True) -> bool:
    row = people.head(2).assign(age=30, income=20.0, job="cook", since=pd.Timestamp("2021-01-01"))
    row["size"] = pd.Categorical(["middle"] * 2, SIZES, ordered=True)
    schema = Schema.infer(people)
    edited = row.iloc[[1]].reset_index(drop=True)
    for name, value in changes.items():
        edited[name] = pd.Series([value]).astype(row[name].dtype)
    changed = np.array([[flagged and name in changes for name in schema.names]])
    decoded = DecodedRows(schema, row, edited, np.array([1]), changed)
    return bool(decoded.sound(CheckedConstraints.of(schema, [] if rule is None else [rule]))[0])


@pytest.mark.parametrize(("rule", "changes"), BREACHES, ids=lambda given: repr(given)[:60])
def test_every_kind_of_breach_is_seen_on_the_values(people, rule, changes) -> None:
    assert not judged(people, rule, changes)


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        (Immutable("age"), {"job": "pilot"}),
        (Mutable("job"), {"job": "pilot"}),
        (Increasing("age"), {"age": 31}),
        (Decreasing("size"), {"size": "small"}),
        (Range("age", 40, 60), {"age": 60}),
        (OneOf("job", ["pilot"]), {"job": "pilot"}),
        (NotOneOf("job", ["pilot"]), {"job": "clerk"}),
        (MaxStep("income", 5), {"income": 25.0}),
        (MaxChanges(1), {"age": 31}),
    ],
    ids=lambda given: repr(given)[:60],
)
def test_what_is_allowed_passes(people, rule, changes) -> None:
    assert judged(people, rule, changes)


def test_a_cell_that_differs_though_nothing_was_changed_is_seen(people) -> None:
    assert not judged(people, None, {"income": 21.0}, flagged=False)
    assert judged(people, None, {}, flagged=False)


def test_a_change_to_the_same_value_goes_neither_up_nor_down(people) -> None:
    assert not judged(people, Increasing("age"), {"age": 30})
    assert not judged(people, Decreasing("age"), {"age": 30})


def test_constraints_of_a_row_are_looked_at_in_its_answers_alone(people) -> None:
    rows = people.head(3).assign(age=[30, 40, 50]).set_axis(["a", "b", "c"])
    row = np.array([0, 1, 1, 2])
    edited = rows.iloc[row].reset_index(drop=True).assign(age=[31, 39, 41, 49])
    changed = np.tile(np.array([name == "age" for name in rows.columns]), (4, 1))
    decoded = DecodedRows(Schema.infer(people), rows, edited, row, changed)
    own = CheckedConstraints.of(decoded.schema, [], {"b": [Increasing("age")], "c": [MaxChanges(1)]}, rows.index)
    assert decoded.sound(own).tolist() == [True, False, True, True]
    assert decoded.sound(CheckedConstraints.of(decoded.schema, [Increasing("age")])).tolist() == [
        True,
        False,
        True,
        False,
    ]
