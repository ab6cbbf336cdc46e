"""How cost grows with the size of a table, of its columns and of a question, one size at a time.

python bench/scripts/growth.py [--quick] [--only NAME ...]
Appends a JSON line for each series to bench/results/growth.jsonl and prints the section of the report. Tables are
synthetic and the classifier is one line of numpy, so that our cost is measured and not that of a user's model. Seconds
are those of the processor with one thread: what runs beside does not count. On an idle machine they are the clock's.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from common import keep, latest, lines, machine, table, verdict
from numpy.typing import NDArray

from counterflownet import CounterFlowNet, Explanation, RewardSettings, Schema

BASE: dict[str, Any] = {
    "columns": 10,  # every other one holds words
    "rows": 5_000,  # to train on
    "bins": 32,
    "categories": 10,
    "first_categories": 10,  # of the first column of words alone
    "samples": 50,
    "count": 10,
    "rounds": 1,  # more of them where few answers are found would mix luck into the cost
    "chunk_rows": None,
    "explained": 200,
    "steps": 10,
    "learns": False,  # a flow that learns changes the length of its trajectories, which is another size
}
PHRASES = {
    "columns": "{:,} columns",
    "rows": "{:,} training rows",
    "bins": "{:,} bins",
    "categories": "{:,} categories",
    "samples": "`samples={}`",
    "count": "`count={}`",
    "rounds": "`rounds={}`",
    "chunk_rows": "`chunk_rows={}`",
    "explained": "{:,} rows explained",
    "steps": "{:,} training steps",
}
STILL = 1e-12  # a learning rate of which nothing is learned, while a step costs what it costs
LIMIT = 180.0  # seconds after which a point is given up
AT_ONCE = 1.0  # seconds below which a measurement is repeated
REPEATS = 5
LINEAR = 1.1
QUICK_SIZES, QUICK_STEPS = 3, 5
MB = 2**20


@dataclass(frozen=True, kw_only=True)
class Series:
    """One size that varies, where the base is another for its sake, and what is shown of its points."""

    title: str
    varies: str
    sizes: tuple[int, ...]
    shown: tuple[str, ...]
    base: dict[str, Any] = field(default_factory=dict)
    tried: int | None = None  # how many of the sizes; the others would take too long
    settled: int = 0  # the size from which on what does not grow with it has its full size


PER_STEP_AND_ROW = ("milliseconds_per_step", "milliseconds_per_row", "answers_per_row", "grown_mb", "core_share")
SERIES = {
    "training_rows": Series(
        title="training rows",
        varies="rows",
        sizes=(1_000, 10_000, 100_000, 1_000_000),
        shown=("fit_seconds", "outside_seconds", "milliseconds_per_step", "peak_mb", "grown_mb", "core_share"),
        base={"explained": 0, "steps": 20},
        settled=RewardSettings().reference_rows or 0,
    ),
    "features": Series(title="columns", varies="columns", sizes=(5, 20, 50, 100, 200), shown=PER_STEP_AND_ROW),
    "features_learning": Series(
        title="columns, while the flow learns",
        varies="columns",
        sizes=(5, 20, 50, 100, 200),
        shown=("milliseconds_per_step", "changes", *PER_STEP_AND_ROW[1:]),
        base={"learns": True, "steps": 5},
        tried=4,
    ),
    "bins": Series(title="bins of a number", varies="bins", sizes=(4, 16, 64, 256), shown=PER_STEP_AND_ROW),
    "samples": Series(
        title="samples for each row",
        varies="samples",
        sizes=(10, 50, 200, 1_000),
        shown=PER_STEP_AND_ROW[1:],
    ),
    "categories": Series(
        title="categories of one column",
        varies="first_categories",
        sizes=(10, 100, 1_000, 10_000),
        shown=PER_STEP_AND_ROW,
        base={"rows": 10_000},  # so that each of the most categories occurs
    ),
    "rows_explained": Series(
        title="rows explained",
        varies="explained",
        sizes=(1_000, 10_000, 100_000, 1_000_000),
        shown=("explain_seconds", "milliseconds_per_row", "answers_per_row", "peak_mb", "grown_mb", "core_share"),
        # Little for each row, or a million would take hours; in small chunks, whose memory would hide that of the rest.
        base={"columns": 4, "rows": 1_000, "steps": 5, "samples": 2, "count": 1, "chunk_rows": 5_000},
        settled=5_000,
    ),
}
HEADINGS = {
    "fit_seconds": "fit, s",
    "outside_seconds": "fit without its steps, s",
    "milliseconds_per_step": "training step, ms",
    "milliseconds_per_row": "explaining a row, ms",
    "explain_seconds": "explaining all, s",
    "changes": "changes in training",
    "answers_per_row": "answers a row",
    "peak_mb": "peak memory, MB",
    "grown_mb": "beyond imports, MB",
    "core_share": "share of a core",
}
NO_COST = {"changes", "answers_per_row", "peak_mb", "core_share"}  # shown, but an exponent of theirs would say nothing


def synthetic(at: dict[str, Any], row_count: int, seed: int) -> pd.DataFrame:
    """Normal numbers and evenly spread words by turns."""
    chance = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for number in range(at["columns"]):
        if number % 2 == 0:
            columns[f"number_{number // 2}"] = chance.normal(size=row_count)
            continue
        count = at["first_categories"] if number == 1 else at["categories"]
        words = np.array([f"w{word}" for word in range(count)], dtype=object)
        columns[f"word_{number // 2}"] = words[chance.permutation(row_count) % count]
    return pd.DataFrame(columns)


def approves(rows: pd.DataFrame) -> NDArray[np.float64]:
    """The classifier: two numbers and a word decide, however many columns there are."""
    lucky = (rows["word_1"] == "w0").to_numpy(dtype=np.float64)
    score = rows["number_0"].to_numpy() - rows["number_1"].to_numpy() + lucky
    return 1.0 / (1.0 + np.exp(-3.0 * score))


def explainer_of(X: pd.DataFrame, at: dict[str, Any]) -> CounterFlowNet:
    """An explainer for these rows, not fitted yet."""
    # A window of one step, so that the history has the time of each.
    training = {"steps": at["steps"], "patience": None, "window": 1}
    training |= {} if at["learns"] else {"learning_rate": STILL}
    schema = Schema.infer(X, bins=at["bins"])
    return CounterFlowNet(approves, schema=schema, classes=[0, 1], training=training, seed=0)


def peak() -> int:
    """The most bytes that this process ever held.

    A new process begins with what its parent held, so the parent must not work itself.
    """
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def warm_up() -> None:
    """A first fit imports much, which is no cost of a size."""
    at = BASE | {"columns": 4, "steps": 2}
    rows = synthetic(at, 100, seed=2)
    explainer_of(rows, at).fit(rows).explain(rows.head())


def trained(at: dict[str, Any]) -> tuple[CounterFlowNet, dict[str, float]]:
    """A fitted explainer, and what fitting cost."""
    X = synthetic(at, at["rows"], seed=0)
    explainer = explainer_of(X, at)
    begun = time.process_time()
    with patch("time.perf_counter", time.process_time):  # the clock of the history
        explainer.fit(X)
    seconds = time.process_time() - begun
    moments = explainer.history.moments
    # That clock begins with fit, not with the first step: only the steps after it have a time of their own.
    steps = np.diff([moment.seconds for moment in moments])
    step = float(np.median(steps))
    told = {
        "fit_seconds": seconds,
        "milliseconds_per_step": 1000 * step,
        "changes": float(np.mean([moment.changes for moment in moments[1:]])),
        "table_bytes_per_row": int(X.memory_usage().sum()) / len(X),
    }
    if not at["learns"]:  # or the first step would be unlike the others
        told["outside_seconds"] = seconds - float(steps.sum()) - step
    return explainer, told


def repeated(work: Callable[[], Any]) -> tuple[Any, float]:
    """What comes of it, and the median of some times if it is short."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < REPEATS and seconds[0] < AT_ONCE):
        result = None  # let go of the last one first: two at a time would count as memory
        begun = time.process_time()
        result = work()
        seconds.append(time.process_time() - begun)
    return result, float(np.median(seconds))


def explained(explainer: CounterFlowNet, at: dict[str, Any]) -> dict[str, float]:
    """What explaining rows cost that training never saw."""
    rows = synthetic(at, at["explained"], seed=1)
    asked = {name: at[name] for name in ("count", "samples", "rounds", "chunk_rows")}
    explainer.explain(rows.head(), **asked)
    explanation, seconds = repeated(lambda: explainer.explain(rows, **asked))
    return {
        "explain_seconds": seconds,
        "milliseconds_per_row": 1000 * seconds / len(rows),
        "answers_per_row": len(explanation) / len(rows),
        "table_bytes_per_row": int(rows.memory_usage().sum()) / len(rows),
        "result_bytes_per_row": held_by(explanation, rows) / len(rows),
    }


def held_by(explanation: Explanation, rows: pd.DataFrame) -> int:
    """The bytes of a result but what it shares with the given rows; words count as pointers, since all share them."""
    factuals = explanation.factuals
    own = [name for name in rows if not np.shares_memory(rows[name].to_numpy(), factuals[name].to_numpy())]
    frames = (factuals[own], explanation.counterfactuals)
    arrays = (explanation.row, explanation.rank, explanation.valid, explanation.reward, explanation.changed)
    tuples = (explanation.targets, explanation.predicted, explanation.outcomes)
    outcomes = {id(outcome): sys.getsizeof(outcome) for outcome in explanation.outcomes}
    return (
        sum(int(frame.memory_usage(index=False).sum()) for frame in frames)
        + sum(array.nbytes for array in (*arrays, *explanation.terms.values()))
        + sum(map(sys.getsizeof, tuples))
        + sum(outcomes.values())
    )


def point(at: dict[str, Any]) -> dict[str, float]:
    """Everything of one size; it has this process for itself."""
    warm_up()
    imported = peak()
    about = {"load": os.getloadavg()[0]}
    begun, worked = time.monotonic(), time.process_time()
    explainer, told = trained(at)
    if at["explained"]:
        told |= explained(explainer, at)
    about["core_share"] = (time.process_time() - worked) / (time.monotonic() - begun)
    return told | {"peak_mb": peak() / MB, "grown_mb": (peak() - imported) / MB} | about


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


def cell(name: str, value: float | None) -> str:
    """A number with as many digits as say something."""
    if value is None:
        return ""
    if name == "core_share":
        return f"{value:.0%}"
    return f"{value:,.0f}" if value >= 100 or name.endswith("_mb") else f"{value:.3g}"


def series_table(result: dict[str, Any]) -> str:
    """The points that were reached, then the exponents."""
    series = SERIES[result["series"]]
    reached = [told for told in result["points"] if "failed" not in told]
    rows = [[f"{told['size']:,}", *(cell(name, told[name]) for name in series.shown)] for told in reached]
    for key, title in (("all", "exponent"), ("last", "exponent of the last two")):
        found = [result["exponents"].get(name, {}).get(key) for name in series.shown]
        rows.append([title, *("" if number is None else f"{number:.2f}" for number in found)])
    return table([series.title, *(HEADINGS[name] for name in series.shown)], rows)


def not_reached(result: dict[str, Any]) -> str:
    """The sizes that the series is meant to have and has not, each with its reason."""
    failed = {told["size"]: told["failed"] for told in result["points"] if "failed" in told}
    tried = {told["size"] for told in result["points"]}
    gone = failed | {size: "not tried" for size in SERIES[result["series"]].sizes if size not in tried}
    told = "; ".join(f"{size:,} ({reason})" for size, reason in sorted(gone.items()))
    return f"Not reached: {told}." if gone else "Every size was reached."


def memory_text(memory: dict[str, Any] | None) -> str:
    """The growth of the peak beside what has to be held."""
    if memory is None:
        return ""
    names = {"table_bytes_per_row": "the given table", "result_bytes_per_row": "the result"}
    held = {told: memory[name] for name, told in names.items() if name in memory}
    listed = ", ".join(f"{count:.0f} in {told}" for told, count in held.items())
    times = memory["grown_bytes_per_row"] / sum(held.values())
    return (
        f"From {memory['from']:,} to {memory['to']:,} rows the peak grew by {memory['grown_bytes_per_row']:.0f} bytes "
        f"a row, {times:.1f} times what a row has ({listed}; words count as pointers)."
    )


def base_text(base: dict[str, Any]) -> str:
    """Sizes in words."""
    return ", ".join(PHRASES[name].format(value) for name, value in base.items() if name in PHRASES and value)


def conditions(result: dict[str, Any]) -> str:
    """Where the base of this series is another, and what ran beside it."""
    other = base_text({name: value for name, value in result["base"].items() if value != BASE[name]})
    loads = [told["load"] for told in result["points"] if "load" in told]
    load = f"load {min(loads):.1f} to {max(loads):.1f}, this run included" if loads else "nothing measured"
    return f"{f'Here: {other}. ' if other else ''}{result['cores']} cores, {result['threads']} thread, {load}."


def bar(result: dict[str, Any] | None) -> str:
    """Whether time and memory stay linear in the rows explained, over all points and at the largest."""
    told = f"Bar: nothing grows faster than linearly in rows explained: exponent <= {LINEAR}"
    found = [] if result is None else [value for kind in result["exponents"].values() for value in kind.values()]
    known = [value for value in found if value is not None]
    return verdict(told, met=max(known) <= LINEAR if known else None)


def series_section(name: str, result: dict[str, Any] | None) -> str:
    """The table of one series and what is to be known of it."""
    if result is None:
        return f"### By {SERIES[name].title}\n\nNot measured."
    told = [conditions(result), memory_text(result.get("memory")), not_reached(result)]
    return f"### By {SERIES[name].title}\n\n{series_table(result)}\n\n{' '.join(filter(None, told))}"


def section(results: list[dict[str, Any]]) -> str:
    """The newest line of each series as Markdown."""
    newest = {result["series"]: result for result in latest(results, "series")}
    opening = f"""## How cost grows

One size at a time, each point in a process of its own. Unless something else is said, the sizes are:
{base_text(BASE)}.
Columns hold numbers and words by turns, and the classifier is one line of numpy. The flow stays as it begins, unless it
is said to learn: a step costs what it costs but changes nothing, so that trajectories are as long at all sizes.

Seconds are those of the processor with one thread; the share of a core says how much of the clock they were, the rest
went to what ran beside. Memory is the peak of the process, and how far that is above the one after all imports and a
tiny fit. The exponent is that of a power law, by least squares on logarithms: 1 is linear, and below 1 a constant part
is still to be seen. Made by
`python bench/scripts/growth.py`."""
    parts = [series_section(name, newest.get(name)) for name in SERIES]
    return "\n\n".join([opening, *parts, bar(newest.get("rows_explained"))]) + "\n"


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
