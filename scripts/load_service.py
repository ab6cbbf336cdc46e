"""Measures the service under load: many clients on loopback, a slider in a browser, a kill in the middle.

Every answer is compared with what the library gives to the same question. All is bounded in count and time, about two
minutes together. Writes docs/service/load.json, from which service_load_page.py makes docs/service/load.md.
Run: python scripts/load_service.py
"""

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from load_browser import slider_times

from counterflownet.serve.demo import demo_constraints, demo_explainer, demo_model, demo_rows
from counterflownet.serve.parts import record_of
from counterflownet.tabular.rule_records import record_of as rule_record

OUT = Path(__file__).parents[1] / "docs" / "service" / "load.json"
WISHES: list[dict[str, Any]] = [{}, {"weights": {"sparsity": 0.9}}, {"costs": {"savings": 4}, "count": 3}]
ROWS = 8


@contextmanager
def server(port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The demo as a process of its own, and its address."""
    command = [sys.executable, "-m", "counterflownet.cli", "serve", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own command
        told = process.stdout.readline() if process.stdout else ""
        try:
            yield re.findall(r"http://127\.0\.0\.1:\d+", told)[0], process
        finally:
            process.send_signal(signal.SIGTERM)


def questions() -> list[tuple[dict[str, Any], Any]]:
    """What clients ask, each with what the library answers."""
    explainer, rows, constraints = demo_explainer(), demo_rows(demo_model()).head(ROWS), demo_constraints()
    records = [rule_record(rule) for rule in constraints]
    asked = []
    for place in range(len(rows)):
        row = rows.iloc[[place]].reset_index(drop=True)
        values = json.loads(row.to_json(orient="records"))[0]
        for wish in WISHES:
            answer = record_of(explainer.explain(row, target="good", constraints=constraints, **wish))["rows"]
            question = {"rows": [values], "target": "good", "constraints": records, **wish}
            asked.append((question, json.loads(json.dumps(answer))))
    return asked


def memory(process: subprocess.Popen[str]) -> float:
    """The megabytes that the process holds."""
    text = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1024


def processor(process: subprocess.Popen[str]) -> float:
    """The seconds of processor time that the process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


Outcome = tuple[str, float, float]  # how it went, when it began, how long it took


def client(
    address: str, asked: list[tuple[dict[str, Any], Any]], first: int, until: Callable[[int], bool]
) -> list[Outcome]:
    """Asks one question after the other until it is told to stop."""
    outcomes: list[Outcome] = []
    with httpx.Client(base_url=address, timeout=30) as session:
        while not until(len(outcomes)):
            question, wanted = asked[(first + 5 * len(outcomes)) % len(asked)]
            begun = time.perf_counter()
            try:
                answer = session.post("/v1/explain", json=question)
                right = answer.status_code == 200 and answer.json()["rows"] == wanted
                how = "right" if right else "wrong" if answer.status_code == 200 else str(answer.status_code)
            except httpx.HTTPError:
                how = "failed"
                time.sleep(0.05)
            outcomes.append((how, begun, time.perf_counter() - begun))
    return outcomes


def crowd(
    address: str, asked: list[tuple[dict[str, Any], Any]], clients: int, until: Callable[[int], bool]
) -> list[Outcome]:
    """What happens to many clients at once."""
    with ThreadPoolExecutor(clients) as pool:
        return [one for found in pool.map(lambda n: client(address, asked, n, until), range(clients)) for one in found]


def many_clients(asked: list[tuple[dict[str, Any], Any]], clients: int, seconds: float) -> dict[str, Any]:
    """Requests a second and how long they take, with as many clients."""
    with server() as (address, process):
        crowd(address, asked, clients, lambda done: done >= 3)  # what is computed once is computed
        before, used, begun = memory(process), processor(process), time.perf_counter()
        end = begun + seconds
        outcomes = crowd(address, asked, clients, lambda _: time.perf_counter() > end)
        took, after = time.perf_counter() - begun, memory(process)
        each = 1000 * (processor(process) - used) / len(outcomes)
    speed = {"per_second": len(outcomes) / took, "processor_ms": each}
    return {"clients": clients, **speed, **summary(outcomes), "memory": [before, after]}


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    hows = [how for how, _, _ in outcomes]
    times = [1000 * took for how, _, took in outcomes if how == "right"]
    shares = dict(zip(("p50", "p95", "p99"), np.percentile(times, [50, 95, 99]).tolist(), strict=True))
    return {
        "requests": len(hows),
        "outcomes": {how: hows.count(how) for how in sorted(set(hows))},
        "milliseconds": shares,
    }


def killed(asked: list[tuple[dict[str, Any], Any]], clients: int) -> dict[str, Any]:
    """A server that is killed under load and started again on the same port."""
    with ThreadPoolExecutor(1) as pool:
        with server() as (address, process):
            stop = [False]
            running = pool.submit(crowd, address, asked, clients, lambda _: stop[0])
            time.sleep(4)
            process.kill()
            process.wait()
            gone = time.perf_counter()
        with server(int(address.rpartition(":")[2])):
            back = time.perf_counter()
            time.sleep(4)
            stop[0] = True
            outcomes = running.result()
    hows = [how for how, _, _ in outcomes]
    flying = [how for how, begun, took in outcomes if begun < gone <= begun + took]
    after = [how for how, begun, _ in outcomes if begun > back]
    return {
        "clients": clients,
        "in_flight": len(flying),
        "lost_in_flight": flying.count("failed"),
        "wrong": hows.count("wrong"),
        "right_before": sum(how == "right" and begun + took < gone for how, begun, took in outcomes),
        "right_after": after.count("right"),
        "other_after": len(after) - after.count("right"),
        "seconds_away": back - gone,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=12.0, help="how long each crowd asks")
    parser.add_argument("--moves", type=int, default=60, help="how often the slider is moved")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    asked = questions()
    load = os.getloadavg()[0]
    found = {
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "load_before": load},
        "crowds": [many_clients(asked, clients, options.seconds) for clients in (1, 4, 16)],
        "killed": killed(asked, 8),
    }
    with server() as (address, _):
        found["slider"] = slider_times(address, options.moves)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
