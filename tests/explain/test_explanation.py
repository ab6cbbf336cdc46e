import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome

KINDS = pd.DataFrame(
    {
        "category": pd.Categorical(["a", "b"], categories=["a", "b", "never"]),
        "flag": [True, False],
        "small": np.array([1, 2], dtype=np.int8),
        "share": np.array([0.5, 0.25], dtype=np.float32),
        "word": ["x", "y"],
        "nullable": pd.array([1, None], dtype="Int64"),
        "day": pd.to_datetime(["2024-01-01", "2024-02-01"]),
        "gap": [1.5, np.nan],
    },
    index=["first", "second"],
)


def swapped(factuals: pd.DataFrame) -> Explanation:
    """Each of two rows becomes the other; the changed columns are those that differ."""
    count = len(factuals)
    found = factuals.iloc[::-1]
    pairs = zip(rows_of(factuals), rows_of(found), strict=True)
    changed = [[differs(old, new) for old, new in zip(*pair, strict=True)] for pair in pairs]
    return Explanation(
        factuals=factuals,
        counterfactuals=found,
        row=np.arange(count),
        rank=np.ones(count, dtype=np.int64),
        valid=np.ones(count, dtype=np.bool_),
        reward=np.linspace(0.75, 0.5, count),
        terms={"validity": np.linspace(1.0, 0.5, count)},
        changed=np.array(changed, dtype=np.bool_).reshape(count, factuals.shape[1]),
        strategy=np.ones(count, dtype=np.int64),
        probability=np.linspace(0.6, 0.7, count),
        probability_before=np.linspace(0.3, 0.2, count),
        targets=(1,) * count,
        predicted=(0,) * count,
        outcomes=(RowOutcome(Outcome.COMPLETE),) * count,
    )


def differs(old: object, new: object) -> bool:
    return pd.isna(old) != pd.isna(new) or (not pd.isna(old) and old != new)


def rows_of(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    return list(frame.itertuples(index=False, name=None))


def test_changes_name_column_old_and_new_value() -> None:
    changes = {column: (old, new) for column, old, new in swapped(KINDS[["small", "word", "flag"]]).changes(0)}
    assert changes == {"small": (1, 2), "word": ("x", "y"), "flag": (True, False)}


def test_the_length_counts_counterfactuals() -> None:
    assert len(swapped(KINDS).row) == 2


def test_the_frame_keeps_every_dtype() -> None:
    frame = swapped(KINDS).to_frame()
    assert frame.dtypes[list(KINDS.columns)].equals(KINDS.dtypes)
    pd.testing.assert_frame_equal(frame[list(KINDS.columns)], KINDS.iloc[::-1].reset_index(drop=True))


def test_the_frame_says_whose_it_is_and_how_it_was_judged() -> None:
    frame = swapped(KINDS[["small", "word"]]).to_frame()
    judged = ["factual", "rank", "strategy", "valid", "probability_before", "probability", "reward", "validity"]
    assert list(frame.columns) == ["small", "word", *judged, "changed"]
    assert list(frame["factual"]) == ["first", "second"]
    assert list(frame["strategy"]) == [1, 1]
    assert list(frame["probability_before"]) == [0.3, 0.2]
    assert list(frame["probability"]) == [0.6, 0.7]
    assert list(frame["reward"]) == [0.75, 0.5]
    assert list(frame["changed"]) == [("small", "word")] * 2


def test_names_the_table_already_uses_get_an_underscore() -> None:
    own = pd.DataFrame({"rank": [3, 4], "rank_": [5, 6], "reward": [7, 8], "factual": [9, 10]})
    frame = swapped(own).to_frame()
    assert list(frame["rank"]) == [4, 3]
    assert list(frame["rank__"]) == [1, 1]
    assert list(frame["reward_"]) == [0.75, 0.5]
    assert list(frame["factual_"]) == [0, 1]


def test_a_term_cannot_replace_a_judgement() -> None:
    answer = replace(swapped(KINDS), terms={"reward": np.zeros(2)})
    frame = answer.to_frame()
    assert list(frame["reward"]) == [0.75, 0.5]
    assert list(frame["reward_"]) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("index", "plain"),
    [
        (["a", "b"], ["a", "b"]),
        ([2.5, 7.0], [2.5, 7.0]),
        (pd.to_datetime(["2024-01-01", "2024-01-02"]), ["2024-01-01 00:00:00", "2024-01-02 00:00:00"]),
        (pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]), [["a", 1], ["b", 2]]),
        ([None, 3], [None, 3]),
        ([7, 7], [7, 7]),
    ],
    ids=["strings", "floats", "dates", "levels", "missing", "repeated"],
)
def test_rows_may_have_any_label(index: object, plain: list[object]) -> None:
    answer = swapped(KINDS.set_axis(pd.Index(index), axis=0))
    assert len(answer.to_frame()) == 2
    assert [row["factual"] for row in json.loads(answer.to_json())["rows"]] == plain
    assert repr(answer)
    assert answer.to_html()


def test_json_holds_each_factual_with_its_counterfactuals() -> None:
    told = json.loads(swapped(KINDS[["small", "word"]]).to_json())
    assert (told["asked"], told["confidence"]) == (1, None)
    assert told["rows"][0] == {
        "factual": "first",
        "values": {"small": 1, "word": "x"},
        "predicted": 0,
        "target": 1,
        "probability_before": 0.3,
        "outcome": "complete",
        "reason": "as many counterfactuals as asked for",
        "counterfactuals": [
            {
                "values": {"small": 2, "word": "y"},
                "rank": 1,
                "strategy": 1,
                "valid": True,
                "probability": 0.6,
                "reward": 0.75,
                "validity": 1.0,
                "changed": ["small", "word"],
            }
        ],
    }


def test_json_tells_the_confidence_that_was_asked_for() -> None:
    assert json.loads(replace(swapped(KINDS), confidence=0.75).to_json())["confidence"] == 0.75


def test_what_json_tells_of_a_counterfactual_does_not_depend_on_the_names_of_columns() -> None:
    own = pd.DataFrame({"factual": [1, 2], "probability_before": [3, 4], "rank": [5, 6]})
    told = json.loads(swapped(own).to_json())["rows"][0]["counterfactuals"][0]
    assert set(told) == {"values", "rank_", "strategy", "valid", "probability", "reward", "validity", "changed"}


def strict(text: str) -> object:
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_json_has_null_for_what_is_missing() -> None:
    told = strict(swapped(KINDS).to_json())
    assert told["rows"][1]["values"] == {
        "category": "b",
        "flag": False,
        "small": 2,
        "share": 0.25,
        "word": "y",
        "nullable": None,
        "day": "2024-02-01 00:00:00",
        "gap": None,
    }


def test_json_writes_infinity_as_text() -> None:
    told = strict(swapped(pd.DataFrame({"x": [np.inf, 1.0]})).to_json())
    assert told["rows"][0]["values"] == {"x": "inf"}


def test_json_and_html_are_written_where_asked(tmp_path: Path) -> None:
    answer = swapped(KINDS)
    assert answer.to_json(tmp_path / "new" / "a.json") == (tmp_path / "new" / "a.json").read_text(encoding="utf-8")
    assert answer.to_html(tmp_path / "a.html", title="Loans") == (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<title>Loans</title>" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_notebook_gets_html_and_a_plot_is_a_figure() -> None:
    answer = swapped(KINDS)
    assert '<div class="cfn">' in answer._repr_html_()
    assert isinstance(answer.plot(), Figure)


def test_an_empty_explanation_keeps_columns_and_dtypes() -> None:
    empty = swapped(KINDS.iloc[:0])
    frame = empty.to_frame()
    assert len(empty.row) == len(frame) == 0
    assert frame.dtypes[list(KINDS.columns)].equals(KINDS.dtypes)
    told = json.loads(empty.to_json())
    assert told == {"asked": 1, "confidence": None, "oddities": {"count": 0, "by_rule": {}}, "rows": []}


def test_a_reason_carries_its_detail() -> None:
    assert RowOutcome(Outcome.CONTRADICTION, "age").reason == f"{Outcome.CONTRADICTION.value}: age"
    assert RowOutcome(Outcome.CONTRADICTION).reason == Outcome.CONTRADICTION.value
