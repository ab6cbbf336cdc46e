"""Markup, scripts, formulas and escape sequences in names, words and labels are text wherever they are shown."""

import re

import pytest
from hostile_words import HOSTILE, SCRIPT
from served import client_of, served

from counterflownet.serve import create_app
from counterflownet.serve.describe import row_records

TAGS = {"DOCTYPE", "html", "head", "meta", "title", "style", "body", "main", "div", "p", "br", "h1", "h2", "h3"}
TAGS |= {"section", "ol", "ul", "li", "footer"}


@pytest.fixture(scope="module")
def explanation(hostile, hostile_table):
    rows = hostile_table[hostile_table["income"] < 35].head(6)
    return hostile.explain(rows.set_axis([f"{SCRIPT} {n}" for n in range(6)], axis=0), target="yes")


def test_letters_show_them_as_text(explanation) -> None:
    for label in explanation.factuals.index:
        text = explanation.to_letter(row=label, texts={"sender": SCRIPT, "closing": "<b>"})
        tags = set(re.findall(r"<[/!]?([^\s>]*)", text))
        assert tags <= TAGS
        assert "onerror=alert(1)&gt;" in text or "<img" not in text
        assert "\x1b" not in text


def test_letters_as_pdf_can_be_made_of_them(explanation) -> None:
    label = explanation.factuals.index[0]
    assert explanation.to_letter(row=label, form="pdf", texts={"sender": SCRIPT}).startswith(b"%PDF-")


def test_errors_show_them_as_text(hostile, hostile_table) -> None:
    row = row_records(hostile_table.head(1))[0]["values"]
    with served(create_app(hostile)) as place, client_of(place) as client:
        for extra in ({HOSTILE[2]: 1}, {SCRIPT: HOSTILE[2]}):
            answer = client.post("/v1/explain", json={"rows": [row | extra], "target": HOSTILE[2]})
            assert answer.status_code == 422
            assert answer.headers["content-type"] == "application/json"
            assert "\x1b" not in answer.json()["error"]
            assert "\\u001b" not in answer.text
