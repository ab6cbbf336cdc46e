"""A regressor served: asked where its number is to lie, answered as the library does, in its words."""

from collections.abc import Iterator

import pandas as pd
import pytest
from flats import FLATS, rent
from served import client_of, served

from counterflownet import AnyOf, AtLeast, AtMost, Between, By, Immutable
from counterflownet.errors import InvalidInputError
from counterflownet.serve import create_app
from counterflownet.serve.parts import record_of
from counterflownet.serve.targets import record_of as record_of_target
from counterflownet.serve.targets import target_of


@pytest.fixture(scope="module")
def renting(rented) -> Iterator:
    app = create_app(rented, rows=FLATS.head(5), constraints=[Immutable("listed")], target=AtLeast(700))
    with served(app) as place, client_of(place) as client:
        yield client


@pytest.fixture(scope="module")
def flat(renting) -> dict:
    """The first that rents for less than 700."""
    return next(row for row in renting.get("/v1/rows").json()["rows"] if row["predicted"] < 700)


def test_the_schema_says_that_it_is_one_and_where_its_numbers_lie(renting) -> None:
    schema = renting.get("/v1/schema").json()
    told = rent(FLATS)
    assert (schema["task"], schema["classes"], schema["target"]) == ("regression", [], {"at_least": 700.0})
    assert schema["predictions"]["least"] == told.min()
    assert schema["predictions"]["most"] == told.max()
    assert schema["predictions"]["low"] < schema["predictions"]["high"]


def test_a_row_has_its_number(flat) -> None:
    assert flat["predicted"] == rent(FLATS.loc[[flat["label"]]])[0]
    assert flat["probabilities"] == []


@pytest.mark.parametrize(
    ("record", "target"),
    [
        ({"at_least": 700}, AtLeast(700)),
        ({"at_most": 300}, AtMost(300)),
        ({"between": [500, 520]}, Between(500, 520)),
        ({"by": -50}, By(-50)),
        ({"by_percent": 20}, By(percent=20)),
    ],
    ids=repr,
)
def test_it_is_answered_as_the_library_does(renting, rented, flat, record, target) -> None:
    question = {"rows": [flat["values"]], "target": record, "count": 3}
    got = renting.post("/v1/explain", json=question).json()["rows"]
    row = FLATS.loc[[flat["label"]]].reset_index(drop=True)
    wanted = record_of(rented.explain(row, target=target, count=3))["rows"]
    assert got == wanted
    assert got[0]["prediction_before"] == flat["predicted"]
    assert all("probability" not in answer for answer in got[0]["counterfactuals"])


def test_what_one_makes_oneself_is_judged_by_its_number(renting, flat) -> None:
    larger = flat["values"] | {"area": 139, "waited": "25 days"}
    question = {"factuals": [flat["values"]], "counterfactuals": [larger], "target": {"at_least": 700}}
    (judged,) = renting.post("/v1/score", json=question).json()["rows"]
    assert (
        judged["prediction"]
        == judged["predicted"]
        == rent(FLATS.loc[[flat["label"]]].assign(area=139, waited=pd.Timedelta("25 days")))[0]
    )
    assert judged["valid"]
    assert judged["changed"] == ["area", "waited"]


def test_what_stands_in_the_way_is_told_with_the_number_that_there_would_be(renting, flat) -> None:
    locked = [{"immutable": [name]} for name in FLATS.columns]
    question = {"rows": [flat["values"]], "target": {"at_least": 700}, "constraints": locked}
    got = renting.post("/v1/loosen", json=question).json()
    assert [way["changed"] for way in got["ways"]] == [["area"]]
    assert got["ways"][0]["prediction"] >= 700
    assert got["ways"][0]["values"]["area"] > flat["values"]["area"]


def test_the_letter_tells_numbers(renting, flat) -> None:
    question = {"rows": [flat["values"]], "target": {"at_least": 700}, "language": "de"}
    text = renting.post("/v1/letter", json=question).text
    assert "Was zu einem Ergebnis von 700 oder mehr geführt hätte" in text
    assert "Wahrscheinlichkeit" not in text


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("good", "a regressor is asked where its prediction should lie"),
        (None, "a regressor is asked where its prediction should lie"),
        ({"at_leest": 3}, "Did you mean 'at_least'"),
        ({"between": [1]}, "takes a list of 2"),
        ({"any_of": []}, "takes a list"),
        ({"at_least": "much"}, "must be a finite number"),
        ({"at_least": 1, "at_most": 2}, "a target has one entry"),
        ({}, "a target has one entry"),
    ],
    ids=repr,
)
def test_a_target_that_makes_no_sense_gets_a_sentence(renting, flat, record, said) -> None:
    answer = renting.post("/v1/explain", json={"rows": [flat["values"]], "target": record})
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_several_classes_may_do(asked, rows, demo, applicants) -> None:
    got = asked("/v1/explain", rows=rows[:1], target={"not": ["bad"]}, count=2)["rows"]
    assert [answer["valid"] for answer in got[0]["counterfactuals"]] == [True, True]
    assert target_of({"any_of": ["good"]}) == AnyOf("good")


def test_the_page_begins_only_with_what_it_can_show() -> None:
    assert record_of_target(AtMost(3), ()) == {"at_most": 3.0}
    assert record_of_target(Between(3, 4), ()) == {"between": [3.0, 4.0]}
    assert record_of_target("good", ("bad", "good")) == "good"
    for target, classes in [(By(3), ()), (AnyOf("good"), ("bad", "good")), (AtLeast(3), ("bad", "good"))]:
        with pytest.raises(InvalidInputError, match="the page begins with"):
            record_of_target(target, classes)
    with pytest.raises(InvalidInputError, match="Did you mean"):
        record_of_target("goood", ("bad", "good"))
