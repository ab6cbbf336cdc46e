"""The route of letters: for download, unable to act, about the answers that were picked."""

import pytest

from counterflownet.serve.demo import demo_constraints


@pytest.fixture(scope="module")
def question(rows, schema):
    constraints = schema["constraints"]
    return {"rows": rows[:1], "labels": ["case 7"], "target": "good", "constraints": constraints}


@pytest.fixture(scope="module")
def explanation(demo, applicants):
    row = applicants.head(1).set_axis(["case 7"], axis=0)
    return demo.explain(row, target="good", constraints=demo_constraints())


def test_the_letter_is_that_of_the_library(client, question, explanation) -> None:
    answer = client.post("/v1/letter", json={**question, "language": "de", "texts": {"sender": "The Bank"}})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text == explanation.to_letter(language="de", texts={"sender": "The Bank"})


def test_it_may_show_its_style_and_do_nothing_else(client, question) -> None:
    headers = client.post("/v1/letter", json=question).headers
    assert "default-src 'none'; style-src 'sha256-" in headers["content-security-policy"]
    assert "sandbox" in headers["content-security-policy"]
    assert headers["content-disposition"] == 'attachment; filename="letter.html"'


def test_it_comes_as_pdf(client, question) -> None:
    answer = client.post("/v1/letter", json={**question, "format": "pdf"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")


def test_picked_answers_stand_in_it_and_no_others(client, asked, question) -> None:
    found = asked("/v1/explain", **question)["rows"][0]["counterfactuals"]
    last = found[-1]
    text = client.post("/v1/letter", json={**question, "answers": [last["values"]]}).text
    assert text.count("<h3>") == 1
    assert last["changed"][0].replace("_", " ") in text


def test_an_answer_that_does_not_hold_is_refused(client, question) -> None:
    answer = client.post("/v1/letter", json={**question, "answers": question["rows"]})
    assert answer.status_code == 422
    assert "cannot stand in a letter" in answer.json()["error"]


def test_it_is_about_one_row(client, question, rows) -> None:
    answer = client.post("/v1/letter", json={**question, "rows": rows[:2], "labels": None})
    assert answer.status_code == 422
    assert "about one row" in answer.json()["error"]
