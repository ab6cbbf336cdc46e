"""Who gets in: hosts, tokens, sizes, and the headers that every answer carries."""

import json

import httpx
import pytest
from served import client_of, served

from counterflownet.errors import InvalidInputError
from counterflownet.serve import Limits, ServeSettings, create_app

TOKEN = "a-token-of-sixteen-or-more"  # noqa: S105 - of these tests alone


@pytest.fixture(scope="module")
def guarded(demo, applicants):
    """A service that needs a token, for any host, and takes few bytes."""
    settings = ServeSettings(token=TOKEN, hosts=None, limits=Limits(body_bytes=3_000))
    with served(create_app(demo, rows=applicants, settings=settings)) as place, client_of(place) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("path", ["/", "/v1/schema", "/static/js/main.js", "/healthz", "/v1/nothing"])
def test_every_answer_carries_a_strict_policy(client, path) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert not [name for name in headers if name.startswith("access-control-")]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1"])
def test_another_name_is_refused_on_loopback(client, host) -> None:
    answer = client.get("/v1/rows", headers={"host": host})
    assert answer.status_code in {400, 421}
    assert "applicant" not in answer.text


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1", "[::1]:80", "LOCALHOST"])
def test_names_of_this_machine_are_served(client, host) -> None:
    assert client.get("/v1/schema", headers={"host": host}).status_code == 200


def test_requests_from_pages_of_other_sites_are_refused(client) -> None:
    assert client.post("/v1/explain", headers={"sec-fetch-site": "cross-site"}, json={}).status_code == 403


@pytest.mark.parametrize("headers", [{}, bearer("-"), bearer(TOKEN[:-1]), {"authorization": TOKEN}, bearer("ä" * 20)])
def test_without_its_token_nothing_is_told(guarded, headers) -> None:
    given = {name: value.encode() for name, value in headers.items()}
    answer = guarded.get("/v1/rows", headers=given)
    assert answer.status_code == 401
    assert "token" in answer.json()["error"]


def test_with_its_token_it_answers_and_health_needs_none(guarded) -> None:
    assert guarded.get("/v1/rows", headers=bearer(TOKEN)).status_code == 200
    assert guarded.get("/healthz").status_code == 200


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_beyond_the_limit_is_refused(guarded, chunked) -> None:
    body = json.dumps({"rows": [{"a": "x" * 5_000}]}).encode()
    headers = {**bearer(TOKEN), "content-type": "application/json"}
    content = (body[start : start + 500] for start in range(0, len(body), 500)) if chunked else body
    answer = guarded.post("/v1/explain", content=content, headers=headers)
    assert answer.status_code == 413
    assert "at most 3,000 bytes" in answer.json()["error"]


def test_a_length_that_is_no_number_is_refused(guarded) -> None:
    with pytest.raises(httpx.HTTPError):
        guarded.post("/v1/predict", content=b"{}", headers={**bearer(TOKEN), "content-length": "many"})


@pytest.mark.parametrize("token", ["short", "ü" * 20])
def test_a_weak_token_is_an_error(token) -> None:
    with pytest.raises(InvalidInputError, match="at least 16 ASCII characters"):
        ServeSettings(token=token)


def test_the_token_is_not_shown() -> None:
    assert TOKEN not in repr(ServeSettings(token=TOKEN))
