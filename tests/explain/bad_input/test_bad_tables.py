"""Tables that cannot be fitted or explained."""

import numpy as np
import pandas as pd
import pytest
from misuse import Cases, assert_told_in_words

from counterflownet import (
    Schema,
)
from counterflownet.errors import (
    InvalidInputError,
)

TABLES: Cases = {
    "explain: a column missing": (
        lambda g: g.explainer.explain(g.people.drop(columns="age")),
        InvalidInputError,
        "rows lacks 1 of the 9 columns.*age",
    ),
    "explain: a column misspelt": (
        lambda g: g.explainer.explain(g.people.rename(columns={"income": "incomes"})),
        InvalidInputError,
        "Did you mean 'incomes'",
    ),
    "explain: text in a column of numbers": (
        lambda g: g.explainer.explain(g.people.astype({"age": str})),
        InvalidInputError,
        "'age' must hold.* numbers; got '.*pd.to_numeric",
    ),
    "explain: an array": (
        lambda g: g.explainer.explain(g.people.to_numpy()[:, :2]),
        InvalidInputError,
        "with the 9 columns .*; got the shape \\(120, 2\\)",
    ),
    "explain: no rows": (lambda g: g.explainer.explain(g.people.head(0)), InvalidInputError, "rows has no rows"),
    "explain: no rows in a list": (lambda g: g.explainer.explain([]), InvalidInputError, "must be a frame"),
    "explain: doubled names": (
        lambda g: g.explainer.explain(pd.concat([g.people, g.people[["age"]]], axis=1)),
        InvalidInputError,
        "duplicate column names: age",
    ),
    "explain: infinite": (
        lambda g: g.explainer.explain(g.people.head(2).assign(income=[1.0, np.inf])),
        InvalidInputError,
        "'income' of rows is infinite.* in row 'person 1'",
    ),
    "fit: an array": (
        lambda g: g.make().fit(g.plain.to_numpy()),
        InvalidInputError,
        "training table is an array without names",
    ),
    "fit: no rows": (lambda g: g.fit(X=g.plain.head(0)), InvalidInputError, "training table has no rows"),
    "fit: no columns": (lambda g: g.fit(X=g.plain[[]]), InvalidInputError, "no columns; give a table"),
    "fit: doubled names": (
        lambda g: g.fit(X=g.plain.set_axis(["a", "a"], axis=1)),
        InvalidInputError,
        "duplicate column names: a. Rename",
    ),
    "fit: infinite": (
        lambda g: g.fit(X=g.plain.assign(b=[*range(39), -np.inf])),
        InvalidInputError,
        "'b' of the training table is infinite.* in row 39",
    ),
    "fit: other columns than the schema's": (
        lambda g: g.fit(X=g.plain, schema=Schema.infer(g.plain.rename(columns={"b": "c"}))),
        InvalidInputError,
        "lacks 1 of the 2 columns.*: c",
    ),
    "fit: text in a column that the schema calls a number": (
        lambda g: g.fit(X=g.plain.astype({"b": str}), schema=Schema.infer(g.plain)),
        InvalidInputError,
        "'b' must hold.* numbers",
    ),
    "fit: no schema": (lambda g: g.fit(schema={"a": "continuous"}), InvalidInputError, "schema must be a Schema; got"),
}


@pytest.mark.parametrize(("misuse", "kind", "message"), TABLES.values(), ids=TABLES)
def test_a_mistake_in_a_table_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)
