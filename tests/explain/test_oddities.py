"""Answers that break what all training rows keep are counted, by the line of code; nothing is when all keep it."""

import json

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet, Derived, LessEqual, Schema
from counterflownet.errors import SavedFileError
from counterflownet.explain.oddities import Oddities, oddities, relations_at_fit
from counterflownet.files import read_tensors, write_tensors

DRAW = np.random.default_rng(0)
COUNT = 300
SCHOOL = DRAW.integers(0, 6, COUNT)
TABLE = pd.DataFrame(
    {"school": [f"s{number}" for number in SCHOOL], "years": SCHOOL * 2, "income": DRAW.integers(10, 90, COUNT)}
)
LOOKUP = "Derived.lookup('years', 'school', X)"


def model(rows: pd.DataFrame) -> np.ndarray:
    """Years of school alone decide, so that every single change of them is an answer, and an odd one."""
    chance = 1 / (1 + np.exp(-(rows["years"].to_numpy(dtype=float) - 5.5)))
    return np.column_stack([1 - chance, chance])


@pytest.fixture(scope="module", name="explainer")
def fitted() -> CounterFlowNet:
    return CounterFlowNet(model, classes=["no", "yes"], training={"steps": 2}).fit(TABLE)


def test_the_explainer_knows_what_all_training_rows_keep(explainer) -> None:
    assert list(map(repr, explainer.relations)) == [LOOKUP]


def test_answers_that_break_it_are_counted_by_the_line_of_code(explainer) -> None:
    answer = explainer.explain(TABLE[TABLE["years"] < 4].head(3), target="yes", count=2)
    assert answer.oddities == Oddities(len(answer), {LOOKUP: len(answer)})
    assert answer.to_dict()["oddities"] == {"count": len(answer), "by_rule": {LOOKUP: len(answer)}}


def test_every_view_says_so(explainer) -> None:
    answer = explainer.explain(TABLE[TABLE["years"] < 4].head(1), target="yes", count=1)
    for text in (repr(answer).replace("\n", " "), answer._repr_html_(), answer.to_html()):
        assert "1 counterfactual breaks what all training rows keep" in text


def test_nothing_is_said_where_nothing_is_odd(explainer) -> None:
    answer = explainer.explain(TABLE[TABLE["years"] > 6].head(2), target="yes", count=1)
    assert (answer.oddities, bool(answer.oddities)) == (Oddities(), False)
    assert "training rows keep" not in repr(answer) + answer._repr_html_()


def test_an_answer_that_breaks_two_relations_is_one_odd_answer() -> None:
    schema = Schema.infer(TABLE)
    rules = (*relations_at_fit(schema, TABLE, ()), LessEqual("years", "income"))
    after = TABLE.head(3).assign(years=[100, *TABLE["years"].iloc[1:3]])
    found = oddities(schema, rules, TABLE.head(3), after)
    assert found == Oddities(1, {LOOKUP: 1, "LessEqual('years', 'income')": 1})


def test_a_lookup_that_is_given_at_fit_is_known_from_then_on() -> None:
    given = Derived.lookup("school", "years", TABLE)
    known = relations_at_fit(Schema.infer(TABLE), TABLE, [given])
    assert known[0] is given


def test_a_saved_explainer_knows_the_relations_and_a_private_one_no_pairs_of_cells(explainer, tmp_path) -> None:
    loaded = CounterFlowNet.load(explainer.save(tmp_path / "a.cfn"), model, classes=["no", "yes"])
    assert loaded.relations == explainer.relations
    path = explainer.save(tmp_path / "b.cfn", private=True)
    private = CounterFlowNet.load(path, model, classes=["no", "yes"], reference=TABLE)
    assert private.relations == []


def changed_file(explainer, path, change) -> None:
    explainer.save(path)
    header, tensors = read_tensors(path, kind="explainer", version=4)
    change(header)
    write_tensors(path, header, tensors)


def test_a_file_of_before_has_none(explainer, tmp_path) -> None:
    changed_file(explainer, tmp_path / "old.cfn", lambda header: header.pop("relations"))
    loaded = CounterFlowNet.load(tmp_path / "old.cfn", model, classes=["no", "yes"])
    assert loaded.relations == []
    assert loaded.explain(TABLE.head(2), target="yes").oddities == Oddities()


@pytest.mark.parametrize(
    "forged",
    [
        "rules",
        [1],
        [{"immutable": ["school"]}],
        [{"if": "school changes", "then": "years changes"}],
        [{"less_equal": ["years", "nowhere"]}],
        [{"derived": "years", "from": "school", "values": [["s1", "many"]]}],
        [{"derived": "years", "from": "school", "values": [["s1", None]]}],
        [{"derived": "years", "from": "school", "values": [[["s1"], 1]]}],
    ],
    ids=json.dumps,
)
def test_forged_relations_are_an_error_before_they_can_count(forged, explainer, tmp_path) -> None:
    changed_file(explainer, tmp_path / "forged.cfn", lambda header: header.update(relations=forged))
    with pytest.raises(SavedFileError):
        CounterFlowNet.load(tmp_path / "forged.cfn", model, classes=["no", "yes"])
