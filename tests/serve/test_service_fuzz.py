"""Whatever is sent, the service answers or says why not: from its own description, and from questions nearly right."""

import json

import httpx
import pytest
import schemathesis
from hostile_words import HOSTILE, SCRIPT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served import client_of, served

from counterflownet.serve import Limits, ServeSettings, create_app
from counterflownet.serve.describe import row_records

QUICK = settings(max_examples=7, deadline=None, suppress_health_check=list(HealthCheck))
MORE = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="session")
def fuzzed(hostile, hostile_table):
    """A service whose limits make the worst question cheap."""
    limits = Limits(rows=3, count=3, samples=10, rounds=1, body_bytes=20_000)
    with served(create_app(hostile, rows=hostile_table.head(3), settings=ServeSettings(limits=limits))) as place:
        yield place


@pytest.fixture(scope="session")
def api(fuzzed):
    return schemathesis.openapi.from_url(f"{fuzzed}/v1/openapi.json")


def test_nothing_from_its_description_is_a_fault(api) -> None:
    routes = [result.ok() for result in api.get_all_operations()]
    assert {"/v1/explain", "/v1/letter", "/healthz"} <= {route.path for route in routes}
    for route in routes:
        QUICK(given(case=route.as_strategy())(answered))()


def answered(case) -> None:
    answer = case.call()
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert set(answer.json()) == {"error"}


cells = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=8)
cells |= st.sampled_from([*HOSTILE, "2021-01-01", "2021-13-01", "high", "9999999-01-01", "\ud800"])
columns = st.sampled_from(["age", "income", "since", "member", "grade", SCRIPT, "nobody"])
rules = st.one_of(
    st.fixed_dictionaries({"immutable": st.lists(columns, max_size=3)}),
    st.fixed_dictionaries({"increasing": st.lists(columns, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"range": columns}, optional={"low": cells, "high": cells}),
    st.fixed_dictionaries({"one_of": columns, "values": st.lists(cells, max_size=3) | cells}),
    st.fixed_dictionaries({"not_one_of": columns, "values": st.lists(cells, max_size=3)}),
    st.fixed_dictionaries({"max_step": columns, "amount": cells}),
    st.fixed_dictionaries({"max_changes": cells}),
    st.fixed_dictionaries({"less_equal": st.lists(columns, max_size=3)}, optional={"offset": cells, "strict": cells}),
    st.fixed_dictionaries({"together": st.lists(columns, max_size=3)}),
    st.fixed_dictionaries({"one_hot": st.lists(columns, max_size=3)}),
    st.fixed_dictionaries({"derived": columns, "from": columns, "values": st.lists(st.lists(cells, max_size=3))}),
    st.fixed_dictionaries(
        {
            "if": st.sampled_from(["age rises", "grade is high", "since falls by 3", "(", ""]),
            "then": st.text(max_size=9),
        }
    ),
    st.dictionaries(st.text(max_size=5), cells, max_size=2),
)
wishes = st.fixed_dictionaries(
    {},
    optional={
        "constraints": st.lists(rules, max_size=3),
        "target": st.sampled_from(["yes", "<b>no</b>", 1, None]),
        "weights": st.dictionaries(st.sampled_from(["sparsity", "validity", "x"]), st.floats(-1, 2), max_size=2),
        "costs": st.dictionaries(columns, st.floats(-1, 20), max_size=2),
        "confidence": st.floats(0, 1),
    },
)
SEARCH = {"samples": 5, "rounds": 1, "count": 2}
LITTLE = {
    "explain": SEARCH,
    "loosen": SEARCH,
    "letter": SEARCH,
    "sample": {"samples": 5},
    "score": {},
}
edits = st.dictionaries(columns.filter(lambda name: name != "nobody"), cells, max_size=3)


@pytest.mark.parametrize("path", ["explain", "loosen", "sample", "letter", "score"])
@MORE
@given(wish=wishes, edit=edits)
def test_a_question_that_is_nearly_right_is_no_fault(fuzzed, hostile_table, path, wish, edit) -> None:
    row = row_records(hostile_table.head(1))[0]["values"]
    rows = {"factuals": [row], "counterfactuals": [row | edit]} if path == "score" else {"rows": [row | edit]}
    asked = {name: value for name, value in wish.items() if path != "sample" or name != "confidence"}
    answer = sent(fuzzed, f"/v1/{path}", {**rows, **asked, **LITTLE[path]})
    assert answer.status_code in {200, 422}, (answer.status_code, answer.text)
    if answer.status_code == 422:
        assert answer.json()["error"].strip()


def sent(address: str, path: str, question: dict) -> httpx.Response:
    """Posted as Python writes JSON: with NaN, with lone surrogates, as careless clients do."""
    with client_of(address) as client:
        return client.post(path, content=json.dumps(question), headers={"content-type": "application/json"})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{" * 5_000,
        b"[" * 9_000,
        b'{"rows": 1e999}',
        b"\xff\xfe",
        b'{"rows":[{"a":' + b"9" * 5_000 + b"}]}",
    ],
)
def test_bodies_that_are_no_questions_are_no_fault(fuzzed, body) -> None:
    with client_of(fuzzed) as client:
        answer = client.post("/v1/explain", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in {400, 422}
    assert answer.json()["error"]
