"""The table that tests of constraints share: a column of every kind, each with one code per value."""

import numpy as np
import pandas as pd

from counterflownet._space import CodeSpace
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.schema import Schema

GRADES = ["low", "mid", "high", "top", "best"]
DAYS = ["2020-01-01", "2020-01-11", "2020-02-01", "2020-03-01", "2021-01-01"]
ROW = {
    "age": 40,
    "income": 4.0,
    "joined": pd.Timestamp("2020-02-01"),
    "grade": "high",
    "job": "cook",
    "member": True,
}
X = pd.DataFrame(
    {
        "age": [20, 30, 40, 50, 60],
        "income": [1.0, 2.5, 4.0, 5.5, 7.0],
        "joined": pd.to_datetime(DAYS),
        "grade": pd.Categorical(GRADES, GRADES, ordered=True),
        "job": ["cook", "nurse", "pilot", "smith", "tailor"],
        "member": [True, False, True, True, False],
    }
)
SCHEMA = Schema.infer(X)
SPACE: CodeSpace = SCHEMA.space


def rows_like(*changes: dict) -> pd.DataFrame:
    """The usual row once for each of the changes, with the types of the table."""
    return pd.DataFrame([ROW | change for change in changes], columns=list(ROW)).astype({"grade": X["grade"].dtype})


def compiled(*constraints, by_label=None, **changed) -> Allowance:
    """What constraints make of the usual row, or of one that differs from it."""
    return compiled_for(Codec(SCHEMA, rows_like(changed)), constraints, by_label)


def compiled_for(codec: Codec, constraints, by_label=None) -> Allowance:
    """What constraints make of these rows."""
    return CheckedConstraints.of(codec.schema, constraints, by_label, codec.rows.index).compiled(codec)


def left(allowance: Allowance, column: str, row: int = 0) -> list:
    """The values that a column may be changed to."""
    flags = allowance.allowed.codes[row, SPACE.span(SCHEMA.position(column))].numpy()
    return [SCHEMA[column].values[code] for code in np.flatnonzero(flags)]


def must_change(allowance: Allowance, row: int = 0) -> list:
    return [SCHEMA.names[d] for d in np.flatnonzero(allowance.allowed.required[row].numpy())]
