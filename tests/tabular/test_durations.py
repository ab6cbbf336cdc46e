from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.allowance import allowed_codes
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Increasing, MaxStep, Range
from counterflownet.tabular.durations import day_count, duration
from counterflownet.tabular.feature import Kind
from counterflownet.tabular.schema import Schema

X = pd.DataFrame({"wait": pd.to_timedelta([1, 2, 3, 4], unit="D")})


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_are_a_kind_of_their_own_and_can_be_saved(unit: str) -> None:
    schema = Schema.infer(X.astype(f"timedelta64[{unit}]"))
    assert schema["wait"].kind is Kind.DURATION
    assert schema["wait"].values == tuple(pd.to_timedelta([1, 2, 3, 4], unit="D"))
    assert Schema.from_json(schema.to_json()) == schema


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [
        (Increasing("wait"), [False, False, True, True]),
        (MaxStep("wait", timedelta(days=1)), [True, False, True, False]),
        (Range("wait", high="3 days"), [True, False, True, False]),
        (Range("wait", low=np.timedelta64(3, "D")), [False, False, True, True]),
    ],
)
def test_constraints_understand_durations(rule: object, allowed: list[bool]) -> None:
    codec = Codec(Schema.infer(X), X.iloc[[1]])
    assert allowed_codes(codec, [rule])[0].tolist() == allowed


def test_a_duration_to_the_microsecond_is_the_same_again() -> None:
    span = pd.Timedelta(days=3, hours=7, microseconds=1)
    assert duration(day_count(span)) == span


def test_anything_else_in_such_a_column_is_an_error() -> None:
    schema = Schema.infer(X)
    with pytest.raises(InvalidInputError, match="'wait' must hold durations; got 'soon'"):
        schema["wait"].numbers(pd.Series(["soon"], name="wait"))
