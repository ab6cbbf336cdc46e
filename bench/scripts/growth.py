"""How cost grows with the size of a table, of its columns and of a question, one size at a time.

python bench/scripts/growth.py [--quick] [--only NAME ...]
Appends a JSON line for each series to bench/results/growth.jsonl and prints the section of the report. Tables are
synthetic and the classifier is one line of numpy, so that our cost is measured and not that of a user's model. Seconds
are those of the processor with one thread: what runs beside does not count. On an idle machine they are the clock's.
"""

import argparse
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
from common import keep, lines, machine
from growth_page import section
from growth_point import MB, point
from growth_series import BASE, SERIES

LIMIT = 180.0  # seconds after which a point is given up
QUICK_SIZES, QUICK_STEPS = 3, 5
NO_COST = {"changes", "answers_per_row", "peak_mb", "core_share"}  # shown, but an exponent of theirs would say nothing


def asked_child(at: dict[str, Any]) -> dict[str, Any]:
    """The point as a new process measures it, or why there is none."""
    command = [sys.executable, __file__, "--point", json.dumps(at)]
    alone = os.environ | {"OMP_NUM_THREADS": "1"}  # threads that wait for each other would count as work
    try:
        told = subprocess.run(  # noqa: S603 - all of it is written here
            command, check=True, capture_output=True, text=True, timeout=LIMIT, env=alone
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"more than {LIMIT:.0f} s"}
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip() or "it said nothing").splitlines()[-1]
        return {"failed": f"ended with {error.returncode}: {last[:300]}"}
    return json.loads(told.stdout.splitlines()[-1])


def slope(x: list[float], y: list[float]) -> float | None:
    """The exponent of y against x by least squares on logarithms; only above zero is there one."""
    pairs = [(one, other) for one, other in zip(x, y, strict=True) if other > 0]
    if len(pairs) < 2:
        return None
    return float(np.polyfit(*np.log(np.array(pairs)).T, 1)[0])


def exponents(points: list[dict[str, Any]], names: tuple[str, ...]) -> dict[str, dict[str, float | None]]:
    """How each cost grows, over all points and over the last two, where constant parts count least."""
    sizes = [told["size"] for told in points]
    costs = {name: [told[name] for told in points] for name in names if name not in NO_COST}
    return {name: {"all": slope(sizes, cost), "last": slope(sizes[-2:], cost[-2:])} for name, cost in costs.items()}


def memory_of(points: list[dict[str, Any]], settled: int) -> dict[str, Any] | None:
    """How many bytes a row more adds to the peak, between the two largest tables beyond ``settled``."""
    large = [told for told in points if told["size"] > settled][-2:]
    if len(large) < 2:
        return None
    fewer, more = large
    grown = (more["peak_mb"] - fewer["peak_mb"]) * MB / (more["size"] - fewer["size"])
    held = {name: more[name] for name in ("table_bytes_per_row", "result_bytes_per_row") if name in more}
    return {"from": fewer["size"], "to": more["size"], "grown_bytes_per_row": grown} | held


def measured(name: str, *, quick: bool) -> dict[str, Any]:
    """One series, from its smallest size on."""
    series = SERIES[name]
    base = BASE | series.base
    base |= {"steps": min(QUICK_STEPS, base["steps"])} if quick else {}
    about = machine() | {"threads": 1}
    points = []
    for size in series.sizes[: QUICK_SIZES if quick else series.tried]:
        points.append({"size": size} | asked_child(base | {series.varies: size}))
        print(name, json.dumps(points[-1]), flush=True)
    reached = [told for told in points if "failed" not in told]
    result = {
        "benchmark": "growth",
        "series": name,
        "quick": quick,
        "base": {key: value for key, value in base.items() if key != series.varies},
        "points": points,
        "exponents": exponents(reached, series.shown),
    }
    if series.varies in {"rows", "explained"}:
        result["memory"] = memory_of(reached, series.settled)
    return result | about


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only the smaller sizes, and fewer steps")
    parser.add_argument("--only", nargs="+", choices=list(SERIES), default=list(SERIES), metavar="NAME")
    parser.add_argument("--point", type=json.loads, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parsed()
    if options.point is not None:
        print(json.dumps(point(options.point)))
        return
    for name in options.only:
        keep(measured(name, quick=options.quick), "growth")
    print(section(lines("growth")))


if __name__ == "__main__":
    main()
