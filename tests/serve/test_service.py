"""The routes: what they answer is what the library answers, and what is wrong is said in a sentence."""

import json
from copy import copy
from dataclasses import replace

import pandas as pd
import pytest
from served import client_of, served

from counterflownet import Immutable, Increasing, MaxChanges
from counterflownet.datasets import german_credit
from counterflownet.serve import create_app
from counterflownet.serve.loosening import loosening
from counterflownet.serve.parts import record_of

RULES = [Immutable("sex", "purpose"), Increasing("age"), MaxChanges(3)]
RECORDS = [{"immutable": ["sex", "purpose"]}, {"increasing": ["age"]}, {"max_changes": 3}]


def told(explanation) -> list[dict]:
    return json.loads(json.dumps(record_of(explanation)))["rows"]


def test_it_runs_and_is_ready(client, demo) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready", "explainer": demo.fingerprint.explainer}


def test_the_schema_tells_kinds_values_ranges_and_orders(schema) -> None:
    columns = {column["name"]: column for column in schema["columns"]}
    X = german_credit().X
    assert list(columns) == list(X.columns)
    assert columns["age"] | {"usual": None} == {
        "name": "age",
        "kind": "integer",
        "ordered": True,
        "values": [],
        "low": int(X["age"].min()),
        "high": int(X["age"].max()),
        "whole": True,
        "timed": False,
        "usual": None,
    }
    assert columns["job"]["values"] == list(X["job"].cat.categories)
    assert columns["telephone"]["values"] == [False, True]
    assert {"increasing": ["age"]} in schema["constraints"]


def test_rows_come_with_what_is_predicted(client, applicants, demo) -> None:
    first = client.get("/v1/rows").json()["rows"][0]
    assert first["label"] == applicants.index[0]
    assert first["probabilities"] == demo.classifier.probabilities(applicants.iloc[[0]])[0].tolist()


@pytest.mark.parametrize(
    "asking",
    [{}, {"weights": {"sparsity": 0.9}, "costs": {"age": 4}}, {"confidence": 0.7, "diversity": 0.8}, {"seed": 5}],
    ids=repr,
)
def test_explain_answers_as_the_library_does(asked, rows, applicants, demo, asking) -> None:
    got = asked("/v1/explain", rows=rows[:2], target="good", count=3, constraints=RECORDS, **asking)
    explainer, seed = copy(demo), asking.get("seed", 0)
    explainer.settings = replace(demo.settings, seed=seed)
    frame, wishes = applicants.head(2).reset_index(drop=True), {k: v for k, v in asking.items() if k != "seed"}
    assert got["rows"] == told(explainer.explain(frame, target="good", count=3, constraints=RULES, **wishes))


def test_labels_name_the_rows(asked, rows) -> None:
    got = asked("/v1/explain", rows=rows[:2], labels=["Ada", 7], target="good", count=1)
    assert [row["factual"] for row in got["rows"]] == ["Ada", 7]
    assert [row["values"] for row in got["rows"]] == rows[:2]


def test_sample_answers_as_the_library_does(asked, rows, applicants, demo) -> None:
    got = asked("/v1/sample", rows=rows[:1], target="good", samples=4, constraints=RECORDS)
    frame = applicants.head(1).reset_index(drop=True)
    assert got["rows"] == told(demo.sample(frame, target="good", samples=4, constraints=RULES))


def test_predict_answers_as_the_classifier_does(asked, rows, applicants, demo) -> None:
    got = asked("/v1/predict", rows=rows[:3])
    assert [row["probabilities"] for row in got["rows"]] == demo.classifier.probabilities(applicants.head(3)).tolist()


def test_answers_of_explain_are_judged_as_they_were(asked, rows) -> None:
    row = asked("/v1/explain", rows=rows[:1], target="good", constraints=RECORDS)["rows"][0]
    found = row["counterfactuals"]
    answers = [answer["values"] for answer in found]
    got = asked(
        "/v1/score", factuals=rows[:1] * len(found), counterfactuals=answers, target="good", constraints=RECORDS
    )
    for one, other in zip(got["rows"], found, strict=True):
        assert not one["broken"]
        assert one["valid"]
        assert sorted(one["changed"]) == sorted(other["changed"])
        assert one["probability"] == other["probability"]
        assert one["reward"] == pytest.approx(other["reward"])


def test_what_breaks_a_constraint_is_told_by_its_position(asked, rows) -> None:
    younger = rows[0] | {"age": rows[0]["age"] - 1, "sex": "male" if rows[0]["sex"] == "female" else "female"}
    got = asked("/v1/score", factuals=rows[:1], counterfactuals=[younger], target="good", constraints=RECORDS)
    assert got["rows"][0]["broken"] == [0, 1]


def test_constraints_that_stand_in_the_way_are_found(asked, rows, schema) -> None:
    names = [column["name"] for column in schema["columns"]]
    locked = [{"immutable": [name]} for name in names]
    nothing = asked("/v1/explain", rows=rows[:1], target="good", constraints=locked)["rows"][0]
    assert nothing["outcome"] == "nothing_allowed"
    got = asked("/v1/loosen", rows=rows[:1], target="good", constraints=locked)
    helping = [names[way["constraint"]] for way in got["ways"]]
    assert helping
    assert [way["changed"] for way in got["ways"]] == [[name] for name in helping]
    assert got["without_all"] == 3
    assert got["surest"] is None


def test_the_highest_certainty_that_can_be_had_is_told(asked, rows) -> None:
    question = {"rows": rows[:1], "target": "good", "constraints": [*RECORDS, {"max_changes": 1}]}
    surest = asked("/v1/loosen", **question, confidence=0.99)["surest"]
    assert 0.55 <= surest["confidence"] <= surest["probability"]
    less, more = (
        asked("/v1/explain", **question, confidence=surest["confidence"] + step)["rows"][0]["counterfactuals"]
        for step in (0, 0.05)
    )
    assert surest["values"] == less[0]["values"]
    assert not more


def test_loosening_ends_in_time_with_what_it_knows(demo, applicants) -> None:
    row, names = applicants.head(1), list(applicants.columns)
    asked = {"target": "good", "confidence": 0.99}
    found = loosening(demo, row, [Immutable(name) for name in names], asked, until=0)
    assert found["surest"] is None
    assert {way["constraint"] for way in found["ways"]} <= set(range(15))


def test_contradictions_are_loosened_as_well(asked, rows) -> None:
    both = [{"range": "age", "low": 70}, {"immutable": ["age"]}]
    assert asked("/v1/explain", rows=rows[:1], target="good", constraints=[both[1]])["rows"][0]["counterfactuals"]
    got = asked("/v1/loosen", rows=rows[:1], target="good", constraints=both)
    assert {way["constraint"] for way in got["ways"]} <= {0, 1}
    assert got["ways"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"rows": []}, "at least 1 item"),
        ({"rows": [{}]}, "lacks 20 of the 20 columns"),
        ({"constraints": [{"immutable": ["sexx"]}]}, "Did you mean 'sex'?"),
        ({"constraints": [{"frozen": ["sex"]}]}, "unknown kind of rule 'frozen'"),
        ({"weights": {"sparsity": 2}}, "must be between 0 and 1"),
        ({"target": "goood"}, "Did you mean"),
        ({"count": 10_000}, "count may be at most 20"),
        ({"samples": 10_000}, "samples may be at most 300"),
        ({"labels": ["one", "two"]}, "labels must name every row or none"),
        ({"surprise": 1}, "surprise"),
    ],
    ids=repr,
)
def test_a_question_that_cannot_be_answered_gets_a_sentence(client, rows, question, said) -> None:
    answer = client.post("/v1/explain", json={"rows": rows[:1], **question})
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_rows_of_the_same_name_are_told_apart(demo, applicants) -> None:
    twice = applicants.head(3).set_axis(["same", "other", "same"], axis=0)
    with served(create_app(demo, rows=twice)) as place, client_of(place) as client:
        assert [row["label"] for row in client.get("/v1/rows").json()["rows"]] == ["same", "other", "same (2)"]


def test_more_rows_than_allowed_are_refused(client, rows) -> None:
    answer = client.post("/v1/predict", json={"rows": rows[:1] * 101})
    assert answer.status_code == 422
    assert "rows may be at most 100" in answer.json()["error"]


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/v1/nothing", 404), ("GET", "/v1/explain", 405)])
def test_wrong_addresses_get_a_sentence(client, method, path, status) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert "see /" in answer.json()["error"]


def test_what_is_no_json_gets_a_sentence(client) -> None:
    answer = client.post("/v1/explain", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "cannot be understood" in answer.json()["error"]


def test_a_missing_value_is_null_and_stays_missing(asked, rows, demo) -> None:
    row = rows[0] | {"age": None}
    got = asked("/v1/explain", rows=[row], target="good", constraints=[{"immutable": ["age"]}])["rows"][0]
    assert all(answer["values"]["age"] is None for answer in got["counterfactuals"])
    frame = pd.DataFrame([row]).astype({name: kind for name, kind in demo.dtypes.items() if name != "age"})
    assert got["probability_before"] == demo.classifier.probabilities(frame)[0, 1]
