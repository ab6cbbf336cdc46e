"""One explainer, many clients: each gets what it would get alone; what takes too long says so; a client may leave."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import httpx
import pytest
from served import client_of, served

from counterflownet.serve import Limits, ServeSettings, create_app, records
from counterflownet.serve import engine as engine_module
from counterflownet.serve.engine import Engine
from counterflownet.serve.parts import record_of

WISHES = [{}, {"weights": {"sparsity": 0.9}}, {"count": 2, "constraints": [{"immutable": ["sex"]}]}]


def test_clients_at_once_get_what_each_gets_alone(client, address, rows) -> None:
    questions = [{"rows": [row], "target": "good", **wish} for row in rows[:4] for wish in WISHES]
    alone = [client.post("/v1/explain", json=question).json() for question in questions]

    def ask(question) -> dict:
        with client_of(address) as own:
            return own.post("/v1/explain", json=question).json()

    with ThreadPoolExecutor(12) as pool:
        together = list(pool.map(ask, questions))
    assert together == alone


def test_a_batch_gives_bit_for_bit_what_single_calls_give(demo, rows, monkeypatch) -> None:
    sizes = []
    worked = engine_module._worked

    def noted(key, calls):
        sizes.append(len(calls))
        return worked(key, calls)

    monkeypatch.setattr(engine_module, "_worked", noted)
    engine = Engine(demo, Limits())
    questions = [records.Explain(rows=[row], labels=[f"row {n}"], target="good") for n, row in enumerate(rows[:6])]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda question: engine.explain(question, Event()), questions))
    assert max(sizes) > 1  # else nothing was tested
    assert [json.dumps(answer) for answer in together] == [
        json.dumps(engine.explain(question, Event())) for question in questions
    ]


def test_rows_of_other_types_are_not_worked_together(demo, rows) -> None:
    engine = Engine(demo, Limits())
    questions = [
        records.Explain(rows=[row | {"age": age}], target="good")
        for row, age in zip(rows[:8], [30, None] * 4, strict=True)
    ]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda question: engine.explain(question, Event()), questions))
    ages = [answer["values"]["age"] for one in found[::2] for answer in one["rows"][0]["counterfactuals"]]
    assert ages
    assert all(type(age) is int for age in ages)


def test_rows_that_time_does_not_reach_say_so(demo, rows) -> None:
    engine = Engine(demo, Limits(seconds=0.02))
    answer = engine.explain(records.Explain(rows=rows[:20], target="good", count=1), Event())
    outcomes = [row["outcome"] for row in answer["rows"]]
    assert len(outcomes) == 20
    assert outcomes[0] == "complete"
    assert outcomes[-1] == "out_of_time"
    assert "0.02 s" in answer["rows"][-1]["reason"]
    assert answer["rows"][-1]["values"] == rows[19]
    records.Answers(**answer)  # such rows have the form of all others


def test_many_rows_are_answered_as_the_library_does(demo, applicants, rows) -> None:
    answer = Engine(demo, Limits()).explain(records.Explain(rows=rows[:20], target="good", count=2), Event())
    wanted = demo.explain(applicants.head(20).reset_index(drop=True), target="good", count=2)
    got = [{**row, "factual": None} for row in answer["rows"]]
    assert json.dumps(got) == json.dumps([{**row, "factual": None} for row in record_of(wanted)["rows"]])


def test_a_busy_service_says_so(demo, rows) -> None:
    settings = ServeSettings(limits=Limits(waiting=1))
    question = {"rows": rows[:8], "target": "good"}
    with served(create_app(demo, settings=settings)) as place, ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: httpx.post(f"{place}/v1/explain", json=question, timeout=60), range(6)))
    assert {answer.status_code for answer in answers} == {200, 429}
    busy = next(answer for answer in answers if answer.status_code == 429)
    assert "try again" in busy.json()["error"]
    assert busy.headers["retry-after"] == "1"


def test_work_for_a_client_who_left_is_not_begun(demo, rows, monkeypatch) -> None:
    free, explained = Event(), []

    def slow(key, calls):
        explained.append(len(calls))
        free.wait(20)
        return [call.explainer.explain(call.rows, progress=False, **call.arguments) for call in calls]

    monkeypatch.setattr(engine_module, "_worked", slow)
    with served(create_app(demo)) as place, ThreadPoolExecutor(1) as pool:
        first = pool.submit(httpx.post, f"{place}/v1/explain", json={"rows": rows[:1], "target": "good"}, timeout=60)
        while not explained:
            time.sleep(0.005)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{place}/v1/explain", json={"rows": rows[1:2], "target": "bad"}, timeout=0.3)
        time.sleep(0.2)
        free.set()
        assert first.result().status_code == 200
        time.sleep(0.2)
    assert explained == [1]


def test_no_row_is_logged_unless_asked_for(demo, rows, caplog) -> None:
    for log, seen in (("nothing", False), ("requests", False), ("rows", True)):
        caplog.clear()
        with served(create_app(demo, settings=ServeSettings(log=log))) as place, caplog.at_level("INFO"):
            httpx.post(f"{place}/v1/predict", json={"rows": rows[:1]})
        said = " ".join(record.getMessage() for record in caplog.records if record.name != "httpx")
        assert (rows[0]["credit_history"] in said) is seen
        assert ("/v1/predict" in said) is (log != "nothing")


def test_a_fault_of_ours_is_no_traceback(demo, rows, monkeypatch, caplog) -> None:
    monkeypatch.setattr(Engine, "predict", lambda *_: 1 / 0)
    with served(create_app(demo)) as place:
        answer = httpx.post(f"{place}/v1/predict", json={"rows": rows[:1]})
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert "division" not in answer.text + caplog.text
