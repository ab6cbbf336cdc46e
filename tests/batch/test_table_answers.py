"""A table becomes tables of answers, and no row takes another with it."""

from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from made_people import RAISES, TINY, people

from counterflownet import AtLeast, CounterFlowNet
from counterflownet.batch import answer_table
from counterflownet.errors import InvalidInputError

ASKED = {"id_column": "name", "target": "yes", "count": 2, "samples": 10, "rounds": 1}


def test_answers_are_those_of_the_library(explainer) -> None:
    rows = people(12)
    told = answer_table(explainer, rows, **ASKED).answers.to_pandas()
    known = explainer.explain(rows.set_index("name"), target="yes", count=2, samples=10, rounds=1).to_frame()
    assert len(known) > 0
    for name in ("factual", "rank", "strategy", "age", "income", "town", "probability", "reward", "sparsity"):
        np.testing.assert_array_equal(told[name], known[name])
    assert [tuple(names) for names in told["changed"]] == list(known["changed"])


def test_every_id_is_told_once(explainer) -> None:
    told = answer_table(explainer, pa.Table.from_pandas(people(12)), **ASKED)
    assert told.rows["factual"].to_pylist() == people(12)["name"].tolist()
    assert told.errors.num_rows == 0
    assert set(told.rows["outcome"].to_pylist()) <= {"complete", "partial", "already_target"}
    counts = told.answers.to_pandas()["factual"].value_counts()
    assert told.rows["answers"].to_pylist() == [counts.get(name, 0) for name in people(12)["name"]]
    assert "12 rows explained" in repr(told)


def test_what_comes_of_a_row_does_not_depend_on_the_rows_beside_it(explainer) -> None:
    rows = people(12)
    whole = answer_table(explainer, rows, **ASKED).answers
    parts = [answer_table(explainer, rows.iloc[part], **ASKED).answers for part in (slice(7, 12), slice(0, 7))]
    order = [("factual", "ascending"), ("rank", "ascending")]
    assert whole.sort_by(order).equals(pa.concat_tables(parts).sort_by(order))


def test_rows_that_fail_are_errors_and_the_others_are_answered(explainer) -> None:
    rows = people(9)
    rows.loc[4, "mood"] = RAISES
    rows["income"] = rows["income"].astype(object)
    rows.loc[7, "income"] = "plenty"
    told = answer_table(explainer, rows, **ASKED)
    assert told.errors["factual"].to_pylist() == ["p4", "p7"]
    assert told.errors["row"].to_pylist() == [4, 7]
    assert "beyond me" in told.errors["reason"][0].as_py()
    assert "'plenty'" in told.errors["reason"][1].as_py()
    clean = answer_table(explainer, people(9).drop(index=[4, 7]), **ASKED)
    assert told.answers.sort_by("factual")["age"].equals(clean.answers.sort_by("factual")["age"])


def test_ids_that_are_missing_or_met_before_are_errors(explainer) -> None:
    rows = people(5)
    rows.loc[1, "name"] = None
    rows.loc[3, "name"] = "p0"
    told = answer_table(explainer, rows, **ASKED)
    assert told.rows["factual"].to_pylist() == ["p0", "p2", "p4"]
    assert [reason[:12] for reason in told.errors["reason"].to_pylist()] == ["the row has ", "the id 'p0' "]


def test_all_shards_have_the_same_types(explainer) -> None:
    full, empty = (answer_table(explainer, rows, **ASKED) for rows in (people(12), people(12).head(0)))
    for name in ("answers", "rows", "errors"):
        kinds = [getattr(told, name).schema.remove(0) for told in (full, empty)]  # no row, no type of its id
        assert kinds[0] == kinds[1]


def test_a_table_without_the_columns_or_the_id_is_an_error(explainer) -> None:
    told = answer_table(explainer, people(2).drop(columns="age"), **ASKED)
    assert "lacks columns of the explainer: 'age'" in told.errors["reason"][0].as_py()
    with pytest.raises(InvalidInputError, match=r"unknown id column 'number'"):
        answer_table(explainer, people(2), **{**ASKED, "id_column": "number"})


def test_a_column_called_like_one_of_ours_keeps_its_name(explainer) -> None:
    rows = people(12).rename(columns={"name": "rank"})
    told = answer_table(explainer, rows, **{**ASKED, "id_column": "rank"}).answers
    assert set(told["factual"].to_pylist()) <= set(rows["rank"])
    assert set(told["rank"].to_pylist()) == {1, 2}


def test_a_regressor_has_predictions_and_says_where_they_were_to_lie() -> None:
    rows = people(60)[["name", "age", "income"]]
    model = partial(_limit, factor=10.0)
    explainer = CounterFlowNet(model, task="regression", training=TINY).fit(rows.drop(columns="name"), progress=False)
    told = answer_table(explainer, rows.head(4), id_column="name", target=AtLeast(330.0), count=1)
    assert set(told.rows["target"].to_pylist()) == {"AtLeast(330)"}
    np.testing.assert_allclose(told.rows["predicted"].to_numpy(), 10.0 * rows["income"].head(4))
    assert min(told.answers["prediction"].to_pylist()) >= 330.0


def _limit(rows, factor: float):
    return factor * rows["income"].to_numpy(dtype=float)
