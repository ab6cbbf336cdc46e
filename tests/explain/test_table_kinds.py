"""Every kind of table that people bring is taken, and answers come back as the same kind."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from table_kinds import COUNT, KINDS, REFUSED, Brought

from counterflownet import CounterFlowNet, Schema
from counterflownet.errors import InvalidInputError
from counterflownet.tabular.frame import as_frame

TINY = {"training": {"steps": 3, "batch_rows": 16, "width": 16, "passes": 1}, "weights": {"plausibility": 0}}


def model(rows: pd.DataFrame) -> np.ndarray:
    """Whoever has more income is better off; a missing one counts as little."""
    first = rows.iloc[:, 0].astype("float64").fillna(0.0).to_numpy()
    return np.clip(first / 6_000, 0, 1)


def explained(brought: Brought, rows: Any) -> Any:
    explainer = CounterFlowNet(model, classes=["no", "yes"], **TINY, **brought.options).fit(brought.table)
    return explainer.explain(rows, count=2, rounds=1)


def of_pandas(table: Any) -> pd.DataFrame:
    return as_frame(table, columns=["income", "ratio"] if getattr(table, "shape", (0, 0))[1:] == (2,) else None)


@pytest.fixture(params=sorted(KINDS))
def brought(request: pytest.FixtureRequest) -> Brought:
    return KINDS[request.param]()


def test_there_are_as_many_kinds_as_promised() -> None:
    assert len(KINDS) >= 25


def test_any_table_is_explained_and_answered_in_kind(brought: Brought) -> None:
    few = first_rows(brought.table)
    answer = explained(brought, few)
    frame = answer.to_frame()
    assert len(answer.row) > 0
    assert answer.valid.all()
    assert type(frame) is (type(few) if isinstance(few, (pl.DataFrame, pa.Table)) else pd.DataFrame)
    assert_untouched(answer, few, frame)
    for name in brought.untouched:
        assert not answer.changed[:, list(answer.factuals.columns).index(name)].any()


def first_rows(table: Any) -> Any:
    if isinstance(table, dict):
        return {name: values[:4] for name, values in table.items()}
    return table.collect()[:4] if isinstance(table, pl.LazyFrame) else table[:4]


def assert_untouched(answer: Any, few: Any, frame: Any) -> None:
    """Cells that were not changed are what they were, in columns of the same types."""
    if isinstance(few, (pl.DataFrame, pa.Table)):
        names = list(few.schema.names() if isinstance(few, pl.DataFrame) else few.schema.names)
        before = [few[name].to_pylist() if isinstance(few, pa.Table) else few[name].to_list() for name in names]
        after = [frame[name].to_pylist() if isinstance(few, pa.Table) else frame[name].to_list() for name in names]
        same_types = [few[name].dtype if isinstance(few, pl.DataFrame) else few[name].type for name in names]
        assert same_types == [
            frame[name].dtype if isinstance(few, pl.DataFrame) else frame[name].type for name in names
        ]
    else:
        before = [answer.factuals.iloc[:, n].tolist() for n in range(answer.factuals.shape[1])]
        after = [frame.iloc[:, n].tolist() for n in range(answer.factuals.shape[1])]
        assert list(answer.factuals.dtypes) == list(frame.dtypes)[: len(before)]
    for column, (old, new) in enumerate(zip(before, after, strict=True)):
        for number, changed in enumerate(answer.changed[:, column].tolist()):
            first, second = old[answer.row[number]], new[number]
            same = first == second or (pd.isna(first) and pd.isna(second))
            assert same is not changed


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_anything_else_is_an_error_of_ours(kind: str) -> None:
    with pytest.raises(InvalidInputError):
        Schema.infer(REFUSED[kind]())


def test_the_kinds_are_of_the_same_rows() -> None:
    assert {len(of_pandas(KINDS[kind]().table)) for kind in ("pandas", "polars", "pyarrow")} == {COUNT}


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_columns_that_are_not_known_are_carried_along(kind: str) -> None:
    brought, notes = KINDS[kind](), [f"note {number}" for number in range(COUNT)]
    table = brought.table
    wider = {
        "pandas": lambda: pd.concat([pd.Series(notes, name="note"), table], axis=1),
        "polars": lambda: table.insert_column(0, pl.Series("note", notes)),
        "pyarrow": lambda: table.add_column(0, "note", pa.array(notes)),
    }[kind]()
    explainer = CounterFlowNet(lambda rows: model(rows[["income"]]), classes=["no", "yes"], **TINY)
    answer = explainer.fit(KINDS[kind]().table).explain(wider[5:8], count=1, rounds=1)
    found = of_pandas(answer.to_frame())
    assert found.columns[0] == "note"
    assert found["note"].tolist() == [notes[5 + row] for row in answer.row]
    assert not answer.changed[:, 0].any()
