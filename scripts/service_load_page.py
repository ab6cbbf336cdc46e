"""Writes docs/service/load.md from docs/service/load.json, which load_service.py measures."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "service"
FIGURES, PAGE = FOLDER / "load.json", FOLDER / "load.md"
TEXT = """\
# The service under load

What the demo (`counterflownet serve`) does when many ask at once. `make load` measures it anew and writes this page;
every answer is compared with what the library gives to the same question.

On {cores} cores, Python {python}. The load average of the machine was {load_before:.1f} when the measurement began: if
that is more than the cores, other work shared them, and times are longer than on a quiet machine. What a request costs
the processor is hardly affected by that.

| clients | requests | right | wrong or lost | per second | p50 | p95 | p99 | processor time of a request | memory |
|---|---|---|---|---|---|---|---|---|---|
{crowds}

Requests that wait together are worked in batches: with more clients, each costs the processor less.

{slider}

**Killed under load** ({clients} clients, `kill -9`, started again on the same port): of {in_flight} requests in flight
{lost_in_flight} failed, each with a connection error; {right_before} answers before and {right_after} after were right,
{wrong} wrong.
"""

MOVED = "**From a slider to new answers** in the browser ({moves} moves, from the event to the painted cards"
PAUSED = """, with a pause of
25 ms in which further moves are awaited): p50 {p50:.0f} ms, p95 {p95:.0f} ms."""  # as the page was when it had one
APART = """): p50 {p50:.0f} ms,
p95 {p95:.0f} ms. Of that, p50 {page_p50:.0f} ms and p95 {page_p95:.0f} ms are not the service's but the page's and its
browser's, which share the cores with it here."""


def page() -> str:
    """The whole page."""
    found = json.loads(FIGURES.read_text(encoding="utf-8"))
    crowds = "\n".join(_line(crowd) for crowd in found["crowds"])
    return TEXT.format(crowds=crowds, slider=_slider(found["slider"]), **found["machine"], **found["killed"])


def _slider(slider: dict[str, Any]) -> str:
    alone = {f"page_{share}": number for share, number in slider.get("page_alone", {}).items()}
    return (MOVED + (APART if alone else PAUSED)).format(moves=slider["moves"], **slider["milliseconds"], **alone)


def _line(crowd: dict[str, Any]) -> str:
    right = crowd["outcomes"].get("right", 0)
    times = " | ".join(f"{crowd['milliseconds'][share]:.0f} ms" for share in ("p50", "p95", "p99"))
    memory = " to ".join(f"{megabytes:.0f}" for megabytes in crowd["memory"])
    counts = f"{crowd['clients']} | {crowd['requests']} | {right} | {crowd['requests'] - right}"
    return f"| {counts} | {crowd['per_second']:.1f} | {times} | {crowd['processor_ms']:.0f} ms | {memory} MB |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {len(page().splitlines())} lines")
